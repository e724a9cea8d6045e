/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import java.util.Arrays;
import java.util.HexFormat;
import org.apache.yetus.audience.InterfaceAudience;

/** The keys from {@code start}, inclusive, to {@code stop}, exclusive. */
@InterfaceAudience.Private
public final class KeyRange {
  private final byte[] start;
  private final byte[] stop;

  KeyRange(byte[] start, byte[] stop) {
    this.start = start;
    this.stop = stop;
  }

  /** Every key that begins with {@code prefix}, which holds a byte other than FF. */
  static KeyRange startingWith(byte[] prefix) {
    return new KeyRange(prefix, firstAfter(prefix));
  }

  /** The smallest key above all that begin with {@code prefix}. */
  static byte[] firstAfter(byte[] prefix) {
    int last = prefix.length - 1;
    while (last >= 0 && prefix[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      throw new IllegalArgumentException(
          "Cannot end a key range: its prefix held no byte other than FF");
    }
    byte[] after = Arrays.copyOf(prefix, last + 1);
    after[last]++;
    return after;
  }

  public byte[] start() {
    return start.clone();
  }

  public byte[] stop() {
    return stop.clone();
  }

  /** Whether no key can be inside. */
  public boolean isEmpty() {
    return Arrays.compareUnsigned(start, stop) >= 0;
  }

  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(start, key) <= 0 && Arrays.compareUnsigned(key, stop) < 0;
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(start) + ", " + hex.formatHex(stop) + ")";
  }
}
