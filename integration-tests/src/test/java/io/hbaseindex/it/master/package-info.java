/**
 * The master's side of the global index on real clusters: what it shows, whom it lets in, what it
 * counts, and that it stands aside when it is overrun.
 */
package io.hbaseindex.it.master;
