/** The indexes of a table, as its descriptor declares them. */
package io.hbaseindex.common.table;
