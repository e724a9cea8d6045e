/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.route.RegionBounds;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Writes a filter with all its counters to a stream, part by part, so that no more than one part is
 * in memory at a time.
 *
 * <p>A stored filter is a row of blobs of kind {@link BlobKind#STORED_FILTER}, each with a checksum
 * of its own and the number of its place; the last one says that it is the last. The filters of all
 * shards of a region follow each other, and their blobs are numbered through.
 *
 * <pre>
 *   every part:  var number, from 0 │ uint8 what │ …
 *
 *   0 head       int64 id │ int64 incarnation │ var shard │ var number of shards │ int64 through
 *                var number of indexes, then for each: var index │ var version │ int64 seed
 *                int64 first capacity │ float64 error │ uint8 growth │ uint8 shared
 *                var number of segments, then for each, in chain order: var id │ var level │ var ordinal
 *   1 frequent   var number of elements, then for each: int64 element │ var copies beside the chain
 *   2 piece      var segment │ var first word │ var number of words, then int64 each
 *                uint8 exhausted │ var number of excesses, then for each: var distance │ var excess
 *   3 again      var number of elements, then int64 each: those to be counted again
 *   4 end
 *   5            ranges of the values, as an earlier release has stored them; not used
 *   6 bounds     of the values that it holds ({@link Bounds}); without this part they may be any
 * </pre>
 *
 * <p>A word has 32 counters of two bits, the first in the lowest. A distance counts from the cell
 * after the one before, the first from the first cell of the piece; an excess of 65,535 never ends.
 */
@InterfaceAudience.Private
public final class StoredFilterWriter {
  static final int HEAD = 0;
  static final int FREQUENT = 1;
  static final int PIECE = 2;
  static final int AGAIN = 3;
  static final int END = 4;
  static final int RANGES = 5;
  static final int BOUNDS = 6;

  private static final int ELEMENTS_PER_PART = 1 << 13;

  private final OutputStream out;
  private long number;
  private long bytes;

  public StoredFilterWriter(OutputStream out) {
    this.out = out;
  }

  /** Writes what comes first of a filter. */
  public void head(StoredFilter filter) throws IOException {
    WireWriter body = part(HEAD);
    body.int64(filter.id());
    body.int64(filter.incarnation());
    body.var(filter.shard());
    body.var(filter.shards());
    body.int64(filter.through());
    body.var(filter.covered().size());
    for (StoredFilter.Index index : filter.covered()) {
      body.var(index.space());
      body.var(index.version());
      body.int64(index.seed());
    }
    FilterGeometry geometry = filter.outline().geometry();
    body.int64(geometry.firstCapacity());
    body.int64(Double.doubleToLongBits(geometry.error()));
    body.uint8(geometry.growth());
    body.bool(geometry.shared());
    body.var(filter.outline().segments().size());
    for (FilterImage.Segment segment : filter.outline().segments()) {
      body.var(segment.id());
      body.var(segment.level());
      body.var(segment.ordinal());
    }
    write(body);
  }

  /** Writes the frequent elements. */
  public void frequent(List<FilterImage.Frequent> elements) throws IOException {
    for (int from = 0; from < elements.size(); from += ELEMENTS_PER_PART) {
      List<FilterImage.Frequent> some =
          elements.subList(from, Math.min(from + ELEMENTS_PER_PART, elements.size()));
      WireWriter body = part(FREQUENT);
      body.var(some.size());
      for (FilterImage.Frequent frequent : some) {
        body.int64(frequent.element());
        body.var(frequent.copies());
      }
      write(body);
    }
  }

  /** Writes counters. */
  public void piece(FilterImage.Piece piece) throws IOException {
    WireWriter body = part(PIECE);
    body.var(piece.segment());
    body.var(piece.firstWord());
    body.var(piece.words().length);
    for (long word : piece.words()) {
      body.int64(word);
    }
    body.bool(piece.exhausted());
    body.var(piece.excesses().length);
    long next = 0;
    for (long entry : piece.excesses()) {
      long place = entry >>> FilterImage.EXCESS_BITS;
      body.var(place - next);
      body.var(entry & (1 << FilterImage.EXCESS_BITS) - 1);
      next = place + 1;
    }
    write(body);
  }

  /** Writes the elements that were deleted meanwhile. */
  public void again(long... elements) throws IOException {
    for (int from = 0; from < elements.length; from += ELEMENTS_PER_PART) {
      int to = Math.min(from + ELEMENTS_PER_PART, elements.length);
      WireWriter body = part(AGAIN);
      body.var(to - from);
      for (int at = from; at < to; at++) {
        body.int64(elements[at]);
      }
      write(body);
    }
  }

  /** Writes the bounds of the values that the filter holds. */
  public void bounds(RegionBounds bounds) throws IOException {
    WireWriter body = part(BOUNDS);
    Bounds.write(body, bounds);
    write(body);
  }

  /** Writes that this is all of a filter. */
  public void end() throws IOException {
    write(part(END));
  }

  /** Bytes written so far. */
  public long bytes() {
    return bytes;
  }

  private WireWriter part(int what) {
    WireWriter body = new WireWriter();
    body.var(number++);
    body.uint8(what);
    return body;
  }

  private void write(WireWriter body) throws IOException {
    byte[] blob = Blob.seal(BlobKind.STORED_FILTER, body.toByteArray());
    out.write(blob);
    bytes += blob.length;
  }
}
