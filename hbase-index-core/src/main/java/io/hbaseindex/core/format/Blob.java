/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Wraps a body so that a reader can tell a whole, unharmed blob of the right kind from anything
 * else before it looks at a single byte of the body.
 *
 * <pre>
 *   offset 0        4         6          8                16             16 + length
 *          ┌────────┬─────────┬──────────┬────────────────┬───── … ─────┬──────────┐
 *          │ magic  │ version │ zero     │ body length    │ body        │ CRC-32C  │
 *          │ 4      │ 2       │ 2        │ 8              │ length      │ 4        │
 *          └────────┴─────────┴──────────┴────────────────┴───── … ─────┴──────────┘
 * </pre>
 *
 * <p>All numbers are big-endian. The checksum covers every byte before it.
 */
@InterfaceAudience.Private
public final class Blob {
  private static final int HEADER_LENGTH = BlobKind.MAGIC_LENGTH + 2 + 2 + 8;
  private static final int CHECKSUM_LENGTH = 4;

  private Blob() {}

  /** Bytes a blob takes beyond its body. */
  public static int overhead() {
    return HEADER_LENGTH + CHECKSUM_LENGTH;
  }

  /** The blob around a body, in the kind's version. */
  public static byte[] seal(BlobKind kind, byte[] body) {
    ByteBuffer blob = ByteBuffer.allocate(Math.addExact(overhead(), body.length));
    blob.put(kind.magic());
    blob.putShort((short) kind.version());
    blob.putShort((short) 0);
    blob.putLong(body.length);
    blob.put(body);
    blob.putInt(checksum(blob.array(), blob.position()));
    return blob.array();
  }

  /**
   * The next of several blobs that lie one behind the other in a stream, whole and unopened.
   *
   * @param mostBytes that it may have; none longer is allocated
   * @throws MalformedBlobException if there is no whole blob of at most so many bytes
   */
  public static byte[] readFrom(InputStream in, BlobKind kind, int mostBytes) throws IOException {
    byte[] header = in.readNBytes(HEADER_LENGTH);
    if (header.length < HEADER_LENGTH) {
      throw new MalformedBlobException(kind, "it ends before the " + HEADER_LENGTH + "th byte");
    }
    long length = ByteBuffer.wrap(header).getLong(HEADER_LENGTH - Long.BYTES);
    if (length < 0 || length > mostBytes - overhead()) {
      throw new MalformedBlobException(
          kind, "it names a body of " + length + " bytes, more than " + mostBytes + " hold");
    }
    byte[] blob = Arrays.copyOf(header, overhead() + (int) length);
    int rest = blob.length - HEADER_LENGTH;
    if (in.readNBytes(blob, HEADER_LENGTH, rest) < rest) {
      throw new MalformedBlobException(kind, "it ends before its " + blob.length + "th byte");
    }
    return blob;
  }

  /**
   * The body of a blob, read-only.
   *
   * @throws MalformedBlobException if the blob is of another kind, of a version that is not
   *     understood, cut short, too long or changed in any bit
   */
  public static ByteBuffer open(BlobKind kind, byte[] blob) throws MalformedBlobException {
    if (blob.length < overhead()) {
      throw new MalformedBlobException(
          kind, "it has " + blob.length + " bytes, fewer than an empty one");
    }
    byte[] magic = Arrays.copyOf(blob, BlobKind.MAGIC_LENGTH);
    if (!Arrays.equals(magic, kind.magic())) {
      throw new MalformedBlobException(kind, "it starts with " + Arrays.toString(magic));
    }
    ByteBuffer header = ByteBuffer.wrap(blob).position(BlobKind.MAGIC_LENGTH);
    int version = Short.toUnsignedInt(header.getShort());
    if (version != kind.version()) {
      throw new MalformedBlobException(
          kind, "its version is %d, this release reads %d".formatted(version, kind.version()));
    }
    int zero = header.getShort();
    long length = header.getLong();
    if (zero != 0 || length != blob.length - overhead()) {
      throw new MalformedBlobException(
          kind, "it names a body of " + length + " bytes and holds " + (blob.length - overhead()));
    }
    int bodyEnd = HEADER_LENGTH + (int) length;
    int expected = ByteBuffer.wrap(blob).getInt(bodyEnd);
    int actual = checksum(blob, bodyEnd);
    if (expected != actual) {
      throw new MalformedBlobException(
          kind, String.format("its checksum is %08x, its bytes give %08x", expected, actual));
    }
    return ByteBuffer.wrap(blob, HEADER_LENGTH, (int) length).slice().asReadOnlyBuffer();
  }

  /**
   * Reads a body; what a reader trips over in a body that a faulty or hostile writer has sealed is
   * reported like any other damage.
   */
  public static <T> T read(BlobKind kind, byte[] blob, BodyReader<T> reader)
      throws MalformedBlobException {
    ByteBuffer body = open(kind, blob);
    T value;
    try {
      value = reader.read(body);
    } catch (BufferUnderflowException | IllegalArgumentException damage) {
      MalformedBlobException malformed =
          new MalformedBlobException(kind, "its body is damaged: " + damage.getMessage());
      malformed.initCause(damage);
      throw malformed;
    }
    if (body.hasRemaining()) {
      throw new MalformedBlobException(
          kind, body.remaining() + " bytes are left over behind its body");
    }
    return value;
  }

  /** Reads a value from a body. */
  public interface BodyReader<T> {
    T read(ByteBuffer body) throws MalformedBlobException;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }
}
