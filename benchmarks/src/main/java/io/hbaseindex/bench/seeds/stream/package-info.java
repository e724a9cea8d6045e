/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Paper 002: counts of stream elements over time with multi Bloom filters. */
package io.hbaseindex.bench.seeds.stream;
