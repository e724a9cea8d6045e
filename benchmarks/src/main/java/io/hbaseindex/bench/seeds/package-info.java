/** The experiments of the seed papers, one package below this one per paper. */
package io.hbaseindex.bench.seeds;
