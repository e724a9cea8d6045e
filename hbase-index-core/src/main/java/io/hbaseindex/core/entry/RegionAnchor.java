/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import java.util.Arrays;
import java.util.Optional;

/**
 * The shortest key of a region that may be followed by any bytes and stays inside the region.
 *
 * <p>With start key s and end key e, an anchor a must satisfy s ≤ a, a &lt; e, and must not be the
 * beginning of e, or something behind it could pass e. Candidates come in order of their length:
 *
 * <pre>
 *   e empty      the first byte of s below FF, raised by one, with what is before it; s if there is none
 *   otherwise    p = the first position at which s and e differ; what is before it is in the anchor
 *     s ends at p       00 for every 00 of e from p on, and one 00 more where e has another byte;
 *                       if e has no other byte there is no room
 *     s[p] + 1 &lt; e[p]   s[p] + 1
 *     s[p] + 1 = e[p]   the shorter of: s[p], then as if e was empty with the rest of s;
 *                       e[p], then as if s ended there with the rest of e
 * </pre>
 *
 * <p>The only regions without room are those whose end key is their start key plus zero bytes. They
 * hold a handful of rows and stay unindexed.
 */
final class RegionAnchor {
  private static final int LARGEST = 0xFF;

  private RegionAnchor() {}

  /** The anchor of a region, empty if it has no room; an empty bound is none. */
  static Optional<byte[]> between(byte[] startKey, byte[] endKey) {
    if (endKey.length == 0) {
      return Optional.of(raised(startKey, 0));
    }
    int differ = Arrays.mismatch(startKey, endKey);
    if (differ < 0 || differ == endKey.length) {
      return Optional.empty();
    }
    if (differ == startKey.length) {
      return belowRestOf(endKey, differ);
    }
    int next = (startKey[differ] & LARGEST) + 1;
    if (next < (endKey[differ] & LARGEST)) {
      byte[] anchor = Arrays.copyOf(startKey, differ + 1);
      anchor[differ] = (byte) next;
      return Optional.of(anchor);
    }
    byte[] aboveStart = raised(startKey, differ + 1);
    return belowRestOf(endKey, differ + 1)
        .filter(belowEnd -> belowEnd.length < aboveStart.length)
        .or(() -> Optional.of(aboveStart));
  }

  /** The shortest key not below {@code key} that shares its first {@code kept} bytes. */
  private static byte[] raised(byte[] key, int kept) {
    for (int at = kept; at < key.length; at++) {
      int value = key[at] & LARGEST;
      if (value < LARGEST) {
        byte[] raised = Arrays.copyOf(key, at + 1);
        raised[at] = (byte) (value + 1);
        return raised;
      }
    }
    return key.clone();
  }

  private static Optional<byte[]> belowRestOf(byte[] endKey, int from) {
    for (int at = from; at < endKey.length; at++) {
      if (endKey[at] != 0) {
        byte[] anchor = Arrays.copyOf(endKey, at + 1);
        anchor[at] = 0;
        return Optional.of(anchor);
      }
    }
    return Optional.empty();
  }
}
