/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import io.hbaseindex.it.scan.Filters;
import io.hbaseindex.it.scan.RandomFilters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Draws the rows of a table and scans of every shape over it. Most values live in one region or
 * two, so that routes have something to leave out.
 */
final class RandomScans {
  static final int ROWS = 360;
  static final int REGIONS = 8;

  /**
   * The family {@code f} keeps one version, {@code g} three; {@code f:d} is but the first column of
   * an index of three, and {@code f:e} has a partial one of rows whose {@code f:h} allows it.
   */
  static final List<String> COLUMNS = List.of("f:a", "f:b", "f:d", "g:c");

  private static final List<String> WRITTEN = List.of("f:a", "f:b", "f:d", "g:c", "f:e", "f:h");

  private static final int VALUES = 48;
  private static final int TIMES = 12;

  private final Random random;
  private final List<byte[]> values =
      IntStream.range(0, VALUES).mapToObj(i -> Bytes.toBytes("v%02d".formatted(i))).toList();

  RandomScans(Random random) {
    this.random = random;
  }

  static byte[] row(int number) {
    return Bytes.toBytes("r%03d".formatted(number));
  }

  /** Some writes: mostly puts, some deletes. */
  List<Row> writes(int count) {
    List<Row> writes = new ArrayList<>();
    while (writes.size() < count) {
      int number = random.nextInt(ROWS);
      if (random.nextInt(10) == 0) {
        writes.add(delete(row(number)));
        continue;
      }
      Put put = new Put(row(number));
      for (String column : WRITTEN) {
        if (random.nextInt(3) > 0) {
          put.addColumn(
              Filters.family(column),
              Filters.qualifier(column),
              1 + random.nextInt(TIMES),
              valueFor(number));
        }
      }
      if (!put.isEmpty()) {
        writes.add(put);
      }
    }
    return writes;
  }

  /** Values are shared by neighbouring rows, and one in ten turns up anywhere. */
  private byte[] valueFor(int row) {
    int home = row * VALUES / ROWS;
    int number = random.nextInt(10) == 0 ? random.nextInt(VALUES) : home + random.nextInt(4);
    return values.get(number % VALUES);
  }

  private Delete delete(byte[] row) {
    String column = COLUMNS.get(random.nextInt(COLUMNS.size()));
    Delete delete = new Delete(row);
    return switch (random.nextInt(3)) {
      case 0 -> delete;
      case 1 -> delete.addFamily(Filters.family(column));
      default -> delete.addColumns(Filters.family(column), Filters.qualifier(column));
    };
  }

  /** A scan of any shape. */
  Scan scan() throws IOException {
    Scan scan = new Scan();
    if (random.nextInt(20) > 0) {
      scan.setFilter(filter());
    }
    bounds(scan);
    sizes(scan);
    history(scan);
    way(scan);
    for (String column : COLUMNS) {
      if (random.nextInt(8) == 0) {
        scan.addColumn(Filters.family(column), Filters.qualifier(column));
      }
    }
    return scan;
  }

  private Filter filter() {
    RandomFilters any = new RandomFilters(random, COLUMNS, values, ROWS);
    return switch (random.nextInt(10)) {
      case 9 -> partial();
      case 6 -> Filters.all(equality(), equality());
      case 7 -> Filters.all(equality(), equality(), equality());
      case 8 -> Filters.all(Filters.any(equality(), equality()), equality());
      case 0, 1 -> equality();
      case 2 -> Filters.all(equality(), any.filter());
      case 3 -> new FilterList(FilterList.Operator.MUST_PASS_ONE, equality(), equality());
      default -> any.filter();
    };
  }

  /** On the column of a partial index, for rows that it has, or for others as well. */
  private Filter partial() {
    Filter e = Filters.is("f:e", "v%02d".formatted(random.nextInt(VALUES)));
    String value = "v%02d".formatted(random.nextInt(VALUES));
    return switch (random.nextInt(4)) {
      case 0 -> e;
      case 1 -> Filters.all(Filters.is("f:h", value), e);
      default -> Filters.all(e, Filters.compare("f:h", CompareOperator.LESS, value));
    };
  }

