/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.core.definition.IndexSettings;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a scan may spend on its index before it runs plainly.
 *
 * @param maxSortedBytes memory for postings of ranges that are read, and sorted, before the first
 *     row; ranges that need more are not used
 * @param cutOffAfter candidates a scan reads in one region before it begins to ask whether jumping
 *     pays
 */
@InterfaceAudience.Private
public record ScanLimits(long maxSortedBytes, int cutOffAfter) {
  static final long DEFAULT_MAX_SORTED_BYTES = 8L << 20;
  static final int DEFAULT_CUT_OFF_AFTER = 256;

  /** Reads the limits; they may change while the server runs. */
  public static ScanLimits of(Configuration conf) {
    return new ScanLimits(
        conf.getLong(IndexSettings.SCAN_MAX_SORTED_BYTES, DEFAULT_MAX_SORTED_BYTES),
        conf.getInt(IndexSettings.SCAN_CUT_OFF_AFTER, DEFAULT_CUT_OFF_AFTER));
  }
}
