package io.hbaseindex.core.timecount;

import io.hbaseindex.core.filter.BitPlane;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A filter as bytes. Whatever is cut short or altered is refused, never interpreted.
 *
 * <pre>
 *  header   {@link MbfHeader}
 *  body     words of the bit vector, 8 bytes each
 *           per window: first time (8), last time (8), events (4), capacity (4), words of the
 *           counters, 8 bytes each; a counter has ⌈log₂(capacity + 1)⌉ bits
 *  trailer  CRC-32C of the body (4); nothing follows
 * </pre>
 *
 * All numbers are big-endian. The body is checked as a whole before any of it is looked at.
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
        Math.toIntExact(bodyBytes(filter)));
  }

  /** Bytes of the body of a filter; what a store must hold beside header and trailer. */
  static long bodyBytes(MultiBloomFilter filter) {
    long bytes = (long) filter.bits().wordCount() * Long.BYTES;
    for (CountingWindow window : filter.windows()) {
      bytes += WINDOW_HEADER_BYTES + (long) window.counters().wordCount() * Long.BYTES;
    }
    return bytes;
  }

  static void write(MbfHeader header, MultiBloomFilter filter, OutputStream out)
      throws IOException {
    ByteBuffer body = ByteBuffer.allocate(header.bodyBytes() + Integer.BYTES);
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
    body.putInt(checksum(body.array(), header.bodyBytes()));
    out.write(header.encode());
    out.write(body.array());
  }

  static MbfHeader readHeader(MbfId id, InputStream in) throws IOException {
    return MbfHeader.decode(id, in.readNBytes(MbfHeader.BYTES));
  }

  static MultiBloomFilter read(MbfId id, InputStream in) throws IOException {
    MbfHeader header = readHeader(id, in);
    int length = header.bodyBytes();
    if (length < 0 || length > MbfParameters.MAX_FILTER_BYTES) {
      throw new CorruptMbfException(id, "its body would have " + length + " bytes");
    }
    byte[] body = in.readNBytes(length + Integer.BYTES);
    if (body.length < length + Integer.BYTES) {
      throw new CorruptMbfException(
          id, "it ends after " + body.length + " of " + (length + Integer.BYTES) + " body bytes");
    }
    if (ByteBuffer.wrap(body).getInt(length) != checksum(body, length)) {
      throw new CorruptMbfException(id, "the checksum of its body does not match");
    }
    if (in.read() >= 0) {
      throw new CorruptMbfException(id, "bytes follow its end");
    }
    try {
      return decodeBody(header, ByteBuffer.wrap(body, 0, length));
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new CorruptMbfException(id, "its body does not fit its header: " + e);
    }
  }

  private static MultiBloomFilter decodeBody(MbfHeader header, ByteBuffer body)
      throws CorruptMbfException {
    MbfParameters parameters = header.parameters();
    int bits = parameters.bits();
    BitPlane plane =
        BitPlane.ofWords(bits, words(body, (int) (BitPlane.bytesFor(bits) / Long.BYTES)));
    List<CountingWindow> windows = new ArrayList<>();
    for (int i = 0; i < header.windows(); i++) {
      windows.add(decodeWindow(parameters, body));
    }
    if (body.hasRemaining()) {
      throw new CorruptMbfException(header.id(), body.remaining() + " bytes follow its windows");
    }
    return new MultiBloomFilter(parameters, plane, windows);
  }

  private static CountingWindow decodeWindow(MbfParameters parameters, ByteBuffer body) {
    TimeSpan span = new TimeSpan(body.getLong(), body.getLong());
    int events = body.getInt();
    int capacity = body.getInt();
    if (events < 0 || events > capacity || capacity > MbfParameters.MAX_WINDOW_CAPACITY) {
      throw new IllegalArgumentException("a window has " + events + " of " + capacity + " events");
    }
    int width = MbfParameters.counterWidth(capacity);
    long[] words = words(body, PackedCounters.wordsFor(parameters.counters(), width));
    return new CountingWindow(
        span, events, capacity, new PackedCounters(parameters.counters(), width, words));
  }

  private static long[] words(ByteBuffer body, int count) {
    long[] words = new long[count];
    body.asLongBuffer().get(words);
    body.position(body.position() + count * Long.BYTES);
    return words;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
