/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one scan may still spend on postings that it must read and sort before its first row: how
 * many it reads, and how much memory those it keeps take. All ranges of a scan share it.
 */
@InterfaceAudience.Private
public final class SortBudget {
  private static final int NARROWING_SHARE = 16;

  /**
   * What a posting takes that is read, kept or not: dead ones and those of other rows take time
   * where others take memory.
   */
  private static final int BYTES_PER_READ = 160;

  private long postings;
  private final long reserved;
  private long bytes;

  public SortBudget(long postings, long bytes) {
    this.reserved = bytes / 2;
    this.postings = postings;
    this.bytes = bytes;
  }

  static SortBudget of(ScanLimits limits) {
    return new SortBudget(limits.maxSortedBytes() / BYTES_PER_READ, limits.maxSortedBytes());
  }

  /** Whether one more posting, or one more range that may hold none, can be afforded. */
  boolean read() {
    return --postings >= 0;
  }

  /** Whether so much more memory can be afforded. */
  boolean keep(long amount) {
    bytes -= amount;
    return bytes >= 0;
  }

  /**
   * Whether so much more memory can be afforded for something that can be done without: half of all
   * is left for what cannot.
   */
  boolean keepIfToSpare(long amount) {
    boolean spare = bytes - amount >= reserved;
    bytes -= spare ? amount : 0;
    return spare;
  }

  /** A share for a range that only narrows down what another access finds anyway. */
  SortBudget forNarrowing() {
    SortBudget share = new SortBudget(postings / NARROWING_SHARE, bytes / NARROWING_SHARE);
    postings -= share.postings;
    bytes -= share.bytes;
    return share;
  }
}
