/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.it.chaos.ask.Lookups;
import io.hbaseindex.it.chaos.ask.Question;
import io.hbaseindex.it.chaos.ask.TargetTable.Column;
import io.hbaseindex.it.chaos.ask.Way;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
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

  /** The rows asked for, with their cells; empty if HBase failed the read. */
  final Optional<Map<String, String>> lookup(Way way, String key, Question question)
      throws Exception {
    return asked(way, key, question, () -> lookups().find(way, question));
  }

  /** The one row with its cells, if it is found; empty if HBase failed the read. */
  final Optional<Map<String, String>> lookupInRow(Way way, String key, Question question)
      throws Exception {
    return asked(way, key, question, () -> lookups().findIn(key, way, question));
  }

  private Optional<Map<String, String>> asked(
      Way way, String key, Question question, Tally.Timed<Map<String, String>> ask)
      throws Exception {
    shared.pace.await();
    long start = System.nanoTime();
    Optional<Map<String, String>> rows = Optional.empty();
    try {
      rows = Optional.of(shared.tally.timed("read " + way.name().toLowerCase(), ask));
    } catch (Lookups.StalledException e) {
      shared.tally.wrong(Tally.Wrong.STUCK, name + " " + e.getMessage());
    } catch (IOException | RuntimeException e) {
      // HBase may fail a read while servers come and go; it says nothing then.
    }
    String result =
        rows.map(found -> found.containsKey(key) ? "found" : "absent").orElse("unknown");
    String columns = question.columns();
    String f = columns.equals(Column.CODE.name()) ? Operation.LOOKUP : "lookup-" + columns;
    shared.history.add(
        new Operation(name, f, key, question.text(), way, start, System.nanoTime(), result));
    return rows;
  }

  /** A way of asking that must see everything. */
  final Way strongWay() {
    // Plain reads are what the others are compared with; routed ones are what is to be tested.
    return switch (random.nextInt(10)) {
      case 0 -> Way.PLAIN;
      case 1 -> Way.UNROUTED;
      case 2, 3, 4 -> Way.ASYNC;
      case 5, 6, 7 -> Way.COVERED;
      default -> Way.STRONG;
    };
  }
}
