/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.answers;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.ClusterReport;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.CreateOptions;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.TimeBucket;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.coprocessor.AggregationClient;
import org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter;
import org.apache.hadoop.hbase.coprocessor.AggregateImplementation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counts a fifth of a table, also by day, and asks for its first rows in an order. */
@Command(
    name = "answers",
    description = "Counts rows and asks for the first in an order: by indexes, and without.")
public final class AnswersCommand implements Callable<Integer> {
  private static final int BATCH = 1_000;
  private static final int WRITERS = 4;
  private static final int FIRST = 10;
  private static final int FLUSHES = 7;
  private static final Duration READY = Duration.ofMinutes(3);

  @Option(names = "--rows", defaultValue = "1000000", description = "Rows; ${DEFAULT-VALUE}.")
  private long rows;

  @Option(
      names = "--regions",
      defaultValue = "12,120",
      split = ",",
      description = "Regions of each table; the first one is counted. ${DEFAULT-VALUE}.")
  private List<Integer> regions;

  @Option(names = "--servers", defaultValue = "3", description = "Servers; ${DEFAULT-VALUE}.")
  private int servers;

  @Option(
      names = "--questions",
      defaultValue = "40",
      description = "How often indexes are asked; plain ways 3 times. ${DEFAULT-VALUE}.")
  private int questions;

  @Mixin private ClusterReport report;

  private interface Question<T> {
    T ask() throws Exception;
  }

  /** The median of the time that an answer takes, which is the same each time. */
  private record Timed<T>(T answer, double millis) {
    static <T> Timed<T> of(int times, Question<T> question) throws Exception {
      return of(times, () -> null, question);
    }

    /**
     * @param before done each time before the question, and not timed
     */
    static <T> Timed<T> of(int times, Question<Void> before, Question<T> question)
        throws Exception {
      before.ask();
      T answer = question.ask();
      double[] millis = new double[times];
      for (int i = 0; i < times; i++) {
        before.ask();
        long began = System.nanoTime();
        T again = question.ask();
        millis[i] = (System.nanoTime() - began) / 1e6;
        if (!answer.equals(again)) {
          throw new IllegalStateException("The answer was %s, then %s".formatted(answer, again));
        }
      }
      Arrays.sort(millis);
      return new Timed<>(answer, millis[times / 2]);
    }
  }

