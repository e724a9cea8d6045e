/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.endpoint;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.region.check.RegionChecker;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.context.RegionPlan;
import io.hbaseindex.region.lifecycle.IndexStates;
import io.hbaseindex.region.lifecycle.RegionLifecycle;
import io.hbaseindex.region.metrics.RegionMetrics;
import io.hbaseindex.region.publish.TableRelay;
import io.hbaseindex.region.scan.trace.ScanTraces;
import io.hbaseindex.region.write.WritePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the endpoint of a region may know of it, indexed or not.
 *
 * <p>Endpoints are registered before a region opens; {@link #opened} completes the picture.
 */
@InterfaceAudience.Private
public final class CheckedRegion {

  private final HRegion region;
  private final String name;
  private final RegionAccess access;
  private final RegionPlan plan;
  private final RegionMetrics metrics;
  private final ScanTraces traces;
  private final Optional<RegionLifecycle> lifecycle;
  private final GatheredScans gathered;
  private volatile Optional<RegionChecker> checker = Optional.empty();
  private volatile TableRelay relay;
  private volatile Supplier<OptionalInt> filterProgress = OptionalInt::empty;

  /**
   * @param clock HBase's, in milliseconds
   */
  public CheckedRegion(
      RegionCoprocessorEnvironment env,
      RegionPlan plan,
      RegionMetrics metrics,
      ScanTraces traces,
      Optional<RegionLifecycle> lifecycle,
      TableRelay relay,
      LongSupplier clock) {
    this.region = (HRegion) env.getRegion();
    this.name = env.getRegionInfo().getRegionNameAsString();
    this.access = RegionAccess.of(env);
    this.plan = plan;
    this.metrics = metrics;
    this.traces = traces;
    this.lifecycle = lifecycle;
    this.relay = relay;
    this.gathered = new GatheredScans(env, metrics, clock);
  }

  /** Says that the region is open and has these indexes. */
  public void opened(RegionIndexes indexes, WritePath writePath) {
    checker = Optional.of(new RegionChecker(indexes, writePath));
  }

  /** Says that the region publishes its filter and can pass questions on to the master. */
  public void relaying(TableRelay tableRelay) {
    relay = tableRelay;
  }

  /** Says that the region publishes its filter, and how far a rebuild of that is. */
  public void publishing(Supplier<OptionalInt> progress) {
    filterProgress = progress;
  }

  /** Hundredths that the rebuild of the filter has done; empty if none is under way. */
  OptionalInt filterProgress() {
    return filterProgress.get();
  }

  /** What its postings take in store files; empty if nothing was flushed yet. */
  Optional<StoredPostings> postingSize() {
    return StoredPostings.of(region);
  }

  /** Answers scans that are for further regions of this server, too. */
  GatheredScans gathered() {
    return gathered;
  }

  /** Answers what readers want to know about the table. */
  TableRelay relay() {
    return relay;
  }

  String name() {
    return name;
  }

  RegionAccess access() {
    return access;
  }

  /**
   * Why the region keeps no index although it should; empty if it does, or was opened before the
   * table had one.
   */
  Optional<String> unindexed() {
    return plan instanceof RegionPlan.Unindexed unindexed
            && !unindexed.equals(RegionPlan.NONE_DECLARED)
        ? Optional.of(unindexed.reason())
        : Optional.empty();
  }

  /** All indexes of the table, those included that this region cannot keep. */
  Collection<IndexDefinition> definitions() {
    if (!(plan instanceof RegionPlan.Indexed indexed)) {
      return List.of();
    }
    List<IndexDefinition> all = new ArrayList<>(indexed.definitions().definitions());
    all.addAll(indexed.unsupported().keySet());
    all.sort(Comparator.comparing(IndexDefinition::id));
    return all;
  }

  Optional<IndexStates> states() {
    return lifecycle.map(RegionLifecycle::states);
  }

  RegionMetrics metrics() {
    return metrics;
  }

  ScanTraces traces() {
    return traces;
  }

  int stalePostingsWaiting() {
    return lifecycle.map(RegionLifecycle::stalePostingsWaiting).orElse(0);
  }

  Optional<RegionChecker> checker() {
    return checker;
  }

  void rebuild() throws IOException {
    if (lifecycle.isPresent()) {
      lifecycle.get().rebuild();
    }
  }
}
