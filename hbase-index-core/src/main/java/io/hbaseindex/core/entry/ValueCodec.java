/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Arrays;

/**
 * Writes one column value so that encodings sort as the values do and none is the beginning of
 * another.
 *
 * <pre>
 *  absent column     00 00
 *  value, ≤ 512      every 00 of the value as 00 FF, then 00 01
 *  value, longer     its first 512 bytes likewise, then 00 02, then 16 bytes of hash
 * </pre>
 *
 * <p>The two bytes at an ending compare absent &lt; end of value &lt; end of prefix &lt; a zero
 * byte of the value, which is the order of the values themselves; only long values that share their
 * first 512 bytes are out of order among each other (they sort by hash), so ranges that end among
 * them must take all of them. A long value is known by prefix and hash only: two long values may,
 * however unlikely, share an encoding, and whoever finds such a posting must look at the row.
 */
final class ValueCodec {
  static final int MAX_EXACT_LENGTH = 512;
  static final int HASH_LENGTH = 16;

  static final byte ABSENT = 0x00;
  static final byte END = 0x01;
  static final byte END_OF_PREFIX = 0x02;
  static final byte AFTER_PREFIX = 0x03;
  private static final byte ESCAPED_ZERO = (byte) 0xFF;

  // Two fixed keys of one hash function: part of the format.
  private static final Hasher64 FIRST_HASH = Hashing.xxh3_64(0x6862_6964_785F_3031L);
  private static final Hasher64 SECOND_HASH = Hashing.xxh3_64(0x6862_6964_785F_3032L);

  private ValueCodec() {}

  static boolean isLong(byte[] value) {
    return value.length > MAX_EXACT_LENGTH;
  }

  /** The bytes {@link #write} will write for {@code value}. */
  static int encodedLength(byte[] value) {
    if (value == null) {
      return 2;
    }
    int kept = Math.min(value.length, MAX_EXACT_LENGTH);
    int length = kept + 2 + (isLong(value) ? HASH_LENGTH : 0);
    for (int i = 0; i < kept; i++) {
      if (value[i] == 0) {
        length++;
      }
    }
    return length;
  }

  /** Writes {@code value}, null for absent, at {@code at}; returns where the next byte goes. */
  static int write(byte[] value, byte[] target, int at) {
    if (value == null) {
      return writeEnding(ABSENT, target, at);
    }
    int next = writeEscaped(value, Math.min(value.length, MAX_EXACT_LENGTH), target, at);
    if (!isLong(value)) {
      return writeEnding(END, target, next);
    }
    next = writeEnding(END_OF_PREFIX, target, next);
    next = writeLong(FIRST_HASH.hashBytesToLong(value), target, next);
    return writeLong(SECOND_HASH.hashBytesToLong(value), target, next);
  }

  /** The first bytes of {@code value}, at most 512 of them, escaped and without an ending. */
  static byte[] escapedStart(byte[] value) {
    int kept = Math.min(value.length, MAX_EXACT_LENGTH);
    byte[] escaped = new byte[2 * kept];
    return Arrays.copyOf(escaped, writeEscaped(value, kept, escaped, 0));
  }

  /** Where the encoding that begins at {@code from} ends. */
  static int skip(byte[] source, int from, int end) {
    for (int at = from; at + 1 < end; at++) {
      if (source[at] != 0) {
        continue;
      }
      switch (source[at + 1]) {
        case ESCAPED_ZERO -> at++;
        case END -> {
          return at + 2;
        }
        case END_OF_PREFIX -> {
          if (at + 2 + HASH_LENGTH <= end) {
            return at + 2 + HASH_LENGTH;
          }
          throw truncated();
        }
        case ABSENT -> {
          if (at == from) {
            return at + 2;
          }
          throw unknownEnding(source[at + 1]);
        }
        default -> throw unknownEnding(source[at + 1]);
      }
    }
    throw truncated();
  }

  /** Whether the encoding that begins at {@code from} is that of an absent column. */
  static boolean isAbsent(byte[] source, int from) {
    return source[from] == 0 && source[from + 1] == ABSENT;
  }

  /** The value, or the kept beginning of a long one; null for an absent column. */
  static byte[] read(byte[] source, int from, int end) {
    int zeros = 0;
    for (int at = from; at + 1 < end; at++) {
      if (source[at] != 0) {
        continue;
      }
      if (source[at + 1] != ESCAPED_ZERO) {
        return source[at + 1] == ABSENT ? null : unescaped(source, from, at, zeros);
      }
      zeros++;
      at++;
    }
    throw truncated();
  }

  private static byte[] unescaped(byte[] source, int from, int end, int zeros) {
    if (zeros == 0) {
      return Arrays.copyOfRange(source, from, end);
    }
    byte[] value = new byte[end - from - zeros];
    int at = from;
    for (int i = 0; i < value.length; i++) {
      value[i] = source[at];
      at += source[at] == 0 ? 2 : 1;
    }
    return value;
  }

  private static int writeEscaped(byte[] value, int length, byte[] target, int at) {
    int next = at;
    for (int i = 0; i < length; i++) {
      target[next++] = value[i];
      if (value[i] == 0) {
        target[next++] = ESCAPED_ZERO;
      }
    }
    return next;
  }

  private static int writeEnding(byte ending, byte[] target, int at) {
    target[at] = 0;
    target[at + 1] = ending;
    return at + 2;
  }

  static int writeLong(long number, byte[] target, int at) {
    for (int i = 0; i < Long.BYTES; i++) {
      target[at + i] = (byte) (number >>> (56 - 8 * i));
    }
    return at + Long.BYTES;
  }

  private static MalformedPostingException truncated() {
    return new MalformedPostingException("Cannot read a posting: it ends in the middle of a value");
  }

  private static MalformedPostingException unknownEnding(byte ending) {
    return new MalformedPostingException(
        "Cannot read a posting: 00 is followed by %02x; expected 00, 01, 02 or FF"
            .formatted(ending));
  }
}
