/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Search filters in front of a set of keys, and a directory that finds the key itself (seed 003).
 *
 * <p>The filters differ in how an element's positions are drawn ({@link
 * io.hbaseindex.seeds.directory.Positions}) and in the shape they are drawn from. The paper's
 * "random filter", whose positions may coincide, is the standard {@link
 * io.hbaseindex.core.filter.BloomFilter}. {@link
 * io.hbaseindex.seeds.directory.MinimumHashDirectory} is what the paper proposes.
 *
 * <p>The filters take one writer at a time and any number of readers; the directory is used by one
 * thread at a time.
 */
package io.hbaseindex.seeds.directory;
