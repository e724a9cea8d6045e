/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of a test, dropped on close: what tests ask of any table. Those that need columns, rows
 * or waits of their own extend it.
 */
public abstract class TestTable implements AutoCloseable {

  /** The family in which most tests keep their rows. */
  public static final byte[] F = Bytes.toBytes("f");

  private final TestCluster cluster;
  private final TableName name;
  private final Table table;

  /** Takes over a table that exists. */
  protected TestTable(TestCluster cluster, TableName name) throws IOException {
    this.cluster = cluster;
    this.name = name;
    this.table = cluster.connection().getTable(name);
  }

  /** Creates the table, split at these keys. */
  protected TestTable(TestCluster cluster, TableDescriptor descriptor, String... splitKeys)
      throws IOException {
    this(cluster, created(cluster, descriptor, splitKeys));
  }

  private static TableName created(
      TestCluster cluster, TableDescriptor descriptor, String... splitKeys) throws IOException {
    cluster.tables().create(descriptor, List.of(splitKeys));
    return descriptor.getTableName();
  }

  protected final TestCluster cluster() {
    return cluster;
  }

  public final TableName name() {
    return name;
  }

  public final Table table() {
    return table;
  }

  /** The regions, in key order. */
  public final List<RegionInfo> regions() throws IOException {
    return cluster.regions().of(name);
  }

  /** The first region where it is open; the only one of a table that was not split. */
  public final HRegion region() throws IOException {
    return cluster.regions().online(regions().get(0));
  }

  /** What the servers have counted for the table. */
  public final IndexCounters counters() {
    return IndexCounters.of(name);
  }

  /** Scan requests that each region has served so far, those of its own threads included. */
  public final List<Long> readsPerRegion() throws IOException {
    return regions().stream()
        .map(region -> cluster.regions().online(region).getReadRequestsCount())
        .toList();
  }

  /** Scan requests that all regions have served so far. */
  public final long regionReads() throws IOException {
    return readsPerRegion().stream().mapToLong(Long::longValue).sum();
  }

  /** A scan for the rows whose column in family f has the value. */
  public static Scan where(byte[] qualifier, String value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, qualifier, CompareOperator.EQUAL, Bytes.toBytes(value));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  /** A scan for the rows whose column in family f has the value. */
  public static Scan where(String qualifier, String value) {
    return where(Bytes.toBytes(qualifier), value);
  }

  /** The keys of the rows the scan returns, in the order in which they come. */
  public final List<String> rows(Scan scan) throws IOException {
    return rowsIn(table, scan);
  }

  /** The keys of the rows that a scan of a table, by whatever client, returns. */
  public static List<String> rowsIn(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      return rowsOf(scanner);
    }
  }

  /** The keys of the rows that are left in a scanner. */
  public static List<String> rowsOf(ResultScanner scanner) {
    List<String> rows = new ArrayList<>();
    for (Result result : scanner) {
      rows.add(Bytes.toString(result.getRow()));
    }
    return rows;
  }

  @Override
  public void close() throws IOException {
    table.close();
    cluster.tables().drop(name);
  }
}
