/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;

/** Reads the rows of one region. */
final class RowsReader implements PartitionReader<InternalRow> {
  private final Connection connection;
  private final List<SourceColumn> wanted;
  private final Column[] cells;
  private final Iterator<IndexQuery> queries;
  private int left;
  private FoundRows rows;
  private Iterator<FoundRow> found;
  private InternalRow row;

  /** Opens a connection of its own, which is closed with the reader. */
  static RowsReader open(RegionPartition part) throws IOException {
    return new RowsReader(part);
  }

  private RowsReader(RegionPartition part) throws IOException {
    this.wanted = part.plan().wanted();
    this.cells =
        wanted.stream()
            .map(column -> column.isKey() ? null : column.column())
            .toArray(Column[]::new);
    int limit = limitOf(part.plan().reading());
    this.left = limit == 0 ? Integer.MAX_VALUE : limit;
    this.queries = queries(part, limit).iterator();
    // Last: nobody would close it if anything above failed.
    this.connection = part.plan().source().connect();
  }

  private static int limitOf(Reading reading) {
    return reading instanceof Reading.FirstRows first
        ? first.limit()
        : ((Reading.Rows) reading).limit();
  }

  /** What is asked, one after the other, until there are enough rows. */
  private static List<IndexQuery> queries(RegionPartition part, int limit) {
    ReadPlan plan = part.plan();
    if (!(plan.reading() instanceof Reading.FirstRows first)) {
      IndexQuery all = plan.rows(part.keys());
      return List.of(limit == 0 ? all : all.limit(limit));
    }
    Column by = first.by().column();
    IndexQuery ascending = plan.rowsThat(by.isPresent(), part.keys()).orderBy(by).limit(limit);
    IndexQuery ordered = first.descending() ? ascending.descending() : ascending;
    return first.absentToo()
        ? List.of(ordered, plan.rowsThat(by.isAbsent(), part.keys()).limit(limit))
        : List.of(ordered);
  }

  @Override
  public boolean next() throws IOException {
    try {
      while (left > 0 && (found == null || !found.hasNext())) {
        if (!queries.hasNext()) {
          return false;
        }
        closeRows();
        rows = QueryClient.of(connection).rows(queries.next());
        found = rows.iterator();
      }
      if (left == 0) {
        return false;
      }
      left--;
      row = read(found.next());
      return true;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private InternalRow read(FoundRow from) throws IOException {
    Object[] values = new Object[cells.length];
    byte[] key = from.key();
    for (int i = 0; i < cells.length; i++) {
      byte[] cell = cells[i] == null ? key : from.value(cells[i]).orElse(null);
      values[i] = cell == null ? null : CellValues.read(wanted.get(i), cell, key);
    }
    return new GenericInternalRow(values);
  }

  @Override
  public InternalRow get() {
    return row;
  }

  private void closeRows() {
    if (rows != null) {
      rows.close();
    }
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      closeRows();
    }
  }
}
