/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.format.VarLong;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Writes the bit planes of filters to bytes and reads them back. Reading refuses whatever is
 * damaged, and whatever would take more memory than the caller allows before it allocates any of
 * it.
 *
 * <p>Body of {@link BlobKind#FILTER_PLANES}; {@code var} is a {@link VarLong}:
 *
 * <pre>
 *   var number of segments, then for each, in chain order:
 *     int32 id │ uint8 slices │ int64 slots │ uint8 encoding │ cells
 *
 *   cells, encoding 0 (dense):  int64 × ⌈slices · slots / 64⌉, bit 0 first
 *   cells, encoding 1 (sparse): var count, then per set bit: var distance to the one before
 * </pre>
 *
 * <p>A distance counts from the cell after the one before, the first from cell 0.
 */
@InterfaceAudience.Private
public final class FilterCodec {
  private static final int DENSE = 0;
  private static final int SPARSE = 1;

  /** What a segment costs beyond its cells; for the memory limit. */
  private static final int OVERHEAD_BYTES = 128;

  private FilterCodec() {}

  /** The bytes of the planes of a chain. */
  public static byte[] encode(FilterSnapshot snapshot) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    VarLong.write(out, snapshot.segments().size());
    for (FilterSnapshot.Segment segment : snapshot.segments()) {
      SizeClass shape = segment.sizeClass();
      writeLong(out, segment.id(), Integer.BYTES);
      out.write(shape.slices());
      writeLong(out, shape.slots(), Long.BYTES);
      writePlane(out, segment.plane());
    }
    return Blob.seal(BlobKind.FILTER_PLANES, out.toByteArray());
  }

  /**
   * Reads the planes of a chain.
   *
   * @param maxBytes heap that the result may take at most
   */
  public static FilterSnapshot decodeSnapshot(byte[] blob, long maxBytes)
      throws MalformedBlobException {
    return Blob.read(
        BlobKind.FILTER_PLANES,
        blob,
        body -> {
          Budget budget = new Budget(BlobKind.FILTER_PLANES, maxBytes);
          long count = VarLong.read(body);
          List<FilterSnapshot.Segment> segments = new ArrayList<>();
          Set<Integer> ids = new HashSet<>();
          for (long at = 0; at < count; at++) {
            int id = body.getInt();
            requireNew(ids, id);
            SizeClass shape = new SizeClass(body.get(), body.getLong());
            budget.take(BitPlane.bytesFor(shape.cells()) + OVERHEAD_BYTES);
            segments.add(new FilterSnapshot.Segment(id, shape, readPlane(body, shape.cells())));
          }
          return new FilterSnapshot(segments);
        });
  }

  private static void writePlane(ByteArrayOutputStream out, BitPlane plane) {
    ByteArrayOutputStream sparse = new ByteArrayOutputStream();
    long denseBytes = BitPlane.bytesFor(plane.size());
    // A set bit takes at least a byte, so most dense planes need not be tried the sparse way.
    if (plane.cardinality() < denseBytes) {
      VarLong.write(sparse, plane.cardinality());
      long[] next = {0};
      plane.forEachSet(
          position -> {
            VarLong.write(sparse, position - next[0]);
            next[0] = position + 1;
          });
    }
    if (sparse.size() > 0 && sparse.size() < denseBytes) {
      out.write(SPARSE);
      out.writeBytes(sparse.toByteArray());
      return;
    }
    out.write(DENSE);
    for (int at = 0; at < plane.wordCount(); at++) {
      writeLong(out, plane.word(at), Long.BYTES);
    }
  }

  private static BitPlane readPlane(ByteBuffer body, long cells) {
    if (readEncoding(body) == DENSE) {
      requireRemaining(body, BitPlane.bytesFor(cells));
      long[] words = new long[Math.toIntExact(BitPlane.bytesFor(cells) / Long.BYTES)];
      for (int at = 0; at < words.length; at++) {
        words[at] = body.getLong();
      }
      return BitPlane.ofWords(cells, words);
    }
    BitPlane plane = new BitPlane(cells);
    long count = VarLong.read(body);
    long next = 0;
    for (long at = 0; at < count; at++) {
      long position = readPosition(body, next, cells);
      plane.set(position);
      next = position + 1;
    }
    return plane;
  }

  private static int readEncoding(ByteBuffer body) {
    int encoding = body.get();
    if (encoding != DENSE && encoding != SPARSE) {
      throw new IllegalArgumentException("cell encoding " + encoding + " is unknown");
    }
    return encoding;
  }

  private static long readPosition(ByteBuffer body, long next, long cells) {
    long distance = VarLong.read(body);
    if (distance >= cells - next) {
      throw new IllegalArgumentException("a cell lies beyond the last of " + cells);
    }
    return next + distance;
  }

  private static void requireRemaining(ByteBuffer body, long bytes) {
    if (body.remaining() < bytes) {
      throw new IllegalArgumentException(
          bytes + " bytes of cells are announced, " + body.remaining() + " are there");
    }
  }

  private static void requireNew(Set<Integer> ids, int id) {
    if (!ids.add(id)) {
      throw new IllegalArgumentException("segment " + id + " comes twice");
    }
  }

  private static void writeLong(ByteArrayOutputStream out, long value, int bytes) {
    for (int shift = Byte.SIZE * (bytes - 1); shift >= 0; shift -= Byte.SIZE) {
      out.write((int) (value >>> shift));
    }
  }

  /** Counts down the heap that may still be allocated. */
  private static final class Budget {
    private final BlobKind kind;
    private final long limit;
    private long taken;

    Budget(BlobKind kind, long limit) {
      this.kind = kind;
      this.limit = limit;
    }

    void take(long bytes) throws MalformedBlobException {
      if (bytes > limit - taken) {
        throw new MalformedBlobException(
            kind, "it needs at least " + (taken + bytes) + " bytes, the limit is " + limit);
      }
      taken += bytes;
    }
  }
}
