/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.RoutingTally;
import io.hbaseindex.core.route.FilterCopy;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.shard.ShardedCopy;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The copies of tables' filters that a connection keeps, for scans that accept bounded staleness.
 * The age of a copy counts from the moment it was <em>asked for</em>: everything acknowledged
 * before is in it. It is measured by both clocks, since a copy must not stay young while the
 * machine sleeps.
 *
 * <p>A copy that has used up half of what a scan accepts is refreshed in the background, so that
 * scans which follow each other never wait; one that is too old is waited for, but only for a while
 * from when it was asked for: then scans go on without it, and it is kept for later ones when it
 * comes. Only filters that have changed are sent. Copies share one bound of memory, those being
 * fetched included; a table that does not fit is routed by the master, and looked at again after a
 * while.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class FilterCopyCache {
  private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * A copy.
   *
   * @param asked when it was asked for
   */
  public record Copy(ShardedCopy filters, OptionalLong shape, boolean cellsMayHide, Moment asked) {}

  private static final class Slot {
    private Copy copy;

    /** What scans wait for while a copy is being fetched; null if none is. */
    private CompletableFuture<Optional<Copy>> refresh;

    /** How large the copy that is being fetched may become; 0 if none is. */
    private long granted;

    private boolean tooLarge;
    private Moment tooLargeSince;

    private long held() {
      return copy == null ? 0 : copy.filters().bytes();
    }

    private void refreshEnded() {
      refresh = null;
      granted = 0;
    }
  }

  /**
   * Memory for one more copy.
   *
   * @param squeezed whether there may be more of it once the copies under way have come
   */
  private record Room(long bytes, boolean squeezed) {}

  private final RouteSource source;
  private final MachineClock clock;
  private final long byteLimit;
  private final long waitMillis;
  private final RoutingTally counters;
  private final Map<TableName, Slot> slots = new HashMap<>();

  public FilterCopyCache(
      RouteSource source, MachineClock clock, RoutingSettings settings, RoutingTally counters) {
    this.source = source;
    this.clock = clock;
    this.byteLimit = settings.copyBytes();
    this.waitMillis = settings.copyWaitMillis();
    this.counters = counters;
  }

  /**
   * A copy that is younger than the bound; empty if there is none to be had, and an error if it
   * cannot be fetched, or not soon.
   */
  public synchronized CompletableFuture<Optional<Copy>> get(TableName table, long boundNanos) {
    Slot slot = slots.computeIfAbsent(table, name -> new Slot());
    Moment now = Moment.of(clock);
    if (slot.tooLarge && now.isWithin(LOOK_AGAIN_NANOS, slot.tooLargeSince)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    Copy copy = slot.copy;
    if (copy != null && now.isWithin(boundNanos, copy.asked())) {
      if (!now.isWithin(boundNanos / 2, copy.asked())) {
        refresh(table, slot);
      }
      return CompletableFuture.completedFuture(Optional.of(copy));
    }
    // One that is under way may have been asked for too long ago.
    return refresh(table, slot)
        .thenApply(
            refreshed ->
                refreshed.filter(fresh -> Moment.of(clock).isWithin(boundNanos, fresh.asked())));
  }

  /**
   * The copy that is at hand, however old; nobody waits for one.
   *
   * @param boundNanos how old it should be at most: an older one is brought up to date meanwhile; 0
   *     if that does not matter
   */
  public synchronized Optional<Copy> latest(TableName table, long boundNanos) {
    if (boundNanos > 0) {
      get(table, boundNanos);
    }
    return Optional.ofNullable(slots.get(table)).map(slot -> slot.copy);
  }

  private CompletableFuture<Optional<Copy>> refresh(TableName table, Slot slot) {
    if (slot.refresh != null) {
      return slot.refresh;
    }
    Moment asked = Moment.of(clock);
    Room room = roomFor(slot, asked);
    if (room.bytes() == 0 && room.squeezed()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    counters.add(RoutingCounter.COPY_REFRESHES);
    Map<RegionCopy.Version, RegionCopy> known = new HashMap<>();
    if (slot.copy != null) {
      slot.copy
          .filters()
          .regions()
          .filter(region -> region.filter() != null)
          .forEach(region -> known.put(region.version(), region));
    }
    CompletableFuture<Optional<Copy>> fetched = new CompletableFuture<>();
    // Scans that come when the wait is over find it so, and do not begin to wait anew.
    CompletableFuture<Optional<Copy>> refresh = BoundedWait.of(fetched, waitMillis);
    slot.refresh = refresh;
    slot.granted = room.bytes();
    source
        .ask(new RouteQuestion.Filters(table, known.keySet(), room.bytes()))
        .whenComplete(
            (filters, error) -> {
              if (error != null) {
                ended(slot);
                fetched.completeExceptionally(error);
              } else {
                fetched.complete(store(slot, filters, known, asked, room));
              }
            });
    return refresh;
  }

  /** What other tables leave of the memory; copies that nobody has used for long are dropped. */
  private Room roomFor(Slot slot, Moment now) {
    slots
        .values()
        .removeIf(
            other ->
                other != slot
                    && other.refresh == null
                    && other.copy != null
                    && !now.isWithin(LOOK_AGAIN_NANOS, other.copy.asked()));
    long held = sumOfOthers(slot, Slot::held);
    long promised = sumOfOthers(slot, other -> Math.max(other.held(), other.granted));
    return new Room(Math.max(0, byteLimit - promised), promised > held);
  }

  private long sumOfOthers(Slot slot, ToLongFunction<Slot> bytes) {
    return slots.values().stream().filter(other -> other != slot).mapToLong(bytes).sum();
  }

  private synchronized void ended(Slot slot) {
    slot.refreshEnded();
  }

  private synchronized Optional<Copy> store(
      Slot slot,
      FiltersReply filters,
      Map<RegionCopy.Version, RegionCopy> known,
      Moment asked,
      Room room) {
    slot.refreshEnded();
    ShardedCopy copy =
        new ShardedCopy(
            filters.shards().stream().map(regions -> completed(regions, known)).toList());
    boolean fits = filters.complete() && copy.bytes() <= byteLimit - sumOfOthers(slot, Slot::held);
    if (!fits && room.squeezed()) {
      // It may fit when the others are through: the next scan tries again.
      return Optional.empty();
    }
    slot.tooLarge = !fits;
    if (slot.tooLarge) {
      slot.tooLargeSince = asked;
      slot.copy = null;
      return Optional.empty();
    }
    slot.copy = new Copy(copy, filters.shape(), filters.cellsMayHide(), asked);
    return Optional.of(slot.copy);
  }

  private static FilterCopy completed(
      List<RegionCopy> regions, Map<RegionCopy.Version, RegionCopy> known) {
    return new FilterCopy(regions.stream().map(region -> completed(region, known)).toList());
  }

  /** Puts bits that were not sent again in their place. */
  private static RegionCopy completed(
      RegionCopy region, Map<RegionCopy.Version, RegionCopy> known) {
    if (region.open() != null || region.filter() != null) {
      return region;
    }
    RegionCopy same = known.get(region.version());
    return same == null ? region.without(OpenReason.LOST) : region.with(same);
  }
}
