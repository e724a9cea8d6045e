/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.seeds.timecount.filter.CountingWindow;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.MultiBloomFilter;
import io.hbaseindex.seeds.timecount.filter.PackedCounters;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter as bytes: the {@link MbfHeader}, then, sealed on its own, the content. Whatever is cut
 * short or altered is refused, never interpreted.
 *
 * <p>Body of {@link BlobKind#TIME_FILTER_CONTENT}:
 *
 * <pre>
 *   int64 × ⌈bits / 64⌉   the bit vector, bit 0 first
 *   then for each window, in the filter's order:
 *     int64 first time │ int64 last time │ int32 events │ int32 capacity
 *     int64 × ⌈counters · width / 64⌉   the counters; width is ⌈log₂(capacity + 1)⌉ bits
 * </pre>
 */
final class MbfCodec {
  private static final int WINDOW_HEADER_BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

  private MbfCodec() {}

  static MbfHeader headerOf(MbfId id, long seed, MultiBloomFilter filter) {
    return new MbfHeader(
        id,
        filter.parameters(),
        seed,
        filter.span(),
        filter.windows().size(),
        filter.events(),
        bodyBytes(filter) + Blob.overhead());
  }

  static void write(MbfHeader header, MultiBloomFilter filter, OutputStream out)
      throws IOException {
    ByteBuffer body = ByteBuffer.allocate(bodyBytes(filter));
    BitPlane bits = filter.bits();
    for (int i = 0; i < bits.wordCount(); i++) {
      body.putLong(bits.word(i));
    }
    for (CountingWindow window : filter.windows()) {
      body.putLong(window.span().first()).putLong(window.span().last());
      body.putInt(window.events()).putInt(window.capacity());
      PackedCounters counters = window.counters();
      for (int i = 0; i < counters.wordCount(); i++) {
        body.putLong(counters.word(i));
      }
    }
    out.write(header.encode());
    out.write(Blob.seal(BlobKind.TIME_FILTER_CONTENT, body.array()));
  }

  static MbfHeader readHeader(MbfId id, InputStream in) throws IOException {
    byte[] start = in.readNBytes(MbfHeader.BYTES);
    MbfHeader header;
    try {
      header = MbfHeader.decode(start);
    } catch (MalformedBlobException e) {
      throw new CorruptMbfException(id, e);
    }
    if (!header.id().equals(id)) {
      throw new CorruptMbfException(id, "it is filter " + header.id() + " under another name");
    }
    return header;
  }

  static MultiBloomFilter read(MbfId id, InputStream in) throws IOException {
    MbfHeader header = readHeader(id, in);
    byte[] content = in.readNBytes(header.contentBytes());
    if (in.read() >= 0) {
      throw new CorruptMbfException(id, "bytes follow its end");
    }
    try {
      return Blob.read(BlobKind.TIME_FILTER_CONTENT, content, body -> decodeContent(header, body));
    } catch (MalformedBlobException e) {
      throw new CorruptMbfException(id, e);
    }
  }

  private static int bodyBytes(MultiBloomFilter filter) {
    long bytes = (long) filter.bits().wordCount() * Long.BYTES;
    for (CountingWindow window : filter.windows()) {
      bytes += WINDOW_HEADER_BYTES + (long) window.counters().wordCount() * Long.BYTES;
    }
    return Math.toIntExact(bytes);
  }

  private static MultiBloomFilter decodeContent(MbfHeader header, ByteBuffer body) {
    MbfParameters parameters = header.parameters();
    int bits = parameters.bits();
    BitPlane plane =
        BitPlane.ofWords(bits, words(body, (int) (BitPlane.bytesFor(bits) / Long.BYTES)));
    List<CountingWindow> windows = new ArrayList<>();
    long eventsLeft = header.events();
    for (int i = 0; i < header.windows(); i++) {
      CountingWindow window = decodeWindow(parameters, body, eventsLeft);
      eventsLeft -= window.events();
      windows.add(window);
    }
    if (eventsLeft != 0) {
      throw new IllegalArgumentException("its windows lack " + eventsLeft + " of its events");
    }
    return new MultiBloomFilter(parameters, plane, windows);
  }

  private static CountingWindow decodeWindow(
      MbfParameters parameters, ByteBuffer body, long mostEvents) {
    TimeSpan span = new TimeSpan(body.getLong(), body.getLong());
    int events = body.getInt();
    int capacity = body.getInt();
    if (events < 0 || events > capacity || capacity > MbfParameters.MAX_WINDOW_CAPACITY) {
      throw new IllegalArgumentException("a window has " + events + " of " + capacity + " events");
    }
    if (events > mostEvents) {
      throw new IllegalArgumentException("a window has " + events + " events of " + mostEvents);
    }
    int width = MbfParameters.counterWidth(capacity);
    long[] words = words(body, PackedCounters.wordsFor(parameters.counters(), width));
    PackedCounters counters = new PackedCounters(parameters.counters(), width, words);
    return new CountingWindow(span, events, capacity, counters, parameters.counterHashes());
  }

  private static long[] words(ByteBuffer body, int count) {
    if (count > body.remaining() / Long.BYTES) {
      throw new IllegalArgumentException(
          "it ends within " + count + " words, " + body.remaining() + " bytes are left");
    }
    long[] words = new long[count];
    body.asLongBuffer().get(words);
    body.position(body.position() + count * Long.BYTES);
    return words;
  }
}
