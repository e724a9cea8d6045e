/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import io.hbaseindex.client.routing.RoutedTable;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexedTable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table with an indexed column of unique values and one of few, very uneven ones. Writes go
 * through one client, routed reads through another.
 */
final class ChaosTable extends TestTable {
  static final String UNIQUE = "email";
  static final String SKEWED = "city";

  /** Short, so that a master that hangs costs a reader little; it then reads everything. */
  private static final long ROUTE_TIMEOUT_MILLIS = 1_000;

  /** A region that has given up many times in a row pauses for 64 s. */
  static final Duration PRECISE_LIMIT = Waits.HANG.multipliedBy(3);

  private final Connection reader;
  private final AsyncConnection master;
  private final RoutedTable routed;
  private final Table plain;

  private ChaosTable(TestCluster cluster, TableDescriptor descriptor, String... splits)
      throws Exception {
    super(cluster, descriptor, splits);
    this.reader = ConnectionFactory.createConnection(cluster.configuration());
    this.master = ConnectionFactory.createAsyncConnection(cluster.configuration()).get();
    this.routed = new RoutedTable(reader, master, name(), ROUTE_TIMEOUT_MILLIS);
    this.plain = reader.getTable(name());
  }

  static ChaosTable create(TestCluster cluster, List<String> splits) throws Exception {
    return new ChaosTable(
        cluster,
        IndexedTable.describe(TestTables.uniqueName("chaos")),
        splits.toArray(String[]::new));
  }

  void put(String row, String email, String city) throws IOException {
    table().put(IndexedTable.person(row, email, city));
  }

  void delete(String row) throws IOException {
    table().delete(new Delete(Bytes.toBytes(row)));
  }

  /** What the master says about a value; empty if it does not answer. */
  Optional<RouteAnswer> route(String column, String value) throws IOException {
    return routed.route(where(column, value));
  }

  /** The rows with the value, found through routing. */
  Set<String> find(String column, String value) throws IOException {
    try (ResultScanner scanner = routed.scan(where(column, value))) {
      return keys(scanner);
    }
  }

  /** Whether the row has the value, found through routing. */
  boolean has(String row, String column, String value) throws IOException {
    Scan scan = where(column, value).withStartRow(Bytes.toBytes(row));
    try (ResultScanner scanner = routed.scan(scan.withStopRow(Bytes.toBytes(row), true))) {
      return !keys(scanner).isEmpty();
    }
  }

  /** The rows with the value, found by visiting every region. */
  Set<String> findEverywhere(String column, String value) throws IOException {
    try (ResultScanner scanner = plain.getScanner(where(column, value))) {
      return keys(scanner);
    }
  }

  private static Set<String> keys(ResultScanner scanner) {
    return new TreeSet<>(rowsOf(scanner));
  }

  /** Regions that came from a split or a merge may be hidden from clients for minutes. */
  void forgetLocations() {
    reader.clearRegionLocationCache();
  }

  /** Waits until the master trusts the filter of every region. */
  void awaitPrecise() throws Exception {
    cluster().tables().awaitPrecise(name());
  }

  @Override
  public void close() throws IOException {
    plain.close();
    routed.close();
    master.close();
    reader.close();
    super.close();
  }
}
