/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.region.context.ReadyIndex;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.scan.plan.AccessPlan;
import io.hbaseindex.region.scan.plan.OrderedAccess;
import io.hbaseindex.region.scan.trace.ScanTrace;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The plan for a scan whose scanner is about to open.
 *
 * @param scan the scan, as it was when the plan was made
 * @param predicate what rows have to meet
 * @param plan the postings to read
 * @param exact whether a row that the filter refuses has a stale posting
 * @param tally counts rows that need not be read; empty if rows are wanted, or all have to be asked
 * @param covered makes rows out of postings; empty if all have to be read
 * @param inOrder finds the first rows in the order that is asked for; empty if no index has it
 * @param readiness per index of the plan the token of its readiness; if one changes, the plan no
 *     longer holds
 * @param metrics what to count with
 * @param trace what the client wants to know afterwards; empty if nothing
 */
record ScanIntent(
    Scan scan,
    RowPredicate predicate,
    AccessPlan plan,
    boolean exact,
    Optional<RowTally> tally,
    Optional<CoveredRows> covered,
    Optional<InOrder> inOrder,
    Map<Integer, ReadyIndex> readiness,
    IndexMetrics metrics,
    Optional<ScanTrace> trace) {

  /**
   * How to find the first rows in the order of a column.
   *
   * @param access the postings that lie in that order
   * @param covered makes rows out of them; empty if all have to be read
   */
  record InOrder(
      OrderedRows.Request request, OrderedAccess access, Optional<CoveredRows> covered) {}
}
