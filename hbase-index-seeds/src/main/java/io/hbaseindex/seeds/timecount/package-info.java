/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Counts of stream elements over spans of time (seed 002's multi Bloom filters).
 *
 * <p>The write path reads top-down: {@link io.hbaseindex.seeds.timecount.StreamHistory} hashes an
 * event, {@code OpenFilters} files it in the window that {@link
 * io.hbaseindex.seeds.timecount.Windowing} names, a {@link
 * io.hbaseindex.seeds.timecount.filter.MultiBloomFilter} is a group of such windows, and {@link
 * io.hbaseindex.seeds.timecount.store.MbfTable} keeps the closed groups in an {@link
 * io.hbaseindex.seeds.timecount.store.MbfStore} and finds them again by time.
 */
package io.hbaseindex.seeds.timecount;
