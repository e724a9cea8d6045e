package io.hbaseindex.core.timecount;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The first bytes of a stored filter: what the table needs to know without reading the rest.
 *
 * <pre>
 *  offset  bytes  field (big-endian)
 *       0      4  magic "MBF1"
 *       4      4  version, 1
 *       8      8  hash seed
 *      16   6 x 4  window capacity, windows per filter, counters, counter hashes, bits, bit hashes
 *      40   2 x 8  id: first and last group
 *      56   2 x 8  span: first and last time
 *      72      4  number of windows
 *      76      8  number of events
 *      84      4  length of the body in bytes
 *      88      4  CRC-32C of bytes 0 to 87
 * </pre>
 */
record MbfHeader(
    MbfId id,
    MbfParameters parameters,
    long seed,
    TimeSpan span,
    int windows,
    long events,
    int bodyBytes) {

  static final int BYTES = 92;
  static final int VERSION = 1;
  private static final int MAGIC = 0x4D424631;
  private static final int CHECKED_BYTES = BYTES - Integer.BYTES;

  /** Bytes of the whole filter: this, the body and its checksum. */
  long storedBytes() {
    return BYTES + (long) bodyBytes + Integer.BYTES;
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putInt(MAGIC).putInt(VERSION).putLong(seed);
    out.putInt(parameters.windowCapacity()).putInt(parameters.windowsPerFilter());
    out.putInt(parameters.counters()).putInt(parameters.counterHashes());
    out.putInt(parameters.bits()).putInt(parameters.bitHashes());
    out.putLong(id.first()).putLong(id.last());
    out.putLong(span.first()).putLong(span.last());
    out.putInt(windows).putLong(events).putInt(bodyBytes);
    out.putInt(checksum(out.array()));
    return out.array();
  }

  /**
   * @param id what the filter is stored as
   * @param bytes the start of what is stored, at most {@link #BYTES}
   */
  static MbfHeader decode(MbfId id, byte[] bytes) throws CorruptMbfException {
    if (bytes.length < BYTES) {
      throw new CorruptMbfException(
          id, "it ends after " + bytes.length + " of " + BYTES + " header bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int magic = in.getInt();
    if (magic != MAGIC) {
      throw new CorruptMbfException(
          id, "it starts with " + Integer.toHexString(magic) + ", which is no filter's magic");
    }
    int version = in.getInt();
    if (version != VERSION) {
      throw new CorruptMbfException(
          id, "its version was " + version + "; this release reads version " + VERSION);
    }
    if (in.getInt(CHECKED_BYTES) != checksum(bytes)) {
      throw new CorruptMbfException(id, "the checksum of its header does not match");
    }
    try {
      return decodeChecked(id, in);
    } catch (IllegalArgumentException e) {
      throw new CorruptMbfException(id, "its header is not valid: " + e.getMessage());
    }
  }

  private static MbfHeader decodeChecked(MbfId id, ByteBuffer in) throws CorruptMbfException {
    long seed = in.getLong();
    MbfParameters parameters =
        new MbfParameters(
            in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getInt());
    MbfId stored = new MbfId(in.getLong(), in.getLong());
    if (!stored.equals(id)) {
      throw new CorruptMbfException(id, "it is filter " + stored + " under another name");
    }
    TimeSpan span = new TimeSpan(in.getLong(), in.getLong());
    return new MbfHeader(id, parameters, seed, span, in.getInt(), in.getLong(), in.getInt());
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CHECKED_BYTES);
    return (int) crc.getValue();
  }
}
