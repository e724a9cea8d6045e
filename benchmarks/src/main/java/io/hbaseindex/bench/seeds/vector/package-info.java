/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Seed 001: one Bloom filter over vectors of integers. */
package io.hbaseindex.bench.seeds.vector;
