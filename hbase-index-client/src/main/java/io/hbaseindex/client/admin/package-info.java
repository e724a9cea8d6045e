/** Asking the regions of a table about their indexes: their state, checks, repairs and rebuilds. */
package io.hbaseindex.client.admin;
