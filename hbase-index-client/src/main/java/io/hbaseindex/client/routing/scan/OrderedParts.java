/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.plan.RoutePlans;
import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.common.query.OrderedVisits;
import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Which parts of a plan a search for the first rows in an order visits now ({@link OrderedVisits}):
 * those that may reach farthest, or, once rows are known, those that may reach before the last of
 * these. Parts of which it is not known how far they reach are visited at once.
 *
 * <p>Used for one scan.
 */
@InterfaceAudience.Private
public final class OrderedParts {
  private final OrderedVisits.Request wanted;
  private final RowOrder order;
  private final Optional<RowOrder.Place> after;
  private volatile Map<RowRange, RegionEdge> edges = Map.of();
  private volatile Optional<Result> told = Optional.empty();

  private OrderedParts(OrderedVisits.Request wanted, OrderedRows.Request ordered) {
    this.wanted = wanted;
    this.order = ordered.order();
    this.after = ordered.after();
  }

  /** Empty if the scan visits all that its route leaves. Takes the request off the scan. */
  public static Optional<OrderedParts> takenOff(Scan scan) {
    Optional<OrderedVisits.Request> wanted = OrderedVisits.takeOff(scan);
    return wanted.flatMap(
        visits -> OrderedRows.in(scan).map(ordered -> new OrderedParts(visits, ordered)));
  }

  /** Takes note of how far values reach. */
  public void edges(List<RegionEdge> known) {
    Map<RowRange, RegionEdge> byRange = new HashMap<>();
    known.forEach(edge -> byRange.put(edge.range(), edge));
    edges = byRange;
  }

  /** What the scan visits of its plan. */
  public RoutePlan narrow(RoutePlan plan) {
    List<RoutePlan.Part> left =
        plan.parts().stream()
            .filter(part -> wanted.visited().stream().noneMatch(done -> has(done, part.range())))
            .toList();
    Set<RoutePlan.Part> later = new HashSet<>(plan.isRouted() ? later(left) : List.of());
    List<RoutePlan.Part> now = left.stream().filter(part -> !later.contains(part)).toList();
    if (!later.isEmpty()) {
      told = Optional.of(OrderedVisits.leftOut(now.stream().map(RoutePlan.Part::range).toList()));
    }
    return RoutePlans.only(plan, now);
  }

  private static boolean has(RowRange whole, RowRange part) {
    boolean endsFirst =
        whole.end().length == 0
            || part.end().length > 0 && Arrays.compareUnsigned(part.end(), whole.end()) <= 0;
    return endsFirst && Arrays.compareUnsigned(part.start(), whole.start()) >= 0;
  }

  private List<RoutePlan.Part> later(List<RoutePlan.Part> parts) {
    List<RoutePlan.Part> known =
        parts.stream().filter(part -> edges.containsKey(part.range())).toList();
    if (wanted.upTo().isPresent()) {
      byte[] last = encoded(wanted.upTo().get());
      return known.stream().filter(part -> edgeOf(part).isBehind(last, falls())).toList();
    }
    Optional<byte[]> first = after.map(this::encoded);
    List<RoutePlan.Part> behind =
        new ArrayList<>(
            known.stream()
                .filter(part -> first.isEmpty() || edgeOf(part).isBehind(first.get(), falls()))
                .toList());
    behind.sort((one, other) -> RegionEdge.compare(edgeOf(one), edgeOf(other), falls()));
    return behind.subList(Math.min(wanted.first(), behind.size()), behind.size());
  }

  private boolean falls() {
    return order.descending();
  }

  private byte[] encoded(RowOrder.Place place) {
    return IndexRowKeys.encoded(PostingForm.of(order.type(), place.value()));
  }

  private RegionEdge edgeOf(RoutePlan.Part part) {
    return edges.get(part.range());
  }

  /** What comes behind all results, if parts were left out. */
  public Optional<Result> told() {
    return told;
  }
}
