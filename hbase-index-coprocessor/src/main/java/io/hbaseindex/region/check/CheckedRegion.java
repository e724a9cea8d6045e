package io.hbaseindex.region.check;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.region.RegionIndexes;
import io.hbaseindex.region.RegionPlan;
import io.hbaseindex.region.lifecycle.IndexStates;
import io.hbaseindex.region.lifecycle.RegionLifecycle;
import io.hbaseindex.region.metrics.RegionMetrics;
import io.hbaseindex.region.write.WritePath;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What the endpoint of a region may know of it, indexed or not.
 *
 * <p>Endpoints are registered before a region opens; {@link #opened} completes the picture.
 */
public final class CheckedRegion {

  private final String name;
  private final RegionPlan plan;
  private final RegionMetrics metrics;
  private final Optional<RegionLifecycle> lifecycle;
  private volatile Optional<RegionChecker> checker = Optional.empty();

  public CheckedRegion(
      String name, RegionPlan plan, RegionMetrics metrics, Optional<RegionLifecycle> lifecycle) {
    this.name = name;
    this.plan = plan;
    this.metrics = metrics;
    this.lifecycle = lifecycle;
  }

  /** Says that the region is open and has these indexes. */
  public void opened(RegionIndexes indexes, WritePath writePath) {
    checker = Optional.of(new RegionChecker(indexes, writePath));
  }

  String name() {
    return name;
  }

  /** Why the region keeps no index; empty if it does. */
  Optional<String> unindexed() {
    return plan instanceof RegionPlan.Unindexed unindexed
        ? Optional.of(unindexed.reason())
        : Optional.empty();
  }

  Collection<IndexDefinition> definitions() {
    return plan instanceof RegionPlan.Indexed indexed
        ? indexed.definitions().definitions()
        : List.of();
  }

  Optional<IndexStates> states() {
    return lifecycle.map(RegionLifecycle::states);
  }

  RegionMetrics metrics() {
    return metrics;
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
