/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Seed 004: the split counting Bloom filter, its parameters, overflow and growth. */
package io.hbaseindex.bench.seeds.splitcounting;
