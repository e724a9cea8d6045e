/** The command line of the benchmarks. */
package io.hbaseindex.bench;
