/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.core.definition.IndexSettings;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a scan may spend on its index before it runs plainly.
 *
 * @param maxSortedPostings postings of a range that are read, and sorted in memory, before the
 *     first row; a range with more is not used
 * @param maxSortedBytes memory for them
 * @param cutOffAfter candidates a scan reads in one region before it begins to ask whether jumping
 *     pays
 */
@InterfaceAudience.Private
public record ScanLimits(int maxSortedPostings, long maxSortedBytes, int cutOffAfter) {
  static final int DEFAULT_MAX_SORTED_POSTINGS = 50_000;
  static final long DEFAULT_MAX_SORTED_BYTES = 8L << 20;
  static final int DEFAULT_CUT_OFF_AFTER = 256;

  /** Reads the limits; they may change while the server runs. */
  public static ScanLimits of(Configuration conf) {
    return new ScanLimits(
        conf.getInt(IndexSettings.SCAN_MAX_SORTED_POSTINGS, DEFAULT_MAX_SORTED_POSTINGS),
        conf.getLong(IndexSettings.SCAN_MAX_SORTED_BYTES, DEFAULT_MAX_SORTED_BYTES),
        conf.getInt(IndexSettings.SCAN_CUT_OFF_AFTER, DEFAULT_CUT_OFF_AFTER));
  }
}
