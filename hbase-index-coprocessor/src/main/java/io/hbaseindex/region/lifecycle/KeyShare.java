/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import java.util.Arrays;

/**
 * Guesses how much of a sorted run of keys lies before one of them, from the first, the middle and
 * the last key alone. In each half keys are taken to be spread evenly, so a guess is wrong by less
 * than a half, and by little where keys are numbers, in digits or in bytes.
 */
final class KeyShare {
  /** So many bytes behind what all keys begin with are told apart. */
  private static final int BYTES = 6;

  private final byte[] first;
  private final byte[] middle;
  private final byte[] last;

  KeyShare(byte[] first, byte[] middle, byte[] last) {
    this.first = first;
    this.middle = middle;
    this.last = last;
  }

  /** From 0, nothing, to 1, everything. */
  double before(byte[] key) {
    return Arrays.compareUnsigned(key, middle) < 0
        ? between(first, middle, key) / 2
        : 0.5 + between(middle, last, key) / 2;
  }

  private static double between(byte[] low, byte[] high, byte[] key) {
    if (Arrays.compareUnsigned(key, low) <= 0) {
      return 0;
    }
    if (Arrays.compareUnsigned(key, high) >= 0) {
      return 1;
    }
    int common = Math.max(0, Arrays.mismatch(low, high));
    // Between 09 and 10 there is nothing, though there are many bytes between 9 and the end.
    boolean digits = isOfDigits(low, common) && isOfDigits(high, common) && isOfDigits(key, common);
    double from = number(low, common, digits);
    double width = number(high, common, digits) - from;
    return width <= 0 ? 0.5 : (number(key, common, digits) - from) / width;
  }

  /** The key after a row is the row's with a zero byte behind it, which does not count. */
  private static boolean isOfDigits(byte[] key, int offset) {
    int end = key.length > 0 && key[key.length - 1] == 0 ? key.length - 1 : key.length;
    for (int i = offset; i < Math.min(end, offset + BYTES); i++) {
      if (key[i] < '0' || key[i] > '9') {
        return false;
      }
    }
    return true;
  }

  private static double number(byte[] key, int offset, boolean digits) {
    double number = 0;
    for (int i = offset; i < offset + BYTES; i++) {
      int value = i < key.length ? Byte.toUnsignedInt(key[i]) : 0;
      number = digits ? number * 10 + Math.max(0, value - '0') : number * 256 + value;
    }
    return number;
  }
}
