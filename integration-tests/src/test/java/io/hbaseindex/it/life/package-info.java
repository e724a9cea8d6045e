/** What happens to the indexes of a table when things happen to its regions. */
package io.hbaseindex.it.life;
