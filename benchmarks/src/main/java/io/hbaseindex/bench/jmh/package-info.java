/** Microbenchmarks and how their results are written down. */
package io.hbaseindex.bench.jmh;
