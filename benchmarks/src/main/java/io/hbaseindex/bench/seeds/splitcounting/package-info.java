/** Seed 004: the split counting Bloom filter, its parameters, overflow and growth. */
package io.hbaseindex.bench.seeds.splitcounting;
