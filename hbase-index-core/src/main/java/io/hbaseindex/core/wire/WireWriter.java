/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.format.VarLong;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Appends the few kinds of value that messages are made of. */
final class WireWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  void uint8(int value) {
    out.write(value);
  }

  void bool(boolean value) {
    out.write(value ? 1 : 0);
  }

  void int64(long value) {
    out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  /** A number that is not negative, in as few bytes as it needs. */
  void var(long value) {
    VarLong.write(out, value);
  }

  /** A number of either sign within ±2^61, short if it is near zero. */
  void signedVar(long value) {
    VarLong.write(out, value << 1 ^ value >> 63);
  }

  void append(WireWriter other) {
    out.writeBytes(other.toByteArray());
  }

  void bytes(byte[] value) {
    var(value.length);
    out.writeBytes(value);
  }

  void text(String value) {
    bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }
}
