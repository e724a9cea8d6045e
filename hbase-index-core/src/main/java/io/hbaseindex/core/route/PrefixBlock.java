/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Some prefixes in rising order, each as the number of bytes that it shares with the one before,
 * and the rest:
 *
 * <pre>
 *   uint8 8 × shared + bytes of the rest │ the rest                     if these are 6 at most
 *   uint8 8 × shared + 7 │ uint8 bytes of the rest │ the rest           if they are more
 * </pre>
 */
final class PrefixBlock {
  /** So many prefixes are in a block at most. */
  static final int MOST = 32;

  private static final int LONG_REST = 7;

  private PrefixBlock() {}

  /** Puts a block together. */
  static byte[] of(List<byte[]> prefixes) {
    byte[] block = new byte[prefixes.size() * (2 + ValuePrefixes.LENGTH)];
    int to = 0;
    byte[] before = null;
    for (byte[] prefix : prefixes) {
      int shared = shared(prefix, before);
      int rest = prefix.length - shared;
      block[to++] = (byte) (shared << 3 | Math.min(rest, LONG_REST));
      if (rest >= LONG_REST) {
        block[to++] = (byte) rest;
      }
      System.arraycopy(prefix, shared, block, to, rest);
      to += rest;
      before = prefix;
    }
    return Arrays.copyOf(block, to);
  }

  /** The prefixes of a block. */
  static List<byte[]> prefixes(byte[] block) {
    List<byte[]> prefixes = new ArrayList<>(MOST);
    Cursor cursor = new Cursor(block);
    while (cursor.next()) {
      prefixes.add(cursor.prefix());
    }
    return prefixes;
  }

  /** The first prefix of a block. */
  static byte[] first(byte[] block) {
    int rest = block[0] & LONG_REST;
    int from = rest < LONG_REST ? 1 : 2;
    return Arrays.copyOfRange(block, from, from + (rest < LONG_REST ? rest : block[1]));
  }

  /** Compares what a block begins with to a string. */
  static int compareFirst(byte[] block, byte[] string) {
    int rest = block[0] & LONG_REST;
    int from = rest < LONG_REST ? 1 : 2;
    int length = rest < LONG_REST ? rest : block[1];
    return Arrays.compareUnsigned(block, from, from + length, string, 0, string.length);
  }

  /** How many bytes two strings share; none if one is null. */
  static int shared(byte[] one, byte[] other) {
    int mismatch = other == null ? 0 : Arrays.mismatch(one, other);
    return mismatch < 0 ? one.length : mismatch;
  }

  /** Goes through a block. */
  static final class Cursor {
    private final byte[] block;
    private final byte[] prefix = new byte[ValuePrefixes.LENGTH];
    private int at;
    private int length;

    Cursor(byte[] block) {
      this.block = block;
    }

    boolean next() {
      if (at == block.length) {
        return false;
      }
      int shared = (block[at] & 0xFF) >>> 3;
      int rest = block[at++] & LONG_REST;
      if (rest == LONG_REST) {
        rest = at < block.length ? block[at++] : -1;
      }
      if (rest < 0
          || shared > length
          || shared + rest > ValuePrefixes.LENGTH
          || at + rest > block.length) {
        throw new IllegalArgumentException("a prefix goes beyond its block or its length");
      }
      System.arraycopy(block, at, prefix, shared, rest);
      at += rest;
      length = shared + rest;
      return true;
    }

    int length() {
      return length;
    }

    int compareTo(byte[] string) {
      return Arrays.compareUnsigned(prefix, 0, length, string, 0, string.length);
    }

    int sharedWith(byte[] string) {
      int mismatch = Arrays.mismatch(prefix, 0, length, string, 0, string.length);
      return mismatch < 0 ? length : mismatch;
    }

    boolean isBeginningOf(byte[] string) {
      return sharedWith(string) == length;
    }

    byte[] prefix() {
      return Arrays.copyOf(prefix, length);
    }
  }
}
