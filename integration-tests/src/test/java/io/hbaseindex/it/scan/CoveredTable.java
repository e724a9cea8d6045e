/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** People in ten cities, with an index by city that includes columns of two families. */
final class CoveredTable extends TestTable {
  static final byte[] G = Bytes.toBytes("g");
  static final byte[] CITY = Bytes.toBytes("city");
  static final byte[] NAME = Bytes.toBytes("name");
  static final byte[] VISITS = Bytes.toBytes("visits");
  static final byte[] NOTE = Bytes.toBytes("note");
  static final int ROWS = 300;
  static final int IN_OSLO = ROWS / 10;

  private CoveredTable(TestCluster cluster, TableDescriptor descriptor) throws IOException {
    super(cluster, descriptor, "r0150");
  }

  static CoveredTable create(TestCluster cluster) throws IOException {
    TableDescriptor descriptor =
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(TestTables.uniqueName("covered"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(G).setMaxVersions(3).build())
                .build(),
            IndexDefinition.on("f", "city")
                .including("f:name", "f:visits", "g:note")
                .named("by_city")
                .eager());
    CoveredTable table = new CoveredTable(cluster, descriptor);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(person(i));
    }
    table.table().put(puts);
    table.probe().awaitReady();
    return table;
  }

  static byte[] row(int i) {
    return Bytes.toBytes("r%04d".formatted(i));
  }

  /** Every third lacks a name. */
  private static Put person(int i) {
    Put put =
        new Put(row(i))
            .addColumn(F, CITY, 1_000 + i, Bytes.toBytes(i % 10 == 0 ? "Oslo" : "city " + i % 10))
            .addColumn(F, VISITS, 1_000, Bytes.toBytes((long) i))
            .addColumn(F, Bytes.toBytes("other"), 1_000, Bytes.toBytes("other " + i))
            .addColumn(G, NOTE, Bytes.toBytes("note " + i));
    return i % 30 == 20 ? put : put.addColumn(F, NAME, 1_000, Bytes.toBytes("name " + i));
  }

  /** Reads all that the index has of the people of one city. */
  static Scan inOslo() {
    return where(CITY, "Oslo")
        .addColumn(F, CITY)
        .addColumn(F, NAME)
        .addColumn(F, VISITS)
        .addColumn(G, NOTE);
  }

  IndexProbe probe() {
    return new IndexProbe(cluster(), name());
  }

  /**
   * How many rows of a scan came from postings; fails unless its cells are those of the plain scan.
   */
  long fromPostings(Scan scan) throws IOException {
    IndexCounters before = counters();
    List<String> cells = cells(new Scan(scan));
    IndexCounters since = counters().since(before);
    assertThat(cells).isNotEmpty().isEqualTo(cells(IndexProbe.withoutIndex(scan)));
    long fromPostings = since.get(IndexCounter.ROWS_FROM_POSTINGS);
    assertThat(
            since.get(IndexCounter.SCANS_PLAIN) > 0
                || fromPostings > 0
                || since.get(IndexCounter.ROWS_READ) > 0)
        .isTrue();
    return fromPostings;
  }

  List<String> cells(Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table().getScanner(scan)) {
      scanner.forEach(result -> cells.addAll(text(result)));
    }
    return cells;
  }

  /** Every byte of a result's cells. */
  static List<String> text(Result result) {
    List<String> cells = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      cells.add(
          CellUtil.getCellKeyAsString(cell)
              + " = "
              + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
    }
    return cells;
  }
}
