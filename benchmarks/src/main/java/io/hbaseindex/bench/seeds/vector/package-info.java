/** Seed 001: one Bloom filter over vectors of integers. */
package io.hbaseindex.bench.seeds.vector;
