/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.RoutedReads;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table with an indexed column of unique values and one of few, very uneven ones. Writes go
 * through one client, routed reads through another.
 */
final class ChaosTable implements AutoCloseable {
  static final String UNIQUE = "email";
  static final String SKEWED = "city";

  /** Short, so that a master that hangs costs a reader little; it then reads everything. */
  private static final long ROUTE_TIMEOUT_MILLIS = 1_000;

  /** A region that has given up many times in a row pauses for 64 s. */
  static final Duration PRECISE_LIMIT = Waits.HANG.multipliedBy(3);

  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final TestCluster cluster;
  private final TableName name;
  private final Table writes;
  private final Connection reader;
  private final RoutedReads routed;
  private final Table plain;

  private ChaosTable(TestCluster cluster, TableName name) throws Exception {
    this.cluster = cluster;
    this.name = name;
    this.writes = cluster.connection().getTable(name);
    this.reader = ConnectionFactory.createConnection(cluster.configuration());
    this.routed = new RoutedReads(cluster, name, ROUTE_TIMEOUT_MILLIS);
    this.plain = reader.getTable(name);
  }

  static ChaosTable create(TestCluster cluster, List<String> splits) throws Exception {
    TableName name = TestTables.uniqueName("chaos");
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    cluster
        .tables()
        .create(
            IndexedTableDescriptor.with(
                table,
                IndexDefinition.on("f", UNIQUE).named("by_email").eager(),
                IndexDefinition.on("f", SKEWED).named("by_city").eager()),
            splits);
    return new ChaosTable(cluster, name);
  }

  TableName name() {
    return name;
  }

  void put(String row, String email, String city) throws IOException {
    writes.put(
        new Put(Bytes.toBytes(row))
            .addColumn(FAMILY, Bytes.toBytes(UNIQUE), Bytes.toBytes(email))
            .addColumn(FAMILY, Bytes.toBytes(SKEWED), Bytes.toBytes(city)));
  }

  void delete(String row) throws IOException {
    writes.delete(new Delete(Bytes.toBytes(row)));
  }

  /** What the master says about a value; empty if it does not answer. */
  Optional<RoutePlan> route(String column, String value) throws IOException {
    return routed.route(where(column, value));
  }

  /** The rows with the value, found through routing. */
  Set<String> find(String column, String value) throws IOException {
    try (ResultScanner scanner = routed.scan(where(column, value))) {
      return rows(scanner);
    }
  }

  /** Whether the row has the value, found through routing. */
  boolean has(String row, String column, String value) throws IOException {
    Scan scan = where(column, value).withStartRow(Bytes.toBytes(row));
    try (ResultScanner scanner = routed.scan(scan.withStopRow(Bytes.toBytes(row), true))) {
      return !rows(scanner).isEmpty();
    }
  }

  /** The rows with the value, found by visiting every region. */
  Set<String> findEverywhere(String column, String value) throws IOException {
    try (ResultScanner scanner = plain.getScanner(where(column, value))) {
      return rows(scanner);
    }
  }

  private static Set<String> rows(ResultScanner scanner) {
    Set<String> rows = new TreeSet<>();
    scanner.forEach((Result result) -> rows.add(Bytes.toString(result.getRow())));
    return rows;
  }

  private static Scan where(String column, String value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            FAMILY, Bytes.toBytes(column), CompareOperator.EQUAL, Bytes.toBytes(value));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  List<RegionInfo> regions() throws IOException {
    return cluster.regions().of(name);
  }

  /** Regions that came from a split or a merge may be hidden from clients for minutes. */
  void forgetLocations() {
    reader.clearRegionLocationCache();
  }

  /** Waits until the master trusts the filter of every region. */
  void awaitPrecise() throws Exception {
    cluster.tables().awaitPrecise(name);
  }

  @Override
  public void close() throws IOException {
    plain.close();
    routed.close();
    reader.close();
    writes.close();
    cluster.tables().drop(name);
  }
}
