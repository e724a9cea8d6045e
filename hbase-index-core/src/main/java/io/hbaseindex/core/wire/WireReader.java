/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.format.VarLong;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link WireWriter} has written. Whatever does not make sense is an {@link
 * IllegalArgumentException} or a buffer underflow, which the envelope reports as a damaged blob; no
 * length is believed before the bytes behind it are there.
 */
final class WireReader {
  private final ByteBuffer in;

  WireReader(ByteBuffer in) {
    this.in = in;
  }

  int uint8() {
    return Byte.toUnsignedInt(in.get());
  }

  boolean bool() {
    int value = uint8();
    if (value > 1) {
      throw new IllegalArgumentException("a truth value was " + value);
    }
    return value == 1;
  }

  long int64() {
    return in.getLong();
  }

  long var() {
    return VarLong.read(in);
  }

  int varInt() {
    long value = var();
    if (value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a number was " + value);
    }
    return (int) value;
  }

  long signedVar() {
    long value = var();
    return value >>> 1 ^ -(value & 1);
  }

  /**
   * A count of items that follow.
   *
   * @param leastBytes bytes that each item takes at least
   */
  int count(int leastBytes) {
    long count = var();
    if (count > in.remaining() / leastBytes) {
      throw new IllegalArgumentException(
          count + " items are announced in " + in.remaining() + " bytes");
    }
    return (int) count;
  }

  byte[] bytes() {
    byte[] value = new byte[count(1)];
    in.get(value);
    return value;
  }

  String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  <E extends Enum<E>> E constant(E[] constants) {
    int ordinal = uint8();
    if (ordinal >= constants.length) {
      throw new IllegalArgumentException(
          "constant " + ordinal + " of " + constants.length + " is unknown");
    }
    return constants[ordinal];
  }
}
