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

/** Asks one region for figures, and gives them as one row. */
final class FiguresReader implements PartitionReader<InternalRow> {
  private final RegionPartition part;
  private final List<Reading.Figure> figures;
  private InternalRow row;

  FiguresReader(RegionPartition part, Reading.Figures asked) {
    this.part = part;
    this.figures = asked.figures();
  }

  @Override
  public boolean next() throws IOException {
    if (row != null) {
      return false;
    }
    row = new GenericInternalRow(part.keys().isEmpty() ? ofNothing() : ask());
    return true;
  }

  private Object[] ofNothing() {
    return figures.stream()
        .map(figure -> figure.kind() == Reading.Figure.Kind.COUNT ? (Object) 0L : null)
        .toArray();
  }

  private Object[] ask() throws IOException {
    Object[] values = new Object[figures.size()];
    try (Connection connection = part.plan().source().connect()) {
      QueryClient client = QueryClient.of(connection);
      for (int i = 0; i < values.length; i++) {
        Reading.Figure figure = figures.get(i);
        values[i] =
            figure.kind() == Reading.Figure.Kind.COUNT
                ? count(client, figure)
                : first(client, figure);
      }
    }
    return values;
  }

  private long count(QueryClient client, Reading.Figure figure) throws IOException {
    boolean everyRow = figure.column() == null || figure.column().isKey();
    ReadPlan plan =
        everyRow
            ? part.plan()
            : part.plan().narrowedTo(List.of(figure.column().column().isPresent()));
    return client.count(plan.counted(part.keys()));
  }

  /** The lowest value is that of the first row in the column's order. */
  private Object first(QueryClient client, Reading.Figure figure) throws IOException {
    Column column = figure.column().column();
    IndexQuery lowest =
        part.plan()
            .rowsThat(column.isPresent(), part.keys())
            .select(column)
            .orderBy(column)
            .limit(1);
    try (FoundRows rows =
        client.rows(figure.kind() == Reading.Figure.Kind.MAX ? lowest.descending() : lowest)) {
      Iterator<FoundRow> found = rows.iterator();
      if (!found.hasNext()) {
        return null;
      }
      FoundRow first = found.next();
      return CellValues.read(figure.column(), first.value(column).orElseThrow(), first.key());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public void close() {
    // Holds nothing between two calls.
  }
}
