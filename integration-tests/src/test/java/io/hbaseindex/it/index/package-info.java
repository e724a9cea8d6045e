/**
 * The product on a real cluster: what its users see of an index, and what can be read off its
 * counters.
 */
package io.hbaseindex.it.index;