  private Filter equality() {
    String column = COLUMNS.get(random.nextInt(COLUMNS.size()));
    String value =
        random.nextInt(5) == 0
            ? "absent" + random.nextInt(1000)
            : "v%02d".formatted(random.nextInt(VALUES));
    return random.nextInt(4) == 0
        ? Filters.cell(column, CompareOperator.EQUAL, value)
        : Filters.is(column, value);
  }

  private void bounds(Scan scan) {
    if (random.nextInt(3) == 0) {
      scan.withStartRow(row(random.nextInt(ROWS)), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      scan.withStopRow(row(random.nextInt(ROWS)), random.nextBoolean());
    }
    // The first rows of regions, where parts of scans meet.
    if (random.nextInt(6) == 0) {
      scan.withStartRow(row(boundary()), random.nextBoolean());
    }
    if (random.nextInt(6) == 0) {
      scan.withStopRow(row(boundary()), random.nextBoolean());
    }
  }

  private int boundary() {
    return ROWS * (1 + random.nextInt(REGIONS - 1)) / REGIONS;
  }

  private void sizes(Scan scan) {
    // Few results per call: a call per row is what makes this test slow.
    if (random.nextInt(6) == 0) {
      scan.setCaching(1 + random.nextInt(5));
    }
    switch (random.nextInt(8)) {
      case 0, 1 -> scan.setLimit(1 + random.nextInt(10));
      case 2 -> scan.setOneRowLimit();
      default -> {
        // HBase's clients trip over assertions of their own where a limit meets rows in parts, see
        // LimitedRowsFactTest in the client.
        if (random.nextInt(6) == 0) {
          scan.setMaxResultSize(1 + random.nextInt(400));
        }
        if (random.nextInt(3) == 0 && !(scan.hasFilter() && scan.getFilter().hasFilterRow())) {
          scan.setBatch(1 + random.nextInt(3));
        }
        if (random.nextInt(6) == 0) {
          scan.setAllowPartialResults(true);
        }
      }
    }
  }

  private void history(Scan scan) throws IOException {
    if (random.nextInt(4) == 0) {
      scan.readVersions(1 + random.nextInt(4));
    }
    switch (random.nextInt(12)) {
      case 0 -> scan.setTimeRange(1 + random.nextInt(TIMES), Long.MAX_VALUE);
      case 1 -> scan.setTimeRange(0, 1 + random.nextInt(TIMES));
      case 2 -> scan.setTimestamp(1 + random.nextInt(TIMES));
      case 3 -> {
        if (scan.getFamilyMap().isEmpty()) {
          scan.setRaw(true);
        }
      }
      case 4 -> scan.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
      default -> {}
    }
  }

  private void way(Scan scan) {
    if (random.nextInt(10) == 0 && scan.getStartRow().length + scan.getStopRow().length == 0) {
      scan.setReversed(true);
    }
    if (random.nextInt(6) == 0) {
      scan.setLoadColumnFamiliesOnDemand(random.nextBoolean());
    }
    if (random.nextInt(8) == 0) {
      scan.setNeedCursorResult(true);
    }
    // HBase's own scanner that prefetches ends with a NullPointerException when a cursor comes.
    if (random.nextInt(8) == 0 && !scan.isNeedCursorResult()) {
      scan.setAsyncPrefetch(true);
    }
    if (random.nextInt(8) == 0) {
      scan.setConsistency(Consistency.TIMELINE);
    }
    if (random.nextInt(8) == 0) {
      scan.setReadType(Scan.ReadType.PREAD);
    }
    if (random.nextInt(8) == 0) {
      scan.setScanMetricsEnabled(true);
    }
  }
}
