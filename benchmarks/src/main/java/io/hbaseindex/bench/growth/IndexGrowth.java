/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.growth;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.LogBytes;
import io.hbaseindex.bench.cluster.WriteRun;
import io.hbaseindex.bench.cluster.WriteRun.Speed;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Writes the same rows to tables with more and more indexes, round by round. */
final class IndexGrowth {
  /** One row in this many is written once more by a put of its own. */
  private static final int SINGLE_SHARE = 20;

  /** Values of each index that are asked for when a table has been written. */
  private static final int CHECKED_VALUES = 3;

  /** What the writes of one table came to; bytes are for each row. */
  private record Outcome(
      Speed load, Speed whole, Speed column, Speed single, double logBytes, double fileBytes) {}

  private final BenchCluster cluster;
  private final IndexedConnection indexed;
  private final int regions;
  private final int threads;

  IndexGrowth(BenchCluster cluster, IndexedConnection indexed, int regions, int threads) {
    this.cluster = cluster;
    this.indexed = indexed;
    this.regions = regions;
    this.threads = threads;
  }

  /**
   * Adds the figures of one kind of rows to a table.
   *
   * @param counts of indexes; the base of all ratios is a table without one
   */
  void run(MarkdownTable table, List<Integer> counts, int rows, int bytes, int rounds)
      throws Exception {
    List<Integer> all = new ArrayList<>(List.of(0));
    all.addAll(counts);
    Map<Integer, List<Outcome>> outcomes = new TreeMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (int i = 0; i < all.size(); i++) {
        int count = all.get((i + round) % all.size());
        Outcome outcome = write(new WideRows(rows, bytes), rows, count, bytes + "_" + round);
        System.out.printf(
            "rows of %d bytes, round %d, %d indexes: %s%n", bytes, round, count, outcome);
        if (round > 0) {
          outcomes.computeIfAbsent(count, c -> new ArrayList<>()).add(outcome);
        }
      }
    }
    List<Outcome> base = outcomes.get(0);
    outcomes.forEach(
        (count, some) ->
            table.row(
                "%,d bytes".formatted(bytes),
                count,
                figure(base, some, o -> o.load().perSecond(), "%,.0f/s"),
                figure(base, some, o -> o.load().perCpuSecond(), "%,.0f/s"),
                figure(base, some, o -> o.whole().perSecond(), "%,.0f/s"),
                figure(base, some, o -> o.column().perSecond(), "%,.0f/s"),
                figure(base, some, o -> o.single().perSecond(), "%,.0f/s"),
                figure(base, some, Outcome::logBytes, "%,.0f"),
                figure(base, some, Outcome::fileBytes, "%,.0f")));
  }

  static MarkdownTable header() {
    return new MarkdownTable(
        "rows of",
        "indexes",
        "load",
        "load, by CPU",
        "whole rows again",
        "one indexed column",
        "the same, one by one",
        "log bytes per row",
        "disk bytes per row");
  }

  /** The median ratio to the base of the same round; of the base itself its first value. */
  private static String figure(
      List<Outcome> base, List<Outcome> some, ToDoubleFunction<Outcome> figure, String format) {
    if (base == some) {
      return format.formatted(figure.applyAsDouble(base.get(0)));
    }
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < base.size(); round++) {
      ratios.add(figure.applyAsDouble(some.get(round)) / figure.applyAsDouble(base.get(round)));
    }
    ratios.sort(null);
    return "%.2fx".formatted(ratios.get(ratios.size() / 2));
  }

  private Outcome write(WideRows wide, int rows, int count, String suffix) throws Exception {
    TableName name = TableName.valueOf("growth_" + count + "_" + suffix);
    cluster.create(descriptor(name, count), wide.splitKeys(regions));
    try {
      if (count > 0) {
        Settled.await(cluster, indexed, name);
      }
      Speed load;
      double logged;
      try (LogBytes log = new LogBytes(cluster.regions(name))) {
        load = write(name, rows, WriteRun.BATCH, number -> wide.whole(number, 0));
        logged = (double) log.sum() / rows;
      }
      cluster.flush(name);
      double files = (double) cluster.fileBytes(name) / rows;
      Speed whole = write(name, rows, WriteRun.BATCH, number -> wide.whole(number, 1));
      Speed column = write(name, rows, WriteRun.BATCH, number -> wide.change(number, 1));
      Speed single =
          write(name, rows / SINGLE_SHARE, 1, number -> wide.change(number * SINGLE_SHARE, 2));
      check(name, wide, count);
      return new Outcome(load, whole, column, single, logged, files);
    } finally {
      cluster.drop(name);
    }
  }

  private Speed write(TableName name, int count, int batch, LongFunction<Put> put)
      throws Exception {
    return WriteRun.speed(cluster.connection(), name, threads, count, batch, put);
  }

  private static TableDescriptor descriptor(TableName name, int indexes) {
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(WideRows.FAMILY))
            .build();
    return indexes == 0 ? plain : IndexedTableDescriptor.with(plain, WideRows.indexes(indexes));
  }

  /** Asks each index for a few values; a plain scan of the whole table has to agree. */
  private void check(TableName name, WideRows wide, int indexes) throws IOException {
    Map<String, Set<String>> expected = new HashMap<>();
    int step = Math.max(1, wide.values() / CHECKED_VALUES);
    for (int index = 0; index < indexes; index++) {
      for (int value = 0; value < wide.values(); value += step) {
        expected.put(question(WideRows.qualifier(index), WideRows.value(value)), new HashSet<>());
      }
    }
    try (Table table = cluster.connection().getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().addFamily(WideRows.FAMILY))) {
      for (Result row : scanner) {
        for (int index = 0; index < indexes; index++) {
          byte[] qualifier = WideRows.qualifier(index);
          Set<String> keys =
              expected.get(question(qualifier, row.getValue(WideRows.FAMILY, qualifier)));
          if (keys != null) {
            keys.add(Bytes.toString(row.getRow()));
          }
        }
      }
    }
    ServedScans served = new ServedScans(name);
    try (Table table = indexed.getTable(name)) {
      for (Map.Entry<String, Set<String>> question : expected.entrySet()) {
        requireEqual(question, ask(table, question.getKey()));
      }
    }
    served.requireIndexed(expected.size());
  }

  private static String question(byte[] qualifier, byte[] value) {
    return Bytes.toString(qualifier) + "=" + Bytes.toString(value);
  }

  private static Set<String> ask(Table table, String question) throws IOException {
    String[] parts = question.split("=");
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            WideRows.FAMILY,
            Bytes.toBytes(parts[0]),
            CompareOperator.EQUAL,
            Bytes.toBytes(parts[1]));
    filter.setFilterIfMissing(true);
    Set<String> keys = new HashSet<>();
    try (ResultScanner scanner = table.getScanner(new Scan().setFilter(filter))) {
      scanner.forEach(row -> keys.add(Bytes.toString(row.getRow())));
    }
    return keys;
  }

  private static void requireEqual(Map.Entry<String, Set<String>> question, Set<String> found) {
    if (!found.equals(question.getValue())) {
      throw new IllegalStateException(
          "Cannot trust the measurement: %s found %s, a plain scan %s"
              .formatted(question.getKey(), found, question.getValue()));
    }
  }
}
