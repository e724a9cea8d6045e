/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RoutingStatus;
import io.hbaseindex.client.routing.plan.RoutePlanner;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of several regions whose column {@code f:email} is indexed and published. */
final class PublishedTable implements AutoCloseable {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] EMAIL = Bytes.toBytes("email");

  private final TestCluster cluster;
  private final TableName name;

  private PublishedTable(TestCluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
  }

  /** Makes a table split at the given keys, with rows {@code a0}, {@code a1} to {@code z9}. */
  static PublishedTable create(TestCluster cluster, String... splits) throws Exception {
    TableName name = TestTables.uniqueName("published");
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
            .setValue(IndexSettings.PUBLISH_ENABLED, "true")
            .build();
    IndexDefinition byEmail = IndexDefinition.on("f", "email").named("by_email").eager();
    cluster.tables().create(IndexedTableDescriptor.with(plain, byEmail), List.of(splits));
    PublishedTable table = new PublishedTable(cluster, name);
    table.fill();
    return table;
  }

  private void fill() throws IOException {
    for (char letter = 'a'; letter <= 'z'; letter++) {
      for (int i = 0; i < 10; i++) {
        put("" + letter + i);
      }
    }
  }

  TableName name() {
    return name;
  }

  /** Writes a row whose e-mail address is its key at example.org. */
  void put(String row) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      table.put(
          new Put(Bytes.toBytes(row)).addColumn(F, EMAIL, Bytes.toBytes(row + "@example.org")));
    }
  }

  /** A scan for the rows with an e-mail address. */
  static Scan byEmail(String email) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, EMAIL, CompareOperator.EQUAL, Bytes.toBytes(email));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  /** What filters are asked for an e-mail address. */
  RoutePredicate predicate(String email) throws IOException {
    TableDescriptor descriptor = cluster.admin().getDescriptor(name);
    ScanVerdict.Eligible eligible =
        (ScanVerdict.Eligible) ScanReader.of(descriptor).read(byEmail(email));
    return new RoutePlanner(IndexedTableDescriptor.indexesOf(descriptor))
        .plan(eligible.predicate())
        .orElseThrow();
  }

  /** Waits until every region's filter is trusted, and returns how the filters stand then. */
  RoutingStatus awaitPrecise() throws Exception {
    cluster.tables().awaitPrecise(name);
    return IndexAdmin.of(cluster.connection()).routing(name);
  }

  @Override
  public void close() throws IOException {
    cluster.tables().drop(name);
  }
}
