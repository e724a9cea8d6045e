/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.format.VarLong;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Scans that ask each region for the first of its rows in the order of a column, and the answers of
 * regions.
 *
 * <p>A region returns these rows in the order of their keys, as any scan does, so that a client
 * whose call fails goes on behind the last of them. The first cell of each is a mark in the hidden
 * family, which users never see. In the first row of an answer it says which keys the answer speaks
 * of and up to which place it is complete; in the others it is empty.
 */
@InterfaceAudience.Private
public final class OrderedRows {
  private static final byte[] MARK = Bytes.toBytes("ordered");
  private static final byte[] FOLLOWS = {};
  private static final String DESCENDING = "desc";
  private static final String ASCENDING = "asc";

  private static final Set<FilterTrait> SHOW_WHOLE_ROWS =
      Set.of(FilterTrait.WHOLE_ROWS, FilterTrait.WHOLE_ROWS_BY_RISING_KEYS);

  private OrderedRows() {}

  /**
   * What a scan asks for.
   *
   * @param rows how many rows are enough, of each region
   * @param after only rows behind this place; empty for the first ones
   */
  public record Request(RowOrder order, int rows, Optional<RowOrder.Place> after) {}

  /**
   * What one answer speaks of.
   *
   * @param first the lowest key that it speaks of
   * @param end the key behind the highest one; empty if it speaks of all above
   * @param complete the last place up to which all rows are told; empty if there are no more
   */
  public record Mark(byte[] first, byte[] end, Optional<RowOrder.Place> complete) {}

  /**
   * A row of an answer.
   *
   * @param begins the mark of the answer whose first row this is; empty for the others
   * @param row without its mark
   */
  public record Marked(Optional<Mark> begins, Result row) {}

  /** Makes a scan, which reads the column, ask for the first rows of each region. */
  public static void askFor(Scan scan, Request request) {
    String text =
        "%s %s %d %s"
            .formatted(
                request.order.column(),
                request.order.descending() ? DESCENDING : ASCENDING,
                request.rows,
                request.order.type().keyword());
    scan.setAttribute(IndexSettings.SCAN_ORDER_BY, text.getBytes(StandardCharsets.US_ASCII));
    request.after.ifPresent(
        place -> scan.setAttribute(IndexSettings.SCAN_ORDER_AFTER, encode(place)));
  }

  /**
   * What a scan asks for; empty if it wants all rows. What cannot be read is answered by all rows,
   * without marks.
   */
  public static Optional<Request> in(Scan scan) {
    byte[] order = scan.getAttribute(IndexSettings.SCAN_ORDER_BY);
    if (order == null) {
      return Optional.empty();
    }
    // A column is written without blanks.
    String[] words = new String(order, StandardCharsets.US_ASCII).split(" ", -1);
    byte[] after = scan.getAttribute(IndexSettings.SCAN_ORDER_AFTER);
    try {
      boolean descending = words.length == 4 && words[1].equals(DESCENDING);
      boolean known = words.length == 4 && (descending || words[1].equals(ASCENDING));
      int rows = known ? Integer.parseInt(words[2]) : 0;
      return rows < 1
          ? Optional.empty()
          : Optional.of(
              new Request(
                  new RowOrder(ColumnRef.parse(words[0]), ValueType.parse(words[3]), descending),
                  rows,
                  Optional.ofNullable(after).map(OrderedRows::decode)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether a filter is known to show all cells of the rows that pass, and so their place in any
   * order.
   */
  public static boolean showsPlaces(Filter filter) {
    return SHOW_WHOLE_ROWS.containsAll(KnownFilters.traitsOf(filter));
  }

  /** Whether a filter has to be shown rows by rising keys, or refuses some that it wants. */
  public static boolean needsRisingKeys(Filter filter) {
    return KnownFilters.traitsOf(filter).contains(FilterTrait.WHOLE_ROWS_BY_RISING_KEYS);
  }

  /** The mark of the first row of an answer. */
  public static Cell first(byte[] row, Mark mark) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, mark.first);
    write(out, mark.end);
    out.write(mark.complete.isPresent() ? 1 : 0);
    mark.complete.ifPresent(place -> write(out, place));
    return new KeyValue(row, IndexFamily.bytes(), MARK, out.toByteArray());
  }

  /** The mark of every other row. */
  public static Cell following(byte[] row) {
    return new KeyValue(row, IndexFamily.bytes(), MARK, FOLLOWS);
  }

  /**
   * Reads a row of an answer; empty if it has no mark, as rows of servers that do not know such
   * scans.
   *
   * @throws DoNotRetryIOException if the mark cannot be read
   */
  public static Optional<Marked> read(Result result) throws DoNotRetryIOException {
    Cell[] cells = result.rawCells();
    if (!CellUtil.matchingColumn(cells[0], IndexFamily.bytes(), MARK)) {
      return Optional.empty();
    }
    Result row = Result.create(Arrays.copyOfRange(cells, 1, cells.length));
    if (cells[0].getValueLength() == 0) {
      return Optional.of(new Marked(Optional.empty(), row));
    }
    ByteBuffer in = ByteBuffer.wrap(CellUtil.cloneValue(cells[0]));
    try {
      byte[] first = readBytes(in);
      byte[] end = readBytes(in);
      Optional<RowOrder.Place> complete =
          in.get() == 0 ? Optional.empty() : Optional.of(readPlace(in));
      return Optional.of(new Marked(Optional.of(new Mark(first, end, complete)), row));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new DoNotRetryIOException(
          "Cannot read a row in the order of a column: the mark of row %s had %d bytes that are none; have servers and clients on one version"
              .formatted(Bytes.toStringBinary(row.getRow()), cells[0].getValueLength()),
          e);
    }
  }

  /** A place as bytes: the length of its value, the value, the row's key. */
  public static byte[] encode(RowOrder.Place place) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, place);
    return out.toByteArray();
  }

  /**
   * Reads a place.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static RowOrder.Place decode(byte[] place) {
    try {
      return readPlace(ByteBuffer.wrap(place));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("Cannot read a place: it ends too early", e);
    }
  }

  private static void write(ByteArrayOutputStream out, RowOrder.Place place) {
    write(out, place.value());
    out.writeBytes(place.row());
  }

  private static void write(ByteArrayOutputStream out, byte[] bytes) {
    VarLong.write(out, bytes.length);
    out.writeBytes(bytes);
  }

  private static RowOrder.Place readPlace(ByteBuffer in) {
    byte[] value = readBytes(in);
    byte[] row = new byte[in.remaining()];
    in.get(row);
    return new RowOrder.Place(value, row);
  }

  private static byte[] readBytes(ByteBuffer in) {
    long length = VarLong.read(in);
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException(
          "Cannot read a place: %d bytes were announced and %d are left"
              .formatted(length, in.remaining()));
    }
    byte[] bytes = new byte[(int) length];
    in.get(bytes);
    return bytes;
  }
}
