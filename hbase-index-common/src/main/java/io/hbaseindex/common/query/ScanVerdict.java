/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.predicate.RowPredicate;
import org.apache.yetus.audience.InterfaceAudience;

/** Whether an index may be used for a scan, as far as the scan itself tells. */
@InterfaceAudience.Private
public sealed interface ScanVerdict {

  /**
   * Rows that do not meet the predicate may be skipped.
   *
   * @param exact whether the filter consists of nothing but this predicate, so that a row that the
   *     filter refuses fails the predicate
   */
  record Eligible(RowPredicate predicate, boolean exact) implements ScanVerdict {}

  /** Every row must be looked at. */
  record Plain(PlainScanReason reason) implements ScanVerdict {}
}
