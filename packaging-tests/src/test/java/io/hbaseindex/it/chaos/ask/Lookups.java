/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.ask;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.core.definition.IndexSettings;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** The connections that read, one for each way of asking. */
public final class Lookups implements AutoCloseable {
  /** A bounded read may miss what is younger than this. */
  public static final long STALENESS_MILLIS = 3_000;

  /** After this an asynchronous scan has stalled; HBase's own limits are far below. */
  private static final long STALL_SECONDS = 180;

  private final Configuration conf;
  private final Connection plain;
  private final RoutingPair old;
  private final ExecutorService consumers = Executors.newCachedThreadPool();
  private final AtomicInteger turn = new AtomicInteger();
  private final Map<String, Long> closed = new TreeMap<>();
  private volatile RoutingPair young;

  /**
   * Opens them all.
   *
   * @param staleness how old the filters may be that strong reads are routed by; 0 but for
   *     saboteurs
   */
  public Lookups(Configuration conf, long staleness) throws Exception {
    this.conf = conf;
    conf.setLong(RoutingSettings.STALENESS_MS, staleness);
    this.plain = ConnectionFactory.createConnection(conf);
    this.old = RoutingPair.open(conf);
    this.young = openYoung();
  }

  /** Those that come and go read by a guess while they ask for their route. */
  private RoutingPair openYoung() throws Exception {
    Configuration guessing = new Configuration(conf);
    guessing.setLong(RoutingSettings.GUESS_MS, STALENESS_MILLIS);
    return RoutingPair.open(guessing);
  }

  /**
   * The connection whose scans ask the master and that has lived through everything; there is
   * another, which is replaced now and then, as clients come and go.
   */
  public IndexedConnection routed() {
    return old.connection();
  }

  /** Replaces the younger connections; nobody may be reading. */
  public void renew() throws Exception {
    young.counters().forEach((name, value) -> closed.merge(name, value, Long::sum));
    young.close();
    young = openYoung();
  }

  private RoutingPair any() {
    return turn.incrementAndGet() % 2 == 0 ? old : young;
  }

  /** The rows that the question asks for, each with the cells that were read of it. */
  public Map<String, String> find(Way way, Question question) throws IOException {
    return rows(way, question.scan(way));
  }

  /** The same among the cells of one row. */
  public Map<String, String> findIn(String row, Way way, Question question) throws IOException {
    byte[] key = Bytes.toBytes(row);
    return rows(way, question.scan(way).withStartRow(key).withStopRow(key, true));
  }

  private Map<String, String> rows(Way way, Scan scan) throws IOException {
    switch (way) {
      case ASYNC:
        return asynchronously(scan);
      case BOUNDED:
        scan.setAttribute(RoutingSettings.STALENESS_MS, Bytes.toBytes("" + STALENESS_MILLIS));
        return rows(any().connection(), scan);
      case PLAIN:
        scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));
        return rows(plain, scan);
      case UNROUTED:
        return rows(plain, scan);
      default:
        return rows(any().connection(), scan);
    }
  }

  private static Map<String, String> rows(Connection connection, Scan scan) throws IOException {
    try (Table table = connection.getTable(TargetTable.NAME);
        ResultScanner results = table.getScanner(scan)) {
      return cells(results);
    }
  }

  private static Map<String, String> cells(Iterable<Result> results) {
    Map<String, String> rows = new TreeMap<>();
    for (Result result : results) {
      rows.put(Bytes.toString(result.getRow()), TargetTable.cells(result));
    }
    return rows;
  }

  private Map<String, String> asynchronously(Scan scan) throws IOException {
    AsyncTable<ScanResultConsumer> table = any().async().getTable(TargetTable.NAME, consumers);
    try {
      return cells(table.scanAll(scan).get(STALL_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new StalledException(
          "Cannot wait longer for an asynchronous scan: none came after " + STALL_SECONDS + " s",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** An answer that never came. */
  public static final class StalledException extends IOException {
    private static final long serialVersionUID = 1L;

    StalledException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The row as HBase itself has it. */
  public Result get(String row) throws IOException {
    try (Table table = plain.getTable(TargetTable.NAME)) {
      return table.get(new Get(Bytes.toBytes(row)));
    }
  }

  /** Every row, by a scan that uses no index. */
  public Map<String, Result> everything() throws IOException {
    Map<String, Result> rows = new TreeMap<>();
    Scan scan = new Scan().setCaching(2_000);
    scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));
    try (Table table = plain.getTable(TargetTable.NAME);
        ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        rows.put(Bytes.toString(result.getRow()), result);
      }
    }
    return rows;
  }

  /** What all connections that route have counted. */
  public Map<String, Long> counters() {
    Map<String, Long> counters = new TreeMap<>(closed);
    old.counters().forEach((name, value) -> counters.merge(name, value, Long::sum));
    young.counters().forEach((name, value) -> counters.merge(name, value, Long::sum));
    return counters;
  }

  @Override
  public void close() throws IOException {
    consumers.shutdown();
    young.close();
    old.close();
    plain.close();
  }
}
