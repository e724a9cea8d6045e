/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RoutingStatus;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/**
 * A table of rows with one indexed column of unique values and nothing else: as many postings and
 * distinct values as rows.
 */
public final class RoutedValues implements AutoCloseable {
  private static final byte[] FAMILY = CustomerRows.FAMILY;
  private static final byte[] COLUMN = CustomerRows.EMAIL;
  private static final int BATCH = 2_000;
  private static final long ROUTE_TIMEOUT_MILLIS = 10_000;
  private static final long PRECISE_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final BenchCluster cluster;
  private final TableName name;
  private final int regions;
  private final IndexedConnection routed;

  private RoutedValues(BenchCluster cluster, TableName name, int regions) throws Exception {
    this.cluster = cluster;
    this.name = name;
    this.regions = regions;
    Configuration conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, ROUTE_TIMEOUT_MILLIS);
    this.routed = IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
  }

  /** Creates the table, of so many regions that share the rows evenly. */
  public static RoutedValues create(BenchCluster cluster, String name, int rows, int regions)
      throws Exception {
    TableName table = TableName.valueOf(name);
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = key((long) rows * i / regions);
    }
    cluster.create(
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            IndexDefinition.on(FAMILY, COLUMN).named("by_email").eager()),
        splits);
    return new RoutedValues(cluster, table, regions);
  }

  /** The table. */
  public TableName name() {
    return name;
  }

  /** Writes a row for each number, each with a value of its own. */
  public void load(int rows, int threads) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(threads);
    try {
      AtomicLong next = new AtomicLong();
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        running.add(writers.submit(() -> writeBatches(next, rows)));
      }
      for (Future<?> writer : running) {
        writer.get();
      }
    } finally {
      writers.shutdownNow();
    }
  }

  private Void writeBatches(AtomicLong next, int rows) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      for (long from = next.getAndAdd(BATCH); from < rows; from = next.getAndAdd(BATCH)) {
        List<Put> puts = new ArrayList<>(BATCH);
        for (long number = from; number < Math.min(from + BATCH, rows); number++) {
          puts.add(new Put(key(number)).addColumn(FAMILY, COLUMN, value(number)));
        }
        table.put(puts);
      }
    }
    return null;
  }

  /** One put after another. */
  void putOneByOne(int from, int count) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      for (int number = from; number < from + count; number++) {
        table.put(new Put(key(number)).addColumn(FAMILY, COLUMN, value(number)));
      }
    }
  }

  /** Reads a row by its key. */
  public static void get(Table table, long number) throws IOException {
    if (table.get(new Get(key(number))).isEmpty()) {
      throw new IllegalStateException(
          "Cannot trust the measurement: row %d is gone".formatted(number));
    }
  }

  /** Puts a further row with a value that nobody has, into the region of a row. */
  public void putBeside(Table table, long number, long suffix) throws IOException {
    byte[] row = ("r%09dx%d".formatted(number, suffix)).getBytes(StandardCharsets.US_ASCII);
    byte[] value = ("new%d@mail.example".formatted(suffix)).getBytes(StandardCharsets.US_ASCII);
    table.put(new Put(row).addColumn(FAMILY, COLUMN, value));
  }

  /** The connection whose scans are routed. */
  public IndexedConnection routed() {
    return routed;
  }

  /** Returns when the master trusts the filter of every region, and fails after minutes. */
  public void awaitPrecise() throws IOException, InterruptedException {
    IndexAdmin.of(cluster.connection())
        .awaitReady(name, Duration.ofNanos(PRECISE_LIMIT_NANOS), Progress.NONE);
    long began = System.nanoTime();
    while (!isPrecise()) {
      if (System.nanoTime() - began > PRECISE_LIMIT_NANOS) {
        throw new IOException("Cannot go on: regions of " + name + " do not become precise");
      }
      Thread.sleep(5);
    }
  }

  /** Whether the master trusts the filter of every region. */
  public boolean isPrecise() {
    return plan(-1).skippedRegions() == regions;
  }

  /** Asks the master for the route of a value. */
  void route(long number) throws IOException {
    if (!plan(number).isRouted()) {
      throw new IOException("Cannot measure routes: the master did not answer");
    }
  }

  private RoutePlan plan(long number) {
    return routed.routing().plan(name, where(number)).join();
  }

  RoutingStatus status() throws IOException {
    return IndexAdmin.of(cluster.connection()).routing(name);
  }

  /** Asks for the rows with the value of a row; nobody has that of a negative number. */
  public static Scan where(long number) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(FAMILY, COLUMN, CompareOperator.EQUAL, value(number));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  private static byte[] key(long number) {
    return "r%09d".formatted(number).getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] value(long number) {
    return "user%09d@mail.example".formatted(number).getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    routed.close();
    cluster.drop(name);
  }
}
