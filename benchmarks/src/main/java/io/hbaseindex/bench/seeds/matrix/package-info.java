/** Seed 000: Bloom filter matrices, full and cut, against Bloom filters per tuple and attribute. */
package io.hbaseindex.bench.seeds.matrix;