  @Override
  public Integer call() throws Exception {
    MarkdownTable counts = new MarkdownTable("question", "way", "ms", "times faster");
    MarkdownTable firsts = new MarkdownTable("first %d by amount of".formatted(FIRST), "ms");
    try (BenchCluster cluster =
            BenchCluster.startRouting(
                servers,
                Map.of(
                    "hbase.coprocessor.user.region.classes",
                    AggregateImplementation.class.getName()));
        IndexedConnection indexed =
            IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()))) {
      for (int count : regions) {
        TableName name = TableName.valueOf("orders_" + count);
        load(cluster, name, count);
        if (count == regions.get(0)) {
          count(cluster, indexed, name, counts);
        }
        firsts(indexed, name, count, firsts);
        cluster.drop(name);
      }
    }
    report.publish("answers", counts + "\n" + firsts + "\n" + note());
    return 0;
  }

  private void load(BenchCluster cluster, TableName name, int count) throws Exception {
    OrderRows orders = new OrderRows(rows);
    long began = System.nanoTime();
    cluster.create(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(OrderRows.FAMILY))
            .build(),
        orders.splitKeys(count));
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> loads = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        long from = rows * writer / WRITERS;
        long to = rows * (writer + 1) / WRITERS;
        loads.add(writers.submit(() -> load(cluster.connection(), name, orders, from, to)));
      }
      for (Future<?> one : loads) {
        one.get();
      }
    } finally {
      writers.shutdownNow();
    }
    cluster.flush(name);
    System.out.printf("%s: loaded after %.0f s%n", name, (System.nanoTime() - began) / 1e9);
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    admin.create(
        name,
        List.of(
            IndexDefinition.on("f", "status").withTimes().named("by_status").eager(),
            IndexDefinition.on("f", "amount").as(ValueType.LONG).named("by_amount").eager()),
        CreateOptions.defaults());
    admin.awaitReady(name, READY, Progress.NONE);
    cluster.flush(name);
    System.out.printf(
        "%s: %,d rows indexed after %.0f s%n", name, rows, (System.nanoTime() - began) / 1e9);
  }

  private static Void load(
      Connection connection, TableName name, OrderRows orders, long from, long to)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (long number = from; number < to; number++) {
        puts.add(orders.put(number));
        if (puts.size() == BATCH || number == to - 1) {
          table.put(puts);
          puts.clear();
        }
      }
    }
    return null;
  }

  private void count(
      BenchCluster cluster, IndexedConnection indexed, TableName name, MarkdownTable table)
      throws Exception {
    IndexQuery open = IndexQuery.from(name).where(OrderRows.STATUS.equalTo(OrderRows.OPEN));
    QueryClient client = QueryClient.of(indexed);
    Timed<Long> plain = Timed.of(3, () -> rowsOf(cluster.connection(), name, plain(open, true)));
    Timed<Long> aggregated = Timed.of(3, () -> aggregate(cluster, name, plain(open, false)));
    Timed<Long> counted =
        Timed.of(
            FLUSHES,
            () -> {
              writeAgain(cluster, name);
              cluster.flush(name);
              return null;
            },
            () -> client.count(open));
    Timed<Long> again = Timed.of(questions, () -> client.count(open));
    Timed<Long> written =
        Timed.of(questions, () -> writeAgain(cluster, name), () -> client.count(open));
    requireSame(new OrderRows(rows).open(), plain.answer(), aggregated.answer(), counted.answer());
    requireSame(plain.answer(), again.answer(), written.answer());
    String question = "how many are open: %,d".formatted(counted.answer());
    add(table, question, "plain scan", plain, plain);
    add(table, question, "AggregationClient", aggregated, plain);
    add(table, question, "hbase-index, for the first time since a flush", counted, plain);
    add(table, question, "hbase-index, again", again, plain);
    add(
        table,
        question,
        "hbase-index, after a write to an open order of each region",
        written,
        plain);

    CountedTimes march = CountedTimes.between(TimeBucket.DAY, OrderRows.MARCH, OrderRows.APRIL);
    Timed<Map<Instant, Long>> read =
        Timed.of(3, () -> daysOf(cluster.connection(), name, plain(open, true)));
    Timed<Map<Instant, Long>> byDay =
        Timed.of(questions, () -> client.countByTime(open, OrderRows.STATUS, march));
    requireSame(read.answer(), byDay.answer());
    question = "how many are open, by day: %d days".formatted(byDay.answer().size());
    add(table, question, "plain scan", read, read);
    add(table, question, "hbase-index", byDay, read);
  }

  /** Writes an open order of each region again, as it is. */
  private Void writeAgain(BenchCluster cluster, TableName name) throws IOException {
    OrderRows orders = new OrderRows(rows);
    List<Put> puts = new ArrayList<>();
    for (long region = 0; region < regions.get(0); region++) {
      puts.add(
          orders
              .put(orders.openFrom(rows * region / regions.get(0)))
              .setDurability(Durability.USE_DEFAULT));
    }
    try (Table table = cluster.connection().getTable(name)) {
      table.put(puts);
    }
    return null;
  }

  private static void requireSame(Object first, Object... others) {
    for (Object other : others) {
      if (!first.equals(other)) {
        throw new IllegalStateException("Answers were %s and %s".formatted(first, other));
      }
    }
  }

  private static <T> void add(
      MarkdownTable table, String question, String way, Timed<T> timed, Timed<T> plain) {
    table.row(
        question,
        way,
        "%.1f".formatted(timed.millis()),
        "%.1f".formatted(plain.millis() / timed.millis()));
  }

  /** The scan of a query as HBase answers it by itself, reading as little as it can. */
  private static Scan plain(IndexQuery query, boolean large) {
    Scan scan = query.select(OrderRows.STATUS).toScan();
    scan.setAttribute(IndexSettings.SCAN_USE_INDEX, new byte[] {'f', 'a', 'l', 's', 'e'});
    return large ? scan.setCaching(10_000) : scan;
  }

  private static long rowsOf(Connection connection, TableName name, Scan scan) throws IOException {
    long found = 0;
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        found++;
      }
    }
    return found;
  }

  private static Map<Instant, Long> daysOf(Connection connection, TableName name, Scan scan)
      throws IOException {
    Map<Instant, Long> days = new TreeMap<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        Cell cell = result.rawCells()[0];
        Instant time = Instant.ofEpochMilli(cell.getTimestamp());
        days.merge(time.truncatedTo(ChronoUnit.DAYS), 1L, Long::sum);
      }
    }
    return days;
  }

  private static long aggregate(BenchCluster cluster, TableName name, Scan scan) throws Exception {
    try (AggregationClient client = new AggregationClient(cluster.configuration())) {
      return client.rowCount(name, new LongColumnInterpreter(), scan);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private void firsts(IndexedConnection indexed, TableName name, int count, MarkdownTable table)
      throws Exception {
    QueryClient client = QueryClient.of(indexed);
    IndexQuery first =
        IndexQuery.from(name)
            .where(OrderRows.AMOUNT.isPresent())
            .orderBy(OrderRows.AMOUNT)
            .descending()
            .limit(FIRST);
    Timed<List<String>> timed =
        Timed.of(
            questions,
            () -> {
              try (FoundRows found = client.rows(first)) {
                return found.stream().map(row -> row.keyText()).toList();
              }
            });
    table.row("%,d rows in %d regions".formatted(rows, count), "%.1f".formatted(timed.millis()));
  }

  private String note() {
    return "%,d rows of five columns, %d servers in one process, %d processors, one asker, medians; the counts are of the table of %d regions. The plain scan reads the column of the condition alone, by 10,000 rows a call; AggregationClient counts in the regions, in parallel. All figures of one run."
        .formatted(rows, servers, Runtime.getRuntime().availableProcessors(), regions.get(0));
  }
}
