/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.index.IndexProbe;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Items with numbers of several types, a tenth of which are none, in indexes that know the types.
 * Of two columns all cells are numbers.
 */
final class TypedTable extends TestTable {
  static final List<Long> LONGS = List.of(Long.MIN_VALUE, -300L, -1L, 0L, 1L, 18L, 30L, 1L << 40);
  static final List<Double> DOUBLES =
      List.of(Double.NEGATIVE_INFINITY, -2.5, -1e-9, -0.0, 0.0, 1e-9, 2.5, 1e300);
  static final List<BigDecimal> DECIMALS =
      Stream.of("-12.50", "-12.5", "-0.01", "0", "0.00", "1", "1.00", "99.9", "1E+20")
          .map(BigDecimal::new)
          .toList();

  /** No numbers, or no decimals as HBase writes them; one is longer than keys hold. */
  static final List<byte[]> OTHERS =
      List.of(
          new byte[0],
          new byte[] {0},
          new byte[] {-1, -1, -1},
          new byte[9],
          new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1},
          new byte[] {0, 0, 0, 0, 0, 1},
          new byte[600]);

  private static final int ROWS = 500;

  private TypedTable(TestCluster cluster, TableDescriptor descriptor) throws IOException {
    super(cluster, descriptor, "r3", "r6");
  }

  static TypedTable create(TestCluster cluster, Random random) throws IOException {
    TableDescriptor descriptor =
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(TestTables.uniqueName("typed"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            IndexDefinition.on("f", "age")
                .as(ValueType.LONG)
                .including("f:city", "f:price", "f:rate")
                .named("by_age")
                .eager(),
            IndexDefinition.on("f", "rate")
                .as(ValueType.DOUBLE)
                .and("f", "age")
                .as(ValueType.LONG)
                .named("by_rate")
                .eager(),
            IndexDefinition.on("f", "price").as(ValueType.DECIMAL).named("by_price").lazy(),
            IndexDefinition.on("f", "code").named("by_code").eager(),
            IndexDefinition.on("f", "born").as(ValueType.LONG).named("by_born").eager(),
            IndexDefinition.on("f", "fee").as(ValueType.DECIMAL).named("by_fee").eager());
    TypedTable table = new TypedTable(cluster, descriptor);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 2 * ROWS; i++) {
      puts.add(item(i % ROWS, random));
    }
    table.table().put(puts.subList(0, ROWS));
    table.table().put(puts.subList(ROWS, ROWS + ROWS / 4));
    for (int i = 0; i < ROWS; i += 25) {
      table.table().delete(new Delete(row(i)).addColumns(F, Bytes.toBytes("age")));
    }
    table.probe().awaitReady();
    return table;
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("r%03d".formatted(i * 2));
  }

  private static Put item(int i, Random random) {
    Put put = new Put(row(i)).addColumn(F, Bytes.toBytes("city"), Bytes.toBytes("city " + i % 7));
    put.addColumn(F, Bytes.toBytes("code"), Bytes.toBytes(random.nextInt(20) - 10));
    put.addColumn(F, Bytes.toBytes("born"), Bytes.toBytes(oneOf(LONGS, random)));
    put.addColumn(F, Bytes.toBytes("fee"), Bytes.toBytes(oneOf(DECIMALS, random)));
    add(put, "age", Bytes.toBytes(oneOf(LONGS, random)), random);
    add(put, "rate", Bytes.toBytes(oneOf(DOUBLES, random)), random);
    add(put, "price", Bytes.toBytes(oneOf(DECIMALS, random)), random);
    return put;
  }

  /** A number, or none at all, or what is no number. */
  private static void add(Put put, String column, byte[] number, Random random) {
    int choice = random.nextInt(10);
    if (choice > 0) {
      put.addColumn(F, Bytes.toBytes(column), choice == 1 ? oneOf(OTHERS, random) : number);
    }
  }

  private static <T> T oneOf(List<T> values, Random random) {
    return values.get(random.nextInt(values.size()));
  }

  IndexProbe probe() {
    return new IndexProbe(cluster(), name());
  }

  /** The rows of a scan, and how many cells it returned of each. */
  List<String> keys(Scan scan) throws IOException {
    List<String> keys = new ArrayList<>();
    try (ResultScanner scanner = table().getScanner(scan)) {
      for (Result row : scanner) {
        keys.add(Bytes.toStringBinary(row.getRow()) + " " + row.size());
      }
    }
    return keys;
  }

  List<String> cells(Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table().getScanner(scan)) {
      scanner.forEach(result -> cells.addAll(CoveredTable.text(result)));
    }
    return cells;
  }
}
