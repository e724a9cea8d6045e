/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.ValuePrefixes;
import io.hbaseindex.core.shard.ShardedBatch;
import io.hbaseindex.core.shard.ShardedRegion;
import io.hbaseindex.core.simulation.SimParts.Habit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/**
 * A region open on a server: write batches, filter rebuilds and the close go through the steps that
 * a region server takes them through.
 */
final class SimHost {
  /**
   * A write batch of one row. It goes through the steps of HBase: written to the log, then to
   * memory, where the next writer of the row finds it, whose lock is free from then on; visible to
   * readers once it is confirmed and all that were written before it are visible; over.
   */
  private static final class Batch {
    int row;
    SimRow before;
    SimRow after;
    ShardedBatch filter;
    boolean failing;
    boolean confirmed;
    long begunNanos;
    long pausesAtBegin;
  }

  private final SimWorld world;
  private final SimServer server;
  final SimRegion region;
  final ShardedRegion published;
  private final List<SimIndex> maintained;
  private final List<Batch> batches = new ArrayList<>();

  /** Batches that are written and not yet visible, in the order in which they were written. */
  private final ArrayDeque<Batch> invisible = new ArrayDeque<>();

  private final Set<Integer> locked = new HashSet<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private boolean closing;
  private int rebuilds;

  private record Waiting(BooleanSupplier until, Runnable then) {}

  SimHost(SimWorld world, SimServer server, SimRegion region, ShardedRegion published) {
    this.world = world;
    this.server = server;
    this.region = region;
    this.published = published;
    this.maintained = List.copyOf(world.indexes);
  }

  SimServer server() {
    return server;
  }

  boolean isClosing() {
    return closing;
  }

  /** Whether the region's filter counts every posting once, as far as it knows. */
  boolean countsExactly() {
    return !published.isOvercounting() && !published.isRebuilding();
  }

  /** Whether no batch is under way. */
  boolean isIdle() {
    return batches.isEmpty();
  }

  // ---- writes ----

  void write(int row, int[] values) {
    if (closing || locked.contains(row)) {
      return;
    }
    Batch batch = new Batch();
    batch.row = row;
    batch.before =
        world.parts.has(Habit.READS_WHAT_IS_VISIBLE)
            ? region.visible.get(row)
            : region.written.get(row);
    batch.after = new SimRow(world.oracle.nextOrder(), values);
    batch.begunNanos = server.machine.monotonicNanos();
    batch.pausesAtBegin = server.pauses();
    long[] ended = batch.before == null ? new long[0] : changed(batch.before, batch.after);
    batch.filter =
        published.begin(
            started(batch.after, batch.before),
            kept(batch.after, batch.before),
            ended,
            world.parts.has(Habit.WIDENS_BOUNDS_TOO_LATE)
                ? RegionBounds.NOTHING
                : bounds(maintained, batch.after),
            false);
    batches.add(batch);
    world.trace(() -> server.name + " writes " + row);
    locked.add(row);
    world.oracle.begun(row, batch.after);
    if (world.parts.has(Habit.DELETES_BEFORE_COMMIT)) {
      takeBack(batch);
    }
    server.runIn(world.millis(0, 20), () -> append(batch));
  }

  private void append(Batch batch) {
    locked.remove(batch.row);
    if (server.isFenced() || world.random.nextInt(12) == 0) {
      world.oracle.failed(batch.row, batch.after);
      fail(batch);
    } else {
      region.written.put(batch.row, batch.after);
      invisible.addLast(batch);
      // A hook of somebody else fails the batch: before ours has waited, or after it.
      batch.failing = world.random.nextInt(12) == 0;
      batch.confirmed = batch.failing && world.random.nextBoolean();
      world.trace(() -> server.name + " appended " + batch.row);
    }
    server.wake();
  }

  /** The client is told that the batch has failed, which is true only if it was not written. */
  private void fail(Batch batch) {
    if (world.parts.has(Habit.UNDOES_FAILED_BATCHES)) {
      undo(batch);
    }
    batch.filter.end();
    batches.remove(batch);
    retry(batch);
  }

