/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.format.VarLong;
import io.hbaseindex.core.route.RowRange;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a search for the first rows in an order and the connection below it tell each other: the
 * search, which regions it wants to visit now; the connection, behind the last row, which ones it
 * has visited if it has left some out. It is said by an attribute of the scan and by a result of
 * its own, within one process: a connection that does not know of it visits all regions and says
 * nothing.
 */
@InterfaceAudience.Private
public final class OrderedVisits {
  private static final String ATTRIBUTE = "hbaseindex.client.order-visits";
  private static final byte[] MARK = Bytes.toBytes("visited");

  /** A key for the result, which is no row. */
  private static final byte[] NO_ROW = {0};

  private OrderedVisits() {}

  /**
   * What is wanted.
   *
   * @param first how many of the regions that may reach farthest; of no meaning with {@code upTo}
   * @param upTo all regions that may have a row up to this place
   * @param visited key ranges that were visited before
   */
  public record Request(int first, Optional<RowOrder.Place> upTo, List<RowRange> visited) {}

  /** Makes a scan visit some regions only, where that is possible. */
  public static void askFor(Scan scan, Request request) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    VarLong.write(out, request.first());
    byte[] place = request.upTo().map(OrderedRows::encode).orElse(HConstants.EMPTY_BYTE_ARRAY);
    write(out, place);
    write(out, request.visited());
    scan.setAttribute(ATTRIBUTE, out.toByteArray());
  }

  /** What is wanted of a scan, which does not say so any more: servers need not hear of it. */
  public static Optional<Request> takeOff(Scan scan) {
    byte[] wanted = scan.getAttribute(ATTRIBUTE);
    if (wanted == null) {
      return Optional.empty();
    }
    scan.setAttribute(ATTRIBUTE, null);
    ByteBuffer in = ByteBuffer.wrap(wanted);
    int first = (int) VarLong.read(in);
    byte[] place = readBytes(in);
    return Optional.of(
        new Request(
            first,
            place.length == 0 ? Optional.empty() : Optional.of(OrderedRows.decode(place)),
            readRanges(in)));
  }

  /** What comes behind the last row if regions were left out. */
  public static Result leftOut(List<RowRange> visited) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, visited);
    Cell mark = new KeyValue(NO_ROW, IndexFamily.bytes(), MARK, out.toByteArray());
    return Result.create(List.of(mark));
  }

  /** The key ranges that were visited; empty if this is a row. */
  public static Optional<List<RowRange>> visited(Result result) {
    Cell mark = result.rawCells()[0];
    return CellUtil.matchingColumn(mark, IndexFamily.bytes(), MARK)
        ? Optional.of(readRanges(ByteBuffer.wrap(CellUtil.cloneValue(mark))))
        : Optional.empty();
  }

  private static void write(ByteArrayOutputStream out, List<RowRange> ranges) {
    VarLong.write(out, ranges.size());
    for (RowRange range : ranges) {
      write(out, range.start());
      write(out, range.end());
    }
  }

  private static void write(ByteArrayOutputStream out, byte[] bytes) {
    VarLong.write(out, bytes.length);
    out.writeBytes(bytes);
  }

  private static List<RowRange> readRanges(ByteBuffer in) {
    List<RowRange> ranges = new ArrayList<>();
    for (long left = VarLong.read(in); left > 0; left--) {
      byte[] start = readBytes(in);
      ranges.add(new RowRange(start, readBytes(in)));
    }
    return ranges;
  }

  private static byte[] readBytes(ByteBuffer in) {
    byte[] bytes = new byte[(int) VarLong.read(in)];
    in.get(bytes);
    return bytes;
  }
}
