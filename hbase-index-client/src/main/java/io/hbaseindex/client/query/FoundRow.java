/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.core.definition.ColumnRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** A row that a query has found: its key and the columns that were asked for. */
@InterfaceAudience.Public
public final class FoundRow {
  private final byte[] key;
  private final Result result;

  private FoundRow(byte[] key, Result result) {
    this.key = key;
    this.result = result;
  }

  /** The row as the query wants it. */
  static FoundRow of(Result found, IndexQuery query) {
    return query.isProjected() ? of(found, query.projection()) : of(found);
  }

  /** The whole row. */
  private static FoundRow of(Result found) {
    return new FoundRow(found.getRow(), found);
  }

  /** The row with these columns only; others were read for the condition's sake. */
  private static FoundRow of(Result found, List<ColumnRef> projection) {
    List<Cell> wanted = new ArrayList<>();
    for (Cell cell : found.rawCells()) {
      if (projection.stream().anyMatch(column -> isOf(cell, column))) {
        wanted.add(cell);
      }
    }
    return new FoundRow(found.getRow(), Result.create(wanted));
  }

  private static boolean isOf(Cell cell, ColumnRef column) {
    return CellUtil.matchingColumn(cell, column.family(), column.qualifier());
  }

  /** The row's key: a fresh copy. */
  public byte[] key() {
    return key.clone();
  }

  /** The row's key as text. */
  public String keyText() {
    return Bytes.toString(key);
  }

  /** The columns as HBase gives them; empty if the row has none of those asked for. */
  public Result result() {
    return result;
  }

  /** The value of a column; empty if the row lacks it, or it was not asked for. */
  public Optional<byte[]> value(Column column) {
    return Optional.ofNullable(result.getValue(column.ref().family(), column.ref().qualifier()));
  }

  /** The value of a column as text. */
  public Optional<String> text(Column column) {
    return value(column).map(Bytes::toString);
  }

  /**
   * The value of a column as {@link Bytes#toLong(byte[])} reads it.
   *
   * @throws IllegalArgumentException if it is not eight bytes long
   */
  public Optional<Long> number(Column column) {
    return value(column).map(Bytes::toLong);
  }

  @Override
  public String toString() {
    return Bytes.toStringBinary(key) + " " + result;
  }
}
