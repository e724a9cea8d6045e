/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RegionFilterState;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.it.cluster.RoutedReads;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of several regions whose e-mail column is indexed and whose filters are published. */
final class RoutingTable extends TestTable {
  private static final byte[] EMAIL = Bytes.toBytes("email");
  private static final long ROUTE_TIMEOUT_MILLIS = 10_000;

  private final RoutedReads routed;

  private RoutingTable(TestCluster cluster, TableDescriptor descriptor, String... splits)
      throws Exception {
    super(cluster, descriptor, splits);
    this.routed = new RoutedReads(cluster, name(), ROUTE_TIMEOUT_MILLIS);
  }

  static RoutingTable create(TestCluster cluster, String... splits) throws Exception {
    return create(cluster, FilterGeometry.DEFAULT_ERROR, splits);
  }

  /** A table whose filters may err this often. */
  static RoutingTable create(TestCluster cluster, double error, String... splits) throws Exception {
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(TestTables.uniqueName("routing"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue(IndexSettings.FILTER_ERROR, Double.toString(error))
            .build();
    return new RoutingTable(cluster, IndexedTableDescriptor.with(plain, byEmail().eager()), splits);
  }

  /** A table whose index is lazy. */
  static RoutingTable createLazy(TestCluster cluster) throws Exception {
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(TestTables.uniqueName("routing_lazy"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build();
    return new RoutingTable(cluster, IndexedTableDescriptor.with(plain, byEmail().lazy()));
  }

  private static IndexDefinition.Builder byEmail() {
    return IndexDefinition.on("f", "email").named("by_email");
  }

  void put(String row, String email) throws IOException {
    table().put(new Put(Bytes.toBytes(row)).addColumn(F, EMAIL, Bytes.toBytes(email)));
  }

  /** A row for each value, in batches. */
  void putAll(Map<String, String> emails) throws IOException {
    List<Put> puts = new ArrayList<>();
    emails.forEach(
        (row, email) ->
            puts.add(new Put(Bytes.toBytes(row)).addColumn(F, EMAIL, Bytes.toBytes(email))));
    table().put(puts);
  }

  /** What the master knows of the regions. */
  List<RegionFilterState> views() throws IOException {
    return IndexAdmin.of(cluster().connection()).routing(name()).regions();
  }

  void delete(String row) throws IOException {
    table().delete(new Delete(Bytes.toBytes(row)));
  }

  /** Where the master says that rows with the value may be; the master must answer. */
  RoutePlan route(String email) throws IOException {
    return routed
        .route(byEmail(email))
        .orElseThrow(() -> new IOException("the master did not answer"));
  }

  /** As {@link #route}, at a moment when the filters of all regions could be asked. */
  RoutePlan preciseRoute(String email) {
    return Waits.until("a precise route").until(() -> route(email), RoutePlan::isPrecise);
  }

  /** The rows with the value, found through routing. */
  List<String> find(String email) throws IOException {
    return scan(byEmail(email));
  }

  /** The rows of a scan that is routed. */
  List<String> scan(Scan scan) throws IOException {
    try (ResultScanner scanner = routed.scan(scan)) {
      return rowsOf(scanner);
    }
  }

  /** The rows of a scan that visits every region. */
  List<String> scanPlainly(Scan scan) throws IOException {
    try (ResultScanner scanner = table().getScanner(scan)) {
      return rowsOf(scanner);
    }
  }

  /** A scan by a filter that also looks at the older versions that a family keeps. */
  static Scan byAnyVersion(String email) {
    return new Scan()
        .setFilter(new ColumnValueFilter(F, EMAIL, CompareOperator.EQUAL, Bytes.toBytes(email)));
  }

  /** Waits until the filter of every region is trusted. */
  void awaitPrecise() throws Exception {
    cluster().tables().awaitPrecise(name());
  }

  /** Where the scan would look. */
  RoutePlan plan(Scan scan) {
    return routed.route(scan).orElseThrow();
  }

  /** A scan for the rows that have one of these. */
  static Scan byEmails(List<String> emails) {
    FilterList any = new FilterList(FilterList.Operator.MUST_PASS_ONE);
    emails.forEach(email -> any.addFilter(byEmail(email).getFilter()));
    return new Scan().setFilter(any);
  }

  static Scan byEmail(String email) {
    return where(EMAIL, email);
  }

  /** Regions are looked up anew from now on, by reads that are routed. */
  void forgetLocations() {
    routed.forgetLocations();
  }

  @Override
  public void close() throws IOException {
    routed.close();
    super.close();
  }
}
