/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import io.hbaseindex.client.routing.Routing;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Ten people for each letter, in six regions, with an e-mail address that nobody shares and a city
 * that one of each letter lives in; both are indexed.
 */
final class PeopleTable implements AutoCloseable {
  static final byte[] F = Bytes.toBytes("f");
  static final int REGIONS = 6;

  private final TestCluster cluster;
  private final TableName name;

  private PeopleTable(TestCluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
  }

  static PeopleTable create(TestCluster cluster) throws IOException {
    TableName name = TestTables.uniqueName("people");
    cluster
        .tables()
        .create(
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .setValue(IndexSettings.PUBLISH_ENABLED, "true")
                    .build(),
                IndexDefinition.on("f", "email").named("by_email").eager(),
                IndexDefinition.on("f", "city").named("by_city").eager()),
            List.of("d", "h", "m", "r", "w"));
    PeopleTable table = new PeopleTable(cluster, name);
    table.fill();
    return table;
  }

  private void fill() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (char letter = 'a'; letter <= 'z'; letter++) {
      for (int i = 0; i < 10; i++) {
        puts.add(person("" + letter + i, "" + letter + i + "@example.org", "city" + i));
      }
    }
    try (Table table = cluster.connection().getTable(name)) {
      table.put(puts);
    }
  }

  static Put person(String row, String email, String city) {
    return new Put(Bytes.toBytes(row))
        .addColumn(F, Bytes.toBytes("email"), Bytes.toBytes(email))
        .addColumn(F, Bytes.toBytes("city"), Bytes.toBytes(city));
  }

  static Scan where(String column, String value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            F, Bytes.toBytes(column), CompareOperator.EQUAL, Bytes.toBytes(value));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  TableName name() {
    return name;
  }

  /** The rows that a scan over a connection returns, in the order in which they come. */
  List<String> rows(Connection connection, Scan scan) throws IOException {
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      List<String> rows = new ArrayList<>();
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
      return rows;
    }
  }

  /** Scan requests that all regions of the table have served so far. */
  long regionReads() throws IOException {
    return cluster.regions().of(name).stream()
        .mapToLong(region -> cluster.regions().online(region).getReadRequestsCount())
        .sum();
  }

  /** Waits until the filter of every region is trusted, and the router knows the table. */
  void awaitPrecise(Routing router) throws Exception {
    cluster.tables().awaitPrecise(name);
    int regions = cluster.regions().of(name).size();
    Waits.until("an absent value excludes all regions of " + name)
        .until(
            () -> router.plan(name, where("email", "nobody")).get(),
            plan -> plan.skippedRegions() == regions);
  }

  @Override
  public void close() throws IOException {
    cluster.tables().drop(name);
  }
}
