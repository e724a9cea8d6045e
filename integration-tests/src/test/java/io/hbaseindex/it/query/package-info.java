/** Queries by column values, run on a real cluster. */
package io.hbaseindex.it.query;