  /** Clients that are told of a failure write the same again. */
  private void retry(Batch batch) {
    if (world.parts.sharded() && world.random.nextInt(4) > 0) {
      server.runIn(world.millis(0, 5), () -> write(batch.row, batch.after.values()));
    }
  }

  /** What was confirmed becomes visible, but never before what was written earlier. */
  private void showWhatIsConfirmed() {
    for (Batch batch : invisible) {
      batch.confirmed |= batch.filter.isSettled();
    }
    while (!invisible.isEmpty() && invisible.peekFirst().confirmed) {
      Batch batch = invisible.removeFirst();
      if (!server.isFenced()) {
        region.visible.put(batch.row, batch.after);
      }
      if (batch.failing) {
        fail(batch);
      } else {
        acknowledge(batch);
      }
    }
  }

  private void acknowledge(Batch batch) {
    world.trace(() -> server.name + " acknowledges " + batch.row);
    if (!world.parts.has(Habit.DELETES_BEFORE_COMMIT)) {
      takeBack(batch);
    }
    batch.filter.end();
    batches.remove(batch);
    world.oracle.acknowledged(batch.row, batch.after);
    if (world.parts.has(Habit.WIDENS_BOUNDS_TOO_LATE)) {
      long[] none = {};
      published.begin(none, none, none, bounds(maintained, batch.after), false).end();
    }
    if (server.pauses() == batch.pausesAtBegin) {
      world.checkWait(server.machine.monotonicNanos() - batch.begunNanos);
    }
    world.checkRow(batch.row);
  }

  /** The elements of the postings that one version has and the other has not. */
  private long[] changed(SimRow version, SimRow other) {
    return maintained.stream()
        .filter(index -> index.isChanged(version, other))
        .flatMapToLong(index -> elements(index, version))
        .toArray();
  }

  /** The elements of the postings that both versions have. */
  private long[] kept(SimRow version, SimRow other) {
    if (world.parts.has(Habit.FORGETS_WHAT_IS_KEPT)) {
      return new long[0];
    }
    return maintained.stream()
        .filter(index -> index.hasPosting(version) && !index.isChanged(version, other))
        .flatMapToLong(index -> elements(index, version))
        .toArray();
  }

  /** The bounds of the postings of a version. */
  private RegionBounds bounds(List<SimIndex> indexes, SimRow version) {
    Map<Integer, List<byte[]>> values = new HashMap<>();
    for (SimIndex index : indexes) {
      if (index.hasPosting(version)) {
        byte[] value = index.value(version);
        values.put(
            (int) index.id(),
            List.of(
                world.parts.has(Habit.ENDS_VALUES_WHERE_IT_CUTS_THEM)
                    ? IndexRowKeys.encoded(Arrays.copyOf(value, ValuePrefixes.LENGTH - 2))
                    : IndexRowKeys.encoded(value)));
      }
    }
    return RegionBounds.ofValues(values);
  }

  private static LongStream elements(SimIndex index, SimRow version) {
    return index.setsOf(version).stream().mapToLong(set -> set.element(version));
  }

  /** What a batch inserts; the elements of what it ends are those that {@link #changed} names. */
  private long[] started(SimRow version, SimRow other) {
    if (!world.parts.has(Habit.INSERTS_NO_SMALLER_SETS)) {
      return changed(version, other);
    }
    return maintained.stream()
        .filter(index -> index.isChanged(version, other))
        .mapToLong(index -> index.sets().get(0).element(version))
        .toArray();
  }

  private void takeBack(Batch batch) {
    if (batch.before != null) {
      delete(batch, batch.before, batch.after);
    }
  }

  private void undo(Batch batch) {
    delete(batch, batch.after, batch.before);
  }

  private void delete(Batch batch, SimRow ended, SimRow other) {
    for (SimIndex index : maintained) {
      if (index.isChanged(ended, other)) {
        for (SimIndex.Set set : index.setsOf(ended)) {
          for (int times = timesToDelete(index, set); times > 0; times--) {
            batch.filter.delete(set.space(), set.element(ended));
          }
        }
      }
    }
  }

