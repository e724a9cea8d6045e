/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.ask;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The table that everything happens to: its columns, indexes and first regions. */
public final class TargetTable {
  public static final TableName NAME = TableName.valueOf("chaos");

  /** One version is kept. */
  public static final byte[] F = Bytes.toBytes("f");

  /** Three versions are kept. */
  public static final byte[] G = Bytes.toBytes("g");

  /** Written beside a code, or alone; only included in the index of codes. */
  public static final byte[] NOTE = Bytes.toBytes("note");

  /** Columns that are also asked for together, by a set that one index declares for routing. */
  public static final List<Column> COMBINATION = List.of(Column.EXTRA, Column.TRAIL);

  /** The trails of rows that a partial index has: from the first on, before the second. */
  private static final List<String> SCOPE = List.of("trail0", "trail6");

  /** An index that comes and goes, and whose included columns change. */
  public static final IndexDefinition BY_EXTRA =
      IndexDefinition.on("f", "extra").including("f:tag").named("by_extra").eager();

  /** The same with other included columns. */
  public static final IndexDefinition BY_EXTRA_WITH_MORE =
      IndexDefinition.on("f", "extra").including("f:tag", "g:trail").named("by_extra").eager();

  private static final List<IndexDefinition> INDEXES =
      List.of(
          IndexDefinition.on("f", "code").including("f:note").named("by_code").eager(),
          IndexDefinition.on("f", "tag").named("by_tag").lazy(),
          IndexDefinition.on("f", "count").named("by_count").eager(),
          IndexDefinition.on("g", "trail").including("f:count").named("by_trail").eager(),
          BY_EXTRA,
          IndexDefinition.on("f", "extra")
              .and("f", "tag")
              .and("g", "trail")
              .routes("f:extra", "g:trail")
              .including("f:count")
              .named("by_combination")
              .eager(),
          IndexDefinition.on("f", "mark")
              .where("g:trail>=%s<%s".formatted(SCOPE.get(0), SCOPE.get(1)))
              .including("g:trail")
              .named("by_mark")
              .eager());
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
    EXTRA(F, "extra"),
    /** Its index is partial, by the trail; it is only asked for together with that condition. */
    MARK(F, "mark");

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

    /** The column in a query. */
    public io.hbaseindex.client.query.Column asked() {
      return io.hbaseindex.client.query.Column.of(family, qualifier);
    }

    /** The rows that are asked for by the column: all, or those in its partial index. */
    public Condition within(Condition rows) {
      return this == MARK
          ? rows.and(TRAIL.asked().atLeast(Value.of(SCOPE.get(0))))
              .and(TRAIL.asked().lessThan(Value.of(SCOPE.get(1))))
          : rows;
    }

    /** What a filter has to require beside a value of the column, so that the same is asked. */
    List<Filter> scope() {
      return this == MARK
          ? List.of(
              TRAIL.compared(CompareOperator.GREATER_OR_EQUAL, Bytes.toBytes(SCOPE.get(0))),
              TRAIL.compared(CompareOperator.LESS, Bytes.toBytes(SCOPE.get(1))))
          : List.of();
    }

    /** Passes rows whose newest value compares so. */
    Filter compared(CompareOperator operator, byte[] value) {
      SingleColumnValueFilter filter =
          new SingleColumnValueFilter(family, qualifier, operator, value);
      filter.setFilterIfMissing(true);
      return filter;
    }

    private boolean isAskedForIn(Result row) {
      byte[] trail = row.getValue(TRAIL.family, TRAIL.qualifier);
      return this != MARK
          || trail != null
              && Bytes.compareTo(trail, Bytes.toBytes(SCOPE.get(0))) >= 0
              && Bytes.compareTo(trail, Bytes.toBytes(SCOPE.get(1))) < 0;
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
  public static String key(int dice, String name) {
    return (char) ('a' + Math.floorMod(dice, 26)) + "-" + name;
  }

  /** What a row shows of the columns; those it lacks, or is not asked for by, are not there. */
  public static Map<Column, String> shown(Result row) {
    Map<Column, String> shown = new TreeMap<>();
    for (Column column : Column.values()) {
      byte[] value = row.getValue(column.family, column.qualifier);
      if (value != null && column.isAskedForIn(row)) {
        shown.put(column, Bytes.toStringBinary(value));
      }
    }
    return shown;
  }

  /** What postings carry of an index that begins with the first of these columns and has all. */
  static List<ColumnRef> carried(List<ColumnRef> columns) {
    return INDEXES.stream()
        .filter(index -> index.columns().containsAll(columns))
        .filter(index -> columns.contains(index.columns().get(0)))
        .findFirst()
        .orElseThrow()
        .allColumns();
  }

  /** The cells of a row with their timestamps: two equal ones mean that nothing was written. */
  public static String cells(Result row) {
    return cells(row, cell -> true);
  }

  /** Some cells of a row with their timestamps. */
  static String cells(Result row, Predicate<Cell> chosen) {
    return Arrays.stream(row.rawCells())
        .filter(chosen)
        .map(
            cell ->
                cell(CellUtil.cloneQualifier(cell), cell.getTimestamp(), CellUtil.cloneValue(cell)))
        .collect(Collectors.joining(" "));
  }

  /** A cell as {@link #cells} tells it. */
  public static String cell(byte[] qualifier, long timestamp, byte[] value) {
    return Bytes.toString(qualifier) + "@" + timestamp + "=" + Bytes.toStringBinary(value);
  }
}
