/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Users read an indexed table as if the family with the postings were not there. */
@OnSharedCluster
class HiddenFamilyIT {
  private static final byte[] HIDDEN = IndexFamily.bytes();
  private static final int ROWS = 20;

  private static TestCluster cluster;
  private static ScannedTable table;

  @BeforeAll
  static void createTable(TestCluster shared) throws IOException {
    cluster = shared;
    table =
        ScannedTable.create(
            cluster,
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(TestTables.uniqueName("hidden"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
                    .build(),
                IndexDefinition.on("f", "a").named("a").eager()),
            "r10");
    for (int i = 0; i < ROWS; i++) {
      Put put = new Put(row(i));
      put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("a"), Bytes.toBytes("v" + i % 3));
      table.table().put(put);
    }
  }

  @AfterAll
  static void dropTable() throws IOException {
    table.close();
  }

  @Test
  void postings_areThere() throws IOException {
    assertThat(postings()).as("else the other tests prove nothing").isEqualTo(ROWS);
  }

  @Test
  void scanOfEverything_returnsUserRowsOnly() throws IOException {
    assertThat(rowsOf(new Scan())).hasSize(ROWS).allMatch(this::isUserRow);
    assertThat(rowsOf(new Scan().setRaw(true).readAllVersions()))
        .as("a raw scan, as exports use")
        .hasSize(ROWS)
        .allMatch(this::isUserRow);
    assertThat(rowsOf(new Scan().setReversed(true))).hasSize(ROWS).allMatch(this::isUserRow);
    assertThat(rowsOf(new Scan().setFilter(new FirstKeyOnlyFilter())))
        .as("a count of rows")
        .hasSize(ROWS);
  }

  @Test
  void scanOfEveryFamilyByName_returnsUserRowsOnly() throws IOException {
    Scan scan = new Scan().addFamily(Bytes.toBytes("f")).addFamily(Bytes.toBytes("g"));
    assertThat(rowsOf(scan.addFamily(HIDDEN))).hasSize(ROWS).allMatch(this::isUserRow);
  }

  @Test
  void scanOfTheHiddenFamily_isRefused() {
    assertRefused(() -> rowsOf(new Scan().addFamily(HIDDEN)));
    assertRefused(() -> rowsOf(new Scan().addFamily(HIDDEN).addFamily(Bytes.toBytes("f"))));
    assertRefused(() -> rowsOf(new Scan().addColumn(HIDDEN, new byte[0])));
  }

  @Test
  void getAndExists_ofARow_showUserCellsOnly() throws IOException {
    Result result = table.table().get(new Get(row(3)));
    assertThat(result.rawCells()).hasSize(1);
    assertThat(CellUtil.cloneFamily(result.rawCells()[0])).isEqualTo(Bytes.toBytes("f"));
    assertThat(table.table().exists(new Get(row(3)))).isTrue();
  }

  @Test
  void getAndExists_ofAnIndexRow_findNothing() throws IOException {
    byte[] indexRow = firstIndexRow();
    assertThat(table.table().get(new Get(indexRow)).isEmpty()).isTrue();
    assertThat(table.table().exists(new Get(indexRow))).isFalse();
    assertThat(table.table().get(List.of(new Get(indexRow)))[0].isEmpty()).isTrue();
  }

  @Test
  void getAndExists_ofTheHiddenFamily_areRefused() throws IOException {
    byte[] indexRow = firstIndexRow();
    assertRefused(() -> table.table().get(new Get(indexRow).addFamily(HIDDEN)));
    assertRefused(() -> table.table().exists(new Get(indexRow).addFamily(HIDDEN)));
  }

  private interface Read {
    void run() throws IOException;
  }

  private static void assertRefused(Read read) {
    assertThatThrownBy(read::run).hasMessageContaining("Cannot read family " + IndexFamily.NAME);
  }

  private List<byte[]> rowsOf(Scan scan) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan)) {
      scanner.forEach(result -> rows.add(result.getRow()));
    }
    return rows;
  }

  private boolean isUserRow(byte[] row) {
    return Bytes.toString(row).startsWith("r");
  }

  private int postings() throws IOException {
    int count = 0;
    for (RegionInfo region : table.regions()) {
      try (RegionScanner scanner =
          cluster.regions().online(region).getScanner(new Scan().addFamily(HIDDEN))) {
        List<Cell> cells = new ArrayList<>();
        boolean more = true;
        while (more) {
          cells.clear();
          more = scanner.next(cells);
          count += cells.size();
        }
      }
    }
    return count;
  }

  private byte[] firstIndexRow() throws IOException {
    try (RegionScanner scanner =
        cluster.regions().online(table.regions().get(0)).getScanner(new Scan().addFamily(HIDDEN))) {
      List<Cell> cells = new ArrayList<>();
      scanner.next(cells);
      return CellUtil.cloneRow(cells.get(0));
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("r%02d".formatted(i));
  }
}