  private int timesToDelete(SimIndex index, SimIndex.Set set) {
    boolean whole = set == index.sets().get(0);
    if (!whole && world.parts.has(Habit.DELETES_NO_SMALLER_SETS)) {
      return 0;
    }
    return !whole && world.parts.has(Habit.DELETES_SMALLER_SETS_TWICE) ? 2 : 1;
  }

  // ---- rebuilds ----

  /** Builds the filter for some indexes first, if there are several, then for all. */
  void build() {
    if (world.random.nextInt(3) == 0) {
      server.runIn(
          world.millis(0, 300),
          () -> {
            rebuild(maintained.subList(0, 1));
            server.runIn(world.millis(0, 1_500), this::rebuild);
          });
    } else {
      server.runIn(world.millis(0, 300), this::rebuild);
    }
  }

  void rebuild() {
    rebuild(maintained);
  }

  private void rebuild(List<SimIndex> covered) {
    if (closing || server.isFenced() || published.isSuspended()) {
      return;
    }
    int number = ++rebuilds;
    published.startRebuild(world.random.nextInt(8));
    await(published::rebuildMayScan, () -> openScan(number, covered));
    server.wake();
  }

  private void openScan(int number, List<SimIndex> covered) {
    List<Long> elements = new ArrayList<>();
    RegionBounds bounds = RegionBounds.NOTHING;
    for (SimRow version : region.visible.values()) {
      for (SimIndex index : covered) {
        if (index.hasPosting(version)) {
          elements(index, version).forEach(elements::add);
        }
      }
      bounds = bounds.union(bounds(covered, version));
    }
    Scan scan = new Scan(number, covered, elements, bounds);
    server.runIn(world.millis(0, 100), () -> scan(scan, 0));
  }

  /** What a rebuild's scan has seen when it was opened. */
  private record Scan(
      int number, List<SimIndex> covered, List<Long> elements, RegionBounds bounds) {}

  private void scan(Scan scan, int from) {
    if (closing || server.isFenced() || scan.number != rebuilds || !published.isRebuilding()) {
      return;
    }
    int to = Math.min(scan.elements.size(), from + 10);
    published.scanned(
        scan.elements.subList(from, to).stream().mapToLong(Long::longValue).toArray());
    if (to < scan.elements.size()) {
      server.runIn(world.millis(0, 40), () -> scan(scan, to));
    } else {
      published.completeRebuild(
          scan.covered.stream()
              .flatMap(index -> index.sets().stream())
              .map(SimIndex.Set::coverage)
              .toList(),
          scan.bounds);
      server.wake();
    }
  }

  /** Rows appear that no batch has written. */
  void bulkLoad(int row, int[] values) {
    if (closing || locked.contains(row) || isInFlight(row)) {
      return;
    }
    locked.add(row);
    published.suspend();
    await(
        published::isOpenEverywhere,
        () -> {
          locked.remove(row);
          published.resume();
          if (!server.isFenced()) {
            SimRow version = new SimRow(world.oracle.nextOrder(), values);
            region.written.put(row, version);
            region.visible.put(row, version);
            world.oracle.begun(row, version);
            world.oracle.acknowledged(row, version);
            world.checkRow(row);
            rebuild();
          }
        });
    server.wake();
  }

  private boolean isInFlight(int row) {
    return invisible.stream().anyMatch(batch -> batch.row == row);
  }

  // ---- closing ----

  void close(Runnable then) {
    closing = true;
    world.trace(() -> server.name + " closes " + region.name);
    published.release();
    await(
        () -> batches.isEmpty() && published.isReleased(),
        () -> {
          server.forget(this);
          then.run();
        });
    server.wake();
  }

  // ---- what happens whenever something may have changed ----

  private void await(BooleanSupplier until, Runnable then) {
    waiting.add(new Waiting(until, then));
  }

  void proceed() {
    showWhatIsConfirmed();
    if (!waiting.isEmpty()) {
      for (Waiting one : List.copyOf(waiting)) {
        if (one.until.getAsBoolean()) {
          waiting.remove(one);
          one.then.run();
        }
      }
    }
  }
}
