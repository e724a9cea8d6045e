/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.combination;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.RoutedReads;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.scan.Filters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of five regions with one index, of country, city and status. */
final class PlacesTable extends TestTable {
  static final String INDEX = "by_place";
  private static final String[] SPLITS = {"b", "c", "d", "e"};
  private static final long ROUTE_TIMEOUT_MILLIS = 10_000;

  private final RoutedReads routed;

  /** The letters that the keys of the regions begin with. */
  private final List<String> names;

  PlacesTable(TestCluster cluster, IndexDefinition index) throws IOException {
    this(cluster, index, SPLITS);
  }

  /** One with a region for {@code a} and for each letter that it is split by. */
  PlacesTable(TestCluster cluster, IndexDefinition index, String... splits) throws IOException {
    super(
        cluster,
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(TestTables.uniqueName("places"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            index),
        splits);
    this.names = Stream.concat(Stream.of("a"), Stream.of(splits)).toList();
    this.routed = new RoutedReads(cluster, name(), ROUTE_TIMEOUT_MILLIS);
  }

  static IndexDefinition.Builder byPlace() {
    return IndexDefinition.on("f", "country").and("f", "city").and("f", "status").named(INDEX);
  }

  /** Writes a row; columns that are not named it does not have. */
  void put(String row, Map<String, String> values) throws IOException {
    Put put = new Put(Bytes.toBytes(row));
    values.forEach(
        (column, value) -> put.addColumn(F, Bytes.toBytes(column), Bytes.toBytes(value)));
    table().put(put);
  }

  /** Writes rows that have one column. */
  void putAll(String column, Map<String, String> valuesByRow) throws IOException {
    List<Put> puts = new ArrayList<>();
    valuesByRow.forEach(
        (row, value) ->
            puts.add(
                new Put(Bytes.toBytes(row))
                    .addColumn(F, Bytes.toBytes(column), Bytes.toBytes(value))));
    table().put(puts);
  }

  void delete(String row) throws IOException {
    table().delete(new Delete(Bytes.toBytes(row)));
  }

  void awaitPrecise() throws Exception {
    cluster().tables().awaitPrecise(name());
  }

  static Filter is(String column, String value) {
    return Filters.is("f:" + column, value);
  }

  static Scan where(Filter... all) {
    return new Scan().setFilter(Filters.all(all));
  }

  /** The plan of a scan at a moment when all filters can be asked. */
  RoutePlan plan(Scan scan) {
    return Waits.until("a precise route")
        .until(() -> routed.route(scan).orElseThrow(), RoutePlan::isPrecise);
  }

  boolean isRouted(Scan scan) {
    return route(scan).isPresent();
  }

  Optional<RoutePlan> route(Scan scan) {
    return routed.route(scan);
  }

  /** What a routed scan finds, however the regions are cut by now. */
  List<String> routedRows(Scan scan) throws IOException {
    try (ResultScanner scanner = routed.scan(scan)) {
      return rowsOf(scanner);
    }
  }

  /** What a routed scan found, and the regions that served it by their own count. */
  record Found(List<String> rows, List<String> regions) {}

  Found find(Scan scan) throws IOException {
    List<Long> before = readsPerRegion();
    List<String> rows;
    try (ResultScanner scanner = routed.scan(scan)) {
      rows = rowsOf(scanner);
    }
    List<Long> after = readsPerRegion();
    return new Found(
        rows,
        IntStream.range(0, names.size())
            .filter(at -> after.get(at) > before.get(at))
            .mapToObj(names::get)
            .toList());
  }

  @Override
  public void close() throws IOException {
    routed.close();
    super.close();
  }
}
