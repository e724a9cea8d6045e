/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Seed 000: Bloom filter matrices, full and cut, against Bloom filters per tuple and attribute. */
package io.hbaseindex.bench.seeds.matrix;
