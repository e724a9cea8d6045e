/** Paper 002: counts of stream elements over time with multi Bloom filters. */
package io.hbaseindex.bench.seeds.stream;
