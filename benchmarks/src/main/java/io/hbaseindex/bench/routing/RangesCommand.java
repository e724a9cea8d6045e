/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.routing;

import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.route.RouteAnswer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how many regions a range of values visits, and what that costs a write. */
@Command(
    name = "ranges",
    description =
        "Publishes regions of a table to a registry, as they are deployed, and asks for ranges and"
            + " prefixes that 20 rows have. Tells how many regions are visited for each that has"
            + " such a row. Fails if a region with one is left out.")
public final class RangesCommand implements Callable<Integer> {
  @Option(names = "--regions", defaultValue = "1200", description = "default ${DEFAULT-VALUE}")
  private int regions;

  @Option(names = "--values", defaultValue = "2000", description = "of a region; default 2000")
  private int values;

  @Option(names = "--questions", defaultValue = "200", description = "default ${DEFAULT-VALUE}")
  private int questions;

  @Option(names = "--seed", defaultValue = "1", description = "default ${DEFAULT-VALUE}")
  private long seed;

  private static final int ROWS = 20;

  /** A row's value and where the row is. */
  private record Row(byte[] value, int region) {}

  @Override
  public Integer call() {
    MarkdownTable visits =
        new MarkdownTable(
            "values",
            "regions with a row, range",
            "visited",
            "ratio",
            "by smallest and largest value",
            "ratio, prefix",
            "bytes of bounds per value",
            "µs of CPU per route");
    MarkdownTable writes =
        new MarkdownTable(
            "values", "ns of CPU per write", "with bounds", "bytes sent per write", "with bounds");
    for (ValueKind kind : ValueKind.values()) {
      measureVisits(kind, visits);
      measureWrites(kind, writes);
    }
    System.out.println(visits);
    System.out.println(writes);
    return 0;
  }

  private void measureVisits(ValueKind kind, MarkdownTable table) {
    Random random = new Random(seed);
    Row[] rows = new Row[regions * values];
    RangesWorld world = new RangesWorld();
    ValueRange[] ends = new ValueRange[regions];
    for (int region = 0; region < regions; region++) {
      TreeSet<byte[]> own = new TreeSet<>(Arrays::compareUnsigned);
      for (int at = 0; at < values; at++) {
        byte[] value = kind.next(random, region, regions);
        rows[region * values + at] = new Row(value, region);
        own.add(value);
      }
      ends[region] = ValueRange.from(own.first(), ValueRange.equalTo(own.last()).upper());
      world.publish(region, own);
    }
    Arrays.sort(rows, (one, other) -> Arrays.compareUnsigned(one.value, other.value));
    Tally ranges = new Tally(world, rows, ends);
    Tally prefixes = new Tally(world, rows, ends);
    for (int question = 0; question < questions; question++) {
      int first = random.nextInt(rows.length - ROWS);
      byte[] last = rows[first + ROWS - 1].value;
      ranges.ask(ValueRange.from(rows[first].value, ValueRange.equalTo(last).upper()));
      prefixes.ask(prefixOf(rows, random.nextInt(rows.length)));
    }
    table.row(
        kind.words(),
        number(1.0 * ranges.having / questions),
        number(1.0 * ranges.visited / questions),
        number(ranges.ratio()),
        number(1.0 * ranges.byEnds / ranges.having),
        number(prefixes.ratio()),
        number(1.0 * world.bytesOfBounds() / rows.length),
        number(1e-3 * ranges.nanos / questions));
  }

  /** The longest prefix of a value that so many rows begin with, or the value itself. */
  private static ValueRange prefixOf(Row[] rows, int at) {
    byte[] value = rows[at].value;
    for (int length = value.length; length > 0; length--) {
      ValueRange range = ValueRange.startingWith(Arrays.copyOf(value, length));
      int from = Math.max(0, at - ROWS);
      int to = Math.min(rows.length, at + ROWS);
      long near = Arrays.stream(rows, from, to).filter(row -> range.contains(row.value)).count();
      if (near >= ROWS) {
        return range;
      }
    }
    return ValueRange.startingWith(value);
  }

  /** Sums up what was asked. */
  private static final class Tally {
    private final RangesWorld world;
    private final Row[] rows;
    private final ValueRange[] ends;
    private long having;
    private long visited;
    private long byEnds;
    private long nanos;

    Tally(RangesWorld world, Row[] rows, ValueRange[] ends) {
      this.world = world;
      this.rows = rows;
      this.ends = ends;
    }

    double ratio() {
      return 1.0 * visited / having;
    }

    void ask(ValueRange range) {
      long started = RangesWorld.cpuNanos();
      RouteAnswer answer = world.route(range);
      nanos += RangesWorld.cpuNanos() - started;
      TreeSet<Integer> expected = new TreeSet<>();
      for (int at = firstFrom(range.lower()); at < rows.length; at++) {
        if (!range.contains(rows[at].value)) {
          break;
        }
        expected.add(rows[at].region);
      }
      List<Integer> found = world.regionsOf(answer);
      if (!found.containsAll(expected)) {
        throw new IllegalStateException("Cannot go on: " + range + " misses a region");
      }
      having += expected.size();
      visited += found.size();
      byEnds += Arrays.stream(ends).filter(range::meets).count();
    }

    private int firstFrom(byte[] lower) {
      int low = 0;
      int high = rows.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (Arrays.compareUnsigned(rows[middle].value, lower) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  private void measureWrites(ValueKind kind, MarkdownTable table) {
    RangesWorld.Cost without = null;
    RangesWorld.Cost with = null;
    for (int round = 0; round < 3; round++) { // the last one counts
      without = RangesWorld.writeCost(kind, values, false, new Random(seed));
      with = RangesWorld.writeCost(kind, values, true, new Random(seed));
    }
    table.row(
        kind.words(),
        number(without.nanosPerWrite()),
        number(with.nanosPerWrite()),
        number(without.bytesPerWrite()),
        number(with.bytesPerWrite()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
  }
}
