/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter.Link;
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
 * Writes filters to bytes and reads them back, either the bit planes alone or the whole counting
 * chain. Reading refuses whatever is damaged, and whatever would take more memory than the caller
 * allows before it allocates any of it.
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
 * <p>Body of {@link BlobKind#COUNTING_FILTER}. Planes are not stored: a bit is set where a counter
 * is above zero.
 *
 * <pre>
 *   int64 first capacity │ float64 error │ uint8 growth │ uint8 shared
 *   int32 next segment id │ var heavy limit
 *   var number of segments, then for each, in chain order:
 *     int32 id │ var size level │ var ordinal │ uint8 sealed │ uint8 encoding │ cells
 *   var number of heavy elements, then for each: int64 element │ var copies
 *
 *   cells, encoding 0 (dense):  one uint8 per two counters, the first in the low half
 *   cells, encoding 1 (sparse): var count, then per counter above zero:
 *                               var distance to the one before │ uint8 counter
 * </pre>
 *
 * <p>A distance counts from the cell after the one before, the first from cell 0.
 */
@InterfaceAudience.Private
public final class FilterCodec {
  private static final int DENSE = 0;
  private static final int SPARSE = 1;

  /** What a segment, a plane word or a table slot costs beyond its cells; for the memory limit. */
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

  /** The bytes of a whole counting filter; writer only. */
  public static byte[] encode(ScalableSplitCountingBloomFilter filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterGeometry geometry = filter.geometry();
    writeLong(out, geometry.firstCapacity(), Long.BYTES);
    writeLong(out, Double.doubleToRawLongBits(geometry.error()), Long.BYTES);
    out.write(geometry.growth());
    out.write(geometry.shared() ? 1 : 0);
    writeLong(out, filter.nextId(), Integer.BYTES);
    VarLong.write(out, filter.heavy().limit());
    VarLong.write(out, filter.chain().length);
    for (Link link : filter.chain()) {
      writeLong(out, link.id, Integer.BYTES);
      VarLong.write(out, link.level);
      VarLong.write(out, link.ordinal);
      out.write(link.sealed ? 1 : 0);
      writeCounters(out, link.filter);
    }
    VarLong.write(out, filter.heavy().size());
    filter
        .heavy()
        .forEach(
            (element, copies) -> {
              writeLong(out, element, Long.BYTES);
              VarLong.write(out, copies);
            });
    return Blob.seal(BlobKind.COUNTING_FILTER, out.toByteArray());
  }

  /**
   * Reads a whole counting filter.
   *
   * @param maxBytes heap that the result may take at most
   * @param listener hears of the changes from now on, not of what is read
   */
  public static ScalableSplitCountingBloomFilter decodeFilter(
      byte[] blob, long maxBytes, FilterChangeListener listener) throws MalformedBlobException {
    return Blob.read(BlobKind.COUNTING_FILTER, blob, body -> readFilter(body, maxBytes, listener));
  }

  private static ScalableSplitCountingBloomFilter readFilter(
      ByteBuffer body, long maxBytes, FilterChangeListener listener) throws MalformedBlobException {
    Budget budget = new Budget(BlobKind.COUNTING_FILTER, maxBytes);
    FilterGeometry geometry =
        new FilterGeometry(
            body.getLong(), Double.longBitsToDouble(body.getLong()), body.get(), body.get() != 0);
    int nextId = body.getInt();
    int heavyLimit = readInt(body);
    long count = VarLong.read(body);
    if (count < 1) {
      throw new IllegalArgumentException("a chain has no segment");
    }
    List<Link> chain = new ArrayList<>();
    Set<Integer> ids = new HashSet<>();
    Set<Integer> ordinals = new HashSet<>();
    for (long at = 0; at < count; at++) {
      int id = body.getInt();
      requireNew(ids, id);
      if (id >= nextId) {
        throw new IllegalArgumentException("segment " + id + " is not below " + nextId);
      }
      int level = readInt(body);
      int ordinal = readInt(body);
      if (geometry.shared() && !ordinals.add(ordinal)) {
        throw new IllegalArgumentException("ordinal " + ordinal + " comes twice");
      }
      SizeClass shape = geometry.sizeClass(level, ordinal);
      boolean sealed = body.get() != 0;
      budget.take(
          BitPlane.bytesFor(shape.cells()) + CounterArray.bytesFor(shape.cells()) + OVERHEAD_BYTES);
      chain.add(new Link(id, level, ordinal, readCounters(body, shape), sealed));
    }
    HeavyTable heavy = readHeavy(body, heavyLimit, budget);
    return new ScalableSplitCountingBloomFilter(
        geometry, listener, heavy, nextId, chain.toArray(Link[]::new));
  }

  private static HeavyTable readHeavy(ByteBuffer body, int limit, Budget budget)
      throws MalformedBlobException {
    HeavyTable heavy = new HeavyTable(limit);
    long count = VarLong.read(body);
    if (count > limit) {
      throw new IllegalArgumentException(count + " heavy elements exceed the limit of " + limit);
    }
    for (long at = 0; at < count; at++) {
      budget.take(4 * Long.BYTES);
      long element = body.getLong();
      if (heavy.contains(element)) {
        throw new IllegalArgumentException("heavy element " + element + " comes twice");
      }
      heavy.restore(element, VarLong.read(body));
    }
    return heavy;
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

  private static void writeCounters(ByteArrayOutputStream out, SplitCountingBloomFilter filter) {
    BitPlane plane = filter.plane();
    CounterArray counters = filter.counters();
    long cells = plane.size();
    // Two bytes or more for a counter above zero against half a byte for every counter.
    if (2 * plane.cardinality() < cells / 2) {
      out.write(SPARSE);
      VarLong.write(out, plane.cardinality());
      long[] next = {0};
      plane.forEachSet(
          position -> {
            VarLong.write(out, position - next[0]);
            out.write(counters.get(position));
            next[0] = position + 1;
          });
      return;
    }
    out.write(DENSE);
    for (long position = 0; position < cells; position += 2) {
      int high = position + 1 < cells ? counters.get(position + 1) : 0;
      out.write(counters.get(position) | high << 4);
    }
  }

  private static SplitCountingBloomFilter readCounters(ByteBuffer body, SizeClass shape) {
    long cells = shape.cells();
    if (readEncoding(body) == DENSE) {
      requireRemaining(body, (cells + 1) / 2);
      SplitCountingBloomFilter filter = new SplitCountingBloomFilter(shape);
      for (long position = 0; position < cells; position += 2) {
        byte pair = body.get();
        restore(filter, position, pair & 0xF);
        if (position + 1 < cells) {
          restore(filter, position + 1, pair >>> 4 & 0xF);
        } else if (pair >>> 4 != 0) {
          throw new IllegalArgumentException("a counter lies beyond the last of " + cells);
        }
      }
      return filter;
    }
    SplitCountingBloomFilter filter = new SplitCountingBloomFilter(shape);
    long count = VarLong.read(body);
    long next = 0;
    for (long at = 0; at < count; at++) {
      long position = readPosition(body, next, cells);
      int counter = body.get();
      if (counter < 1 || counter > CounterArray.STUCK) {
        throw new IllegalArgumentException("a counter is " + counter);
      }
      restore(filter, position, counter);
      next = position + 1;
    }
    return filter;
  }

  private static void restore(SplitCountingBloomFilter filter, long position, int counter) {
    if (counter != 0) {
      filter.restore(position, counter);
    }
  }

  private static int readInt(ByteBuffer body) {
    return Math.toIntExact(Math.min(VarLong.read(body), Integer.MAX_VALUE));
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
