/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.it.chaos.load.TargetTable.Column;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A thread that does one operation after the other, at the common pace, and writes each into the
 * history.
 */
public abstract class Client implements Runnable {
  /** What all clients share. */
  public record Shared(
      Lookups lookups, Judge judge, Tally tally, HistoryFile history, Pace pace, Gate gate) {}

  private final String name;
  private final Shared shared;
  private final SplittableRandom random;
  private volatile boolean ended;

  Client(String name, Shared shared, SplittableRandom random) {
    this.name = name;
    this.shared = shared;
    this.random = random;
  }

  /** One step: a write and what is read after it, or a few reads. */
  abstract void step() throws Exception;

  @Override
  public final void run() {
    while (!ended) {
      try {
        shared.gate.share(this::step);
      } catch (Exception e) {
        shared.tally.wrong(Tally.Wrong.STUCK, name + " cannot go on: " + Judge.stack(e));
        return;
      }
    }
  }

  /** Ends it after its present step. */
  public final void end() {
    ended = true;
  }

  final String name() {
    return name;
  }

  final SplittableRandom random() {
    return random;
  }

  final Lookups lookups() {
    return shared.lookups;
  }

  final Judge judge() {
    return shared.judge;
  }

  /** A write of any kind, which may fail at any time. */
  @FunctionalInterface
  interface Write {
    void run() throws IOException;
  }

  /** Whether the write was acknowledged; if not, nobody knows whether it happened or will. */
  final boolean acknowledged(String kind, String f, String key, String value, Write write)
      throws Exception {
    shared.pace.await();
    long start = System.nanoTime();
    String result = "ok";
    try {
      shared.tally.timed(
          kind,
          () -> {
            write.run();
            return null;
          });
    } catch (IOException | RuntimeException e) {
      result = "unknown";
    }
    shared.history.add(new Operation(name, f, key, value, null, start, System.nanoTime(), result));
    return result.equals("ok");
  }

  /** Rows with the value; empty if HBase failed the read. */
  final Optional<Set<String>> lookup(Way way, String key, Column column, String value)
      throws Exception {
    return asked(way, key, column, value, () -> lookups().find(way, column, value));
  }

  /** The one row, if it is found by the value; empty if HBase failed the read. */
  final Optional<Set<String>> lookupInRow(Way way, String key, Column column, String value)
      throws Exception {
    return asked(
        way,
        key,
        column,
        value,
        () -> lookups().has(way, key, column, value) ? Set.of(key) : Set.of());
  }

  private Optional<Set<String>> asked(
      Way way, String key, Column column, String value, Tally.Timed<Set<String>> ask)
      throws Exception {
    shared.pace.await();
    long start = System.nanoTime();
    Optional<Set<String>> rows = Optional.empty();
    try {
      rows = Optional.of(shared.tally.timed("read " + way.name().toLowerCase(), ask));
    } catch (Lookups.StalledException e) {
      shared.tally.wrong(Tally.Wrong.STUCK, name + " " + e.getMessage());
    } catch (IOException | RuntimeException e) {
      // HBase may fail a read while servers come and go; it says nothing then.
    }
    String result = rows.map(found -> found.contains(key) ? "found" : "absent").orElse("unknown");
    String f = column == Column.CODE ? Operation.LOOKUP : "lookup-" + column;
    shared.history.add(new Operation(name, f, key, value, way, start, System.nanoTime(), result));
    return rows;
  }

  /** A way of asking that must see everything. */
  final Way strongWay() {
    // Plain reads are what the others are compared with; routed ones are what is to be tested.
    return switch (random.nextInt(8)) {
      case 0 -> Way.PLAIN;
      case 1 -> Way.UNROUTED;
      case 2, 3, 4 -> Way.ASYNC;
      default -> Way.STRONG;
    };
  }
}
