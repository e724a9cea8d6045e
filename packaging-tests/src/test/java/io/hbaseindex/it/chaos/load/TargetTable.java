/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.core.definition.IndexDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The table that everything happens to: its columns, indexes and first regions. */
public final class TargetTable {
  public static final TableName NAME = TableName.valueOf("chaos");

  /** One version is kept. */
  public static final byte[] F = Bytes.toBytes("f");

  /** Three versions are kept. */
  public static final byte[] G = Bytes.toBytes("g");

  /** An index that comes and goes. */
  public static final IndexDefinition BY_EXTRA =
      IndexDefinition.on("f", "extra").named("by_extra").eager();

  private static final List<IndexDefinition> INDEXES =
      List.of(
          IndexDefinition.on("f", "code").named("by_code").eager(),
          IndexDefinition.on("f", "tag").named("by_tag").lazy(),
          IndexDefinition.on("f", "count").named("by_count").eager(),
          IndexDefinition.on("g", "trail").named("by_trail").eager(),
          BY_EXTRA);
  private static final String FIRST_SPLITS = "fkpu";
  private static final Duration BUILD_LIMIT = Duration.ofMinutes(3);

  private TargetTable() {}

  /** The columns that are asked for. */
  public enum Column {
    /** No two rows ever have the same. */
    CODE(F, "code"),
    /** A few values, kept by a lazy index. */
    TAG(F, "tag"),
    /** Incremented. */
    COUNT(F, "count"),
    /** Appended to; older versions can show again. */
    TRAIL(G, "trail"),
    /** Its index is dropped and created. */
    EXTRA(F, "extra");

    private final byte[] family;
    private final byte[] qualifier;

    Column(byte[] family, String qualifier) {
      this.family = family;
      this.qualifier = Bytes.toBytes(qualifier);
    }

    public byte[] family() {
      return family;
    }

    public byte[] qualifier() {
      return qualifier;
    }
  }

  public static void create(Connection connection) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(G).setMaxVersions(3).build())
              .build(),
          FIRST_SPLITS
              .chars()
              .mapToObj(letter -> new byte[] {(byte) letter})
              .toArray(byte[][]::new));
    }
    IndexAdmin indexes = IndexAdmin.of(connection);
    for (IndexDefinition index : INDEXES) {
      indexes.create(NAME, index);
    }
    indexes.awaitReady(NAME, BUILD_LIMIT, Progress.NONE);
  }

  /** A key somewhere in the table. */
  static String key(int dice, String name) {
    return (char) ('a' + Math.floorMod(dice, 26)) + "-" + name;
  }

  /** What a row shows of the columns; those it lacks are not in the map. */
  public static Map<Column, String> shown(Result row) {
    Map<Column, String> shown = new TreeMap<>();
    for (Column column : Column.values()) {
      byte[] value = row.getValue(column.family, column.qualifier);
      if (value != null) {
        shown.put(column, Bytes.toStringBinary(value));
      }
    }
    return shown;
  }

  /** The cells of a row with their timestamps: two equal ones mean that nothing was written. */
  static String cells(Result row) {
    StringBuilder text = new StringBuilder();
    for (Cell cell : row.rawCells()) {
      text.append(Bytes.toString(CellUtil.cloneQualifier(cell)))
          .append('@')
          .append(cell.getTimestamp())
          .append('=')
          .append(Bytes.toStringBinary(CellUtil.cloneValue(cell)))
          .append(' ');
    }
    return text.toString();
  }
}
