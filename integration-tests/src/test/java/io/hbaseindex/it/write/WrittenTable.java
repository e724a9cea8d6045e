/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.write;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.Posting;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An indexed table with one region, and what its hidden family holds, read below the observer. Text
 * form of a posting: {@code index/value>row}; values of several columns are joined by {@code |}.
 */
final class WrittenTable extends TestTable {
  static final IndexDefinition BY_CITY = IndexDefinition.on("f", "city").named("by_city").eager();

  private final Collection<IndexDefinition> definitions;

  private WrittenTable(TestCluster cluster, TableDescriptor descriptor) throws IOException {
    super(cluster, descriptor);
    this.definitions = IndexedTableDescriptor.indexesOf(descriptor).definitions();
  }

  static WrittenTable create(TestCluster cluster, IndexDefinition... definitions)
      throws IOException {
    return create(cluster, family -> family, table -> table, definitions);
  }

  static WrittenTable create(
      TestCluster cluster,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      UnaryOperator<TableDescriptorBuilder> settings,
      IndexDefinition... definitions)
      throws IOException {
    TableDescriptorBuilder plain =
        TableDescriptorBuilder.newBuilder(TestTables.uniqueName("write"))
            .setColumnFamily(family.apply(ColumnFamilyDescriptorBuilder.newBuilder(F)).build())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"));
    return new WrittenTable(
        cluster, IndexedTableDescriptor.with(settings.apply(plain).build(), definitions));
  }

  RegionInfo regionInfo() throws IOException {
    return regions().get(0);
  }

  /** The live postings of one row, without the row. */
  SortedSet<String> live(String row) throws IOException {
    return ofRow(live(), row);
  }

  /** The postings that one row as readers see it calls for, without the row. */
  SortedSet<String> calledFor(String row) throws IOException {
    return ofRow(calledFor(), row);
  }

  /** The ended postings of one row that are still there, without the row. */
  SortedSet<String> dead(String row) throws IOException {
    return ofRow(dead(), row);
  }

  private static SortedSet<String> ofRow(SortedSet<String> postings, String row) {
    String suffix = ">" + row;
    return postings.stream()
        .filter(posting -> posting.endsWith(suffix))
        .map(posting -> posting.substring(0, posting.length() - suffix.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The live postings. */
  SortedSet<String> live() throws IOException {
    return postings(PostingState.LIVE);
  }

  /** The ended postings that are still there. */
  SortedSet<String> dead() throws IOException {
    return postings(PostingState.DEAD);
  }

  private SortedSet<String> postings(PostingState wanted) throws IOException {
    SortedSet<String> result = new TreeSet<>();
    for (Cell cell : hiddenCells()) {
      PostingState state =
          PostingState.parse(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
      if (state == wanted) {
        result.add(describe(CellUtil.cloneRow(cell)));
      }
    }
    return result;
  }

  /** Every visible cell of the hidden family. */
  List<Cell> hiddenCells() throws IOException {
    List<Cell> all = new ArrayList<>();
    try (RegionScanner scanner = region().getScanner(new Scan().addFamily(IndexFamily.bytes()))) {
      List<Cell> cells = new ArrayList<>();
      boolean more;
      do {
        more = scanner.next(cells);
        for (Cell cell : cells) {
          all.add(KeyValueUtil.copyToNewKeyValue(cell));
        }
        cells.clear();
      } while (more);
    }
    return all;
  }

  IndexRowKeys keys() throws IOException {
    RegionInfo region = regionInfo();
    return IndexRowKeys.ofRegion(
            region.getStartKey(),
            region.getEndKey(),
            region.getEncodedName().getBytes(StandardCharsets.US_ASCII))
        .orElseThrow();
  }

  private String describe(byte[] indexRow) throws IOException {
    IndexRowKeys keys = keys();
    int id = keys.indexIdOf(indexRow, 0, indexRow.length);
    IndexDefinition definition =
        definitions.stream().filter(d -> d.id() == id).findFirst().orElseThrow();
    Posting posting = keys.parse(indexRow, definition.columns().size());
    String values =
        posting.values().stream()
            .map(value -> value == null ? "-" : Bytes.toStringBinary(value))
            .collect(Collectors.joining("|"));
    return definition.name() + "/" + values + ">" + Bytes.toStringBinary(posting.row());
  }

  /** The postings that the rows as readers see them call for. */
  SortedSet<String> calledFor() throws IOException {
    SortedSet<String> result = new TreeSet<>();
    Scan everything = new Scan().addFamily(F).addFamily(Bytes.toBytes("g"));
    try (RegionScanner scanner = region().getScanner(everything)) {
      List<Cell> cells = new ArrayList<>();
      boolean more;
      do {
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          addPostingsOf(Result.create(cells), result);
        }
        cells.clear();
      } while (more);
    }
    return result;
  }

  private void addPostingsOf(Result row, SortedSet<String> result) {
    for (IndexDefinition definition : definitions) {
      List<String> values = new ArrayList<>();
      for (ColumnRef column : definition.columns()) {
        byte[] value = row.getValue(column.family(), column.qualifier());
        values.add(value == null ? "-" : Bytes.toStringBinary(value));
      }
      if (!values.get(0).equals("-")) {
        result.add(
            definition.name()
                + "/"
                + String.join("|", values)
                + ">"
                + Bytes.toStringBinary(row.getRow()));
      }
    }
  }
}
