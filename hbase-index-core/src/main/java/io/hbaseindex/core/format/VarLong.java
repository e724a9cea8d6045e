/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.format;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.apache.yetus.audience.InterfaceAudience;

/** Non-negative numbers in as few bytes as they need: seven bits each, lowest first. */
@InterfaceAudience.Private
public final class VarLong {
  private static final int MAX_BYTES = 9;

  private VarLong() {}

  /** Appends a non-negative number. */
  public static void write(ByteArrayOutputStream out, long value) {
    if (value < 0) {
      throw new IllegalArgumentException("Cannot write " + value + ": it is negative");
    }
    long rest = value;
    while (rest > 0x7F) {
      out.write((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  /**
   * Reads a non-negative number.
   *
   * @throws IllegalArgumentException if no such number starts here
   */
  public static long read(ByteBuffer in) {
    long value = 0;
    for (int at = 0; at < MAX_BYTES; at++) {
      byte next = in.get();
      value |= (long) (next & 0x7F) << 7 * at;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number is longer than " + MAX_BYTES + " bytes");
  }
}
