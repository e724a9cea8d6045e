/** What runs in the HBase master. */
package io.hbaseindex.master;
