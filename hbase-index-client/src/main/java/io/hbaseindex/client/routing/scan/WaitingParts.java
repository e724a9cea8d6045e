/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The parts of a scan that have not begun, in key order and without overlaps: what its plan leaves
 * of it.
 *
 * <p>Each region that is left is a part of its own, so that several can be read at once. Where no
 * region is known, because no route was to be had or nobody has announced the keys, parts are cut
 * at the regions' boundaries, one by one as they are about to begin. Boundaries that are out of
 * date do no harm: a part is an ordinary scan of HBase, whatever regions it meets.
 *
 * <p>A scan that no index serves stays whole: it is HBase's business alone.
 *
 * <p>Not safe for use by several threads at once.
 */
final class WaitingParts {
  /** Tells where regions end. */
  interface RegionEnds {
    /** Leaves stretches of many regions whole. */
    RegionEnds UNKNOWN = row -> CompletableFuture.completedFuture(new byte[0]);

    /** The key behind the region that holds a row; empty if it is the last one. */
    CompletableFuture<byte[]> endOf(byte[] row);
  }

  /**
   * Some of the keys that the plan leaves.
   *
   * @param manyRegions whether these may be the keys of several regions
   */
  private record Stretch(RowRange range, boolean manyRegions) {}

  private final Scan scan;
  private final RegionEnds regions;
  private final Deque<Stretch> behind = new ArrayDeque<>();
  private Stretch first;
  private Scan firstPart;

  WaitingParts(Scan scan, RoutePlan plan, RegionEnds regions) {
    this.scan = scan;
    this.regions = regions;
    boolean inParts = plan.unrouted().map(UnroutedReason::isServedByIndex).orElse(true);
    for (RoutePlan.Part part : plan.parts()) {
      behind.add(new Stretch(part.range(), inParts && part.server().isEmpty()));
    }
    advance();
  }

  boolean isEmpty() {
    return firstPart == null;
  }

  /** The part that begins next. It stays the first until it is removed. */
  CompletableFuture<Scan> first() {
    if (!first.manyRegions()) {
      return CompletableFuture.completedFuture(firstPart);
    }
    return regions
        .endOf(firstPart.getStartRow())
        // Whoever cannot tell where a region ends is no reason not to scan; HBase's own scan tells.
        .exceptionally(error -> new byte[0])
        .thenApply(
            end -> {
              cutAt(end);
              return firstPart;
            });
  }

  void removeFirst() {
    first = null;
    firstPart = null;
    advance();
  }

  private void advance() {
    while (firstPart == null && !behind.isEmpty()) {
      first = behind.remove();
      firstPart = ScanBounds.within(scan, first.range()).orElse(null);
    }
  }

  private void cutAt(byte[] end) {
    RowRange whole = first.range();
    boolean inside =
        end.length > 0
            && whole.isBelowEnd(end)
            && Arrays.compareUnsigned(firstPart.getStartRow(), end) < 0;
    if (inside) {
      behind.addFirst(new Stretch(new RowRange(end, whole.end()), true));
    }
    first = new Stretch(inside ? new RowRange(whole.start(), end) : whole, false);
    firstPart = ScanBounds.within(scan, first.range()).orElseThrow();
  }
}
