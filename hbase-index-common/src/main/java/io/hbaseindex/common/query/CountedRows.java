/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
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
 * number of rows, or the number of rows for each value of a column, or for each time that its cells
 * were written at ({@link ValueGroups}), and what another column of these rows adds up to.
 *
 * <p>Who does not know the attributes returns rows. So a client counts what results say, and each
 * other result as the row it is.
 */
@InterfaceAudience.Private
public final class CountedRows {
  private static final byte[] ROWS = Bytes.toBytes("rows");
  private static final byte[] GROUPS = Bytes.toBytes("groups");
  private static final byte[] SUMS = Bytes.toBytes("sums");

  /** The group of all rows. */
  private static final byte[] ALL = {};

  private CountedRows() {}

  /**
   * What a scan asks for.
   *
   * @param enough how many rows are enough, of each region
   * @param groupBy the column by whose values rows are counted; empty to count all together
   * @param times if rows are counted by the time of this column's cell and not by its value, which
   *     times and how finely; there is no sum then
   * @param sum the column that is added up; empty if rows are only counted
   */
  public record Request(
      long enough,
      Optional<ColumnRef> groupBy,
      Optional<CountedTimes> times,
      Optional<Summed> sum) {

    /** Whether more is wanted than one number of rows. */
    public boolean wantsGroups() {
      return groupBy.isPresent() || sum.isPresent();
    }

    /** The columns whose values are wanted. */
    public Stream<ColumnRef> columns() {
      return Stream.concat(groupBy.stream(), sum.stream().map(Summed::column));
    }

    /**
     * What is wanted of the newest cell of one of these columns: its value or its time; null if the
     * time is not among those asked for.
     */
    public byte[] wantedOf(Cell cell) {
      return times.isPresent() ? groupOf(cell.getTimestamp()) : CellUtil.cloneValue(cell);
    }

    /**
     * What stands for the rows of a time: when its bucket began, in eight bytes; null if it is not
     * among the times asked for.
     */
    public byte[] groupOf(long timestamp) {
      CountedTimes asked = times.orElseThrow();
      return asked.contains(timestamp) ? Bytes.toBytes(asked.bucket().startOf(timestamp)) : null;
    }
  }

  /**
   * A column that is added up.
   *
   * @param type of the numbers in it
   */
  public record Summed(ColumnRef column, ValueType type) {}

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

  /**
   * Makes a scan, which reads the column, ask for the number of rows by the time that the newest
   * cell of it was written at. A server that does not know this finds no column of such a name, and
   * returns rows.
   */
  public static void askForTimes(Scan scan, ColumnRef column, CountedTimes times) {
    String asked = column + " " + times;
    scan.setAttribute(IndexSettings.SCAN_GROUP_BY, asked.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Makes a scan, which reads both columns, ask for the sum of a column: of all rows, or of those
   * that show each value of another column.
   */
  public static void askForSum(Scan scan, Summed summed, Optional<ColumnRef> groupBy) {
    String asked =
        summed.column()
            + " "
            + summed.type().keyword()
            + groupBy.map(column -> " " + column).orElse("");
    scan.setAttribute(IndexSettings.SCAN_SUM, asked.getBytes(StandardCharsets.US_ASCII));
  }

  /** What a scan asks for; empty if it wants rows. What cannot be read is answered by rows. */
  public static Optional<Request> in(Scan scan) {
    byte[] count = scan.getAttribute(IndexSettings.SCAN_COUNT);
    byte[] groupBy = scan.getAttribute(IndexSettings.SCAN_GROUP_BY);
    byte[] sum = scan.getAttribute(IndexSettings.SCAN_SUM);
    try {
      if (sum != null) {
        return Optional.of(parseSum(new String(sum, StandardCharsets.US_ASCII)));
      }
      if (groupBy != null) {
        return Optional.of(parseGroups(new String(groupBy, StandardCharsets.US_ASCII)));
      }
      return count == null
          ? Optional.empty()
          : Optional.of(
              new Request(
                  Long.parseLong(new String(count, StandardCharsets.US_ASCII)),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty()));
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

  private static Request parseGroups(String asked) {
    String[] words = asked.split(" ", 2);
    return new Request(
        Long.MAX_VALUE,
        Optional.of(ColumnRef.parse(words[0])),
        words.length == 2 ? Optional.of(CountedTimes.parse(words[1])) : Optional.empty(),
        Optional.empty());
  }

  private static Request parseSum(String asked) {
    String[] words = asked.split(" ");
    if (words.length < 2 || words.length > 3) {
      throw new IllegalArgumentException("a column, its type and maybe another column are wanted");
    }
    ValueType type = ValueType.parse(words[1]);
    if (!TypedCells.areNumbers(type)) {
      throw new IllegalArgumentException("values of the type are no numbers");
    }
    return new Request(
        Long.MAX_VALUE,
        words.length == 3 ? Optional.of(ColumnRef.parse(words[2])) : Optional.empty(),
        Optional.empty(),
        Optional.of(new Summed(ColumnRef.parse(words[0]), type)));
  }

  /** Groups for what is asked for, empty. */
  public static ValueGroups groupsFor(Request request) {
    return new ValueGroups(request.sum().isPresent());
  }

  /**
   * Adds a row to its group; one that does not show the column that makes the groups has none.
   * Without such a column all rows are one group, of the empty value.
   *
   * @param values what is wanted of the cell that the row shows in a column; null if it shows none
   */
  public static void addRow(
      ValueGroups groups, Request request, Function<ColumnRef, byte[]> values) {
    byte[] value = request.groupBy().isPresent() ? values.apply(request.groupBy().get()) : ALL;
    if (value == null) {
      return;
    }
    ValueGroups.Group group = groups.add(value, 1);
    request
        .sum()
        .ifPresent(
            summed -> {
              byte[] cell = values.apply(summed.column());
              if (cell != null) {
                group.sum().add(summed.type(), cell);
              }
            });
  }

  /**
   * A region's answer.
   *
   * @param lastRow the key of the last of the rows
   */
  public static Cell answer(byte[] lastRow, Request request, ValueGroups groups) {
    return new KeyValue(lastRow, IndexFamily.bytes(), kindOf(request), groups.encode());
  }

  private static byte[] kindOf(Request request) {
    return request.sum().isPresent() ? SUMS : GROUPS;
  }

  /** How many rows a result of a scan that asks for their number stands for. */
  public static long rowsOf(Result result) {
    Cell cell = result.rawCells()[0];
    return isAnswer(cell, ROWS) ? Bytes.toLong(cell.getValueArray(), cell.getValueOffset()) : 1;
  }

  /** Adds what a result of a scan that asks for groups, or for sums, says. */
  public static void addTo(ValueGroups groups, Result result, Request request) {
    Cell cell = result.rawCells()[0];
    if (isAnswer(cell, kindOf(request))) {
      groups.addEncoded(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
      return;
    }
    addRow(groups, request, column -> wantedOf(result, column, request));
  }

  private static byte[] wantedOf(Result row, ColumnRef column, Request request) {
    Cell cell = row.getColumnLatestCell(column.family(), column.qualifier());
    return cell == null ? null : request.wantedOf(cell);
  }

  private static boolean isAnswer(Cell cell, byte[] kind) {
    return CellUtil.matchingColumn(cell, IndexFamily.bytes(), kind);
  }
}
