/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Scans that ask for the number of their rows, and the answers of regions.
 *
 * <p>In place of rows a region returns results under the key of the last row that they stand for.
 * Their only cell is in the hidden family, which users never see, and has as value either the
 * number of rows, or the number of rows for each value of a column ({@link ValueGroups}).
 *
 * <p>Who does not know the attributes returns rows. So a client counts what results say, and each
 * other result as the row it is.
 */
@InterfaceAudience.Private
public final class CountedRows {
  private static final byte[] ROWS = Bytes.toBytes("rows");
  private static final byte[] GROUPS = Bytes.toBytes("groups");

  private CountedRows() {}

  /**
   * What a scan asks for.
   *
   * @param enough how many rows are enough, of each region
   * @param groupBy the column by whose values rows are counted; empty to count all together
   */
  public record Request(long enough, Optional<ColumnRef> groupBy) {}

  /**
   * Makes a scan ask for a number.
   *
   * @param enough how many rows are enough, of each region
   */
  public static void askFor(Scan scan, long enough) {
    scan.setAttribute(
        IndexSettings.SCAN_COUNT, Long.toString(enough).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Makes a scan, which reads the column, ask for the number of rows that show each value of it.
   */
  public static void askForGroups(Scan scan, ColumnRef column) {
    scan.setAttribute(
        IndexSettings.SCAN_GROUP_BY, column.toString().getBytes(StandardCharsets.US_ASCII));
  }

  /** What a scan asks for; empty if it wants rows. What cannot be read is answered by rows. */
  public static Optional<Request> in(Scan scan) {
    byte[] count = scan.getAttribute(IndexSettings.SCAN_COUNT);
    byte[] groupBy = scan.getAttribute(IndexSettings.SCAN_GROUP_BY);
    try {
      if (groupBy != null) {
        String column = new String(groupBy, StandardCharsets.US_ASCII);
        return Optional.of(new Request(Long.MAX_VALUE, Optional.of(ColumnRef.parse(column))));
      }
      return count == null
          ? Optional.empty()
          : Optional.of(
              new Request(
                  Long.parseLong(new String(count, StandardCharsets.US_ASCII)), Optional.empty()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * A region's answer.
   *
   * @param lastRow the key of the last of the rows
   */
  public static Cell answer(byte[] lastRow, long rows) {
    return new KeyValue(lastRow, IndexFamily.bytes(), ROWS, Bytes.toBytes(rows));
  }

  /**
   * A region's answer.
   *
   * @param lastRow the key of the last of the rows
   */
  public static Cell answer(byte[] lastRow, ValueGroups groups) {
    return new KeyValue(lastRow, IndexFamily.bytes(), GROUPS, groups.encode());
  }

  /** How many rows a result of a scan that asks for their number stands for. */
  public static long rowsOf(Result result) {
    Cell cell = result.rawCells()[0];
    return isAnswer(cell, ROWS) ? Bytes.toLong(cell.getValueArray(), cell.getValueOffset()) : 1;
  }

  /**
   * Adds what a result of a scan that asks for groups says.
   *
   * @param column the column by whose values rows are counted
   */
  public static void addTo(ValueGroups groups, Result result, ColumnRef column) {
    Cell cell = result.rawCells()[0];
    if (isAnswer(cell, GROUPS)) {
      groups.addEncoded(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
      return;
    }
    byte[] value = result.getValue(column.family(), column.qualifier());
    if (value != null) {
      groups.add(value, 1);
    }
  }

  private static boolean isAnswer(Cell cell, byte[] kind) {
    return CellUtil.matchingColumn(cell, IndexFamily.bytes(), kind);
  }
}
