/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.region.context.RegionPlan;
import io.hbaseindex.region.lifecycle.ledger.RegionLedger;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.publish.UnpublishedRegion;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * A region that keeps no index although its table has one, or had. An earlier incarnation may have
 * published a filter, and died: what is written here is in no filter, so it is not acknowledged
 * before nobody can trust that one any more.
 */
final class UnindexedRegion {
  private final RegionLedger ledger;
  private volatile Optional<UnpublishedRegion> open = Optional.empty();

  private UnindexedRegion(RegionLedger ledger) {
    this.ledger = ledger;
  }

  /** Empty if the region keeps an index, is a replica, or if its table never had an index. */
  static Optional<UnindexedRegion> of(RegionPlan plan, HRegion region, IndexMetrics metrics)
      throws IOException {
    boolean indexedOnce =
        !plan.equals(RegionPlan.NONE_DECLARED)
            || region.getTableDescriptor().hasColumnFamily(IndexFamily.bytes());
    boolean concerned =
        plan instanceof RegionPlan.Unindexed
            && indexedOnce
            && region.getRegionInfo().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID;
    return concerned
        ? Optional.of(new UnindexedRegion(RegionLedger.of(region, metrics)))
        : Optional.empty();
  }

  /** Before the region opens. */
  void opening() {
    ledger.load();
    ledger.unindexed();
  }

  /** The region is open, and nobody has written to it yet. */
  void opened(Configuration server, MachineClock clock, IndexMetrics metrics) {
    UnpublishedRegion trust = UnpublishedRegion.of(server, clock, ledger::wasTrusted, metrics);
    ledger.trustedWhile(trust::mayBeTrusted);
    open = Optional.of(trust);
  }

  /** Something was written, or is about to be loaded: returns when it may be acknowledged. */
  void awaitEndOfTrust() {
    open.ifPresent(UnpublishedRegion::awaitEndOfTrust);
  }

  void closed(boolean aborted) {
    if (aborted) {
      ledger.abandon();
    } else {
      ledger.close();
    }
  }
}
