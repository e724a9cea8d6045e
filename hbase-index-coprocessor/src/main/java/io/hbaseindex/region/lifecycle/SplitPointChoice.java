/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import java.util.Arrays;
import java.util.Optional;

/**
 * Replaces a split point that comes from the hidden store by one that comes from the data.
 *
 * <p>A point comes from the hidden store if it is that store's middle, or a beginning of it:
 * policies that group rows cut the middle to a prefix. The same cut is then made in the middle of
 * the data.
 *
 * @param hiddenMiddle middle of the hidden store, if it has one
 * @param dataMiddle middle of the largest data store, if it has one
 * @param delimiter what the wrapped policy cuts at, if it cuts at a delimiter rather than at a
 *     fixed length
 */
record SplitPointChoice(
    Optional<byte[]> hiddenMiddle, Optional<byte[]> dataMiddle, Optional<byte[]> delimiter) {

  /**
   * The point to split at, or null for "not yet", which is what HBase's policies say.
   *
   * @param proposed what the wrapped policy says, may be null
   */
  byte[] choose(byte[] proposed) {
    if (proposed == null || !comesFromHiddenStore(proposed)) {
      return proposed;
    }
    if (dataMiddle.isEmpty()) {
      return null;
    }
    byte[] middle = dataMiddle.get();
    if (delimiter.isPresent()) {
      int end = indexOf(middle, delimiter.get());
      return end < 0 ? middle : Arrays.copyOf(middle, end);
    }
    boolean cut = proposed.length < hiddenMiddle.get().length;
    return cut ? Arrays.copyOf(middle, Math.min(proposed.length, middle.length)) : middle;
  }

  private boolean comesFromHiddenStore(byte[] point) {
    return hiddenMiddle
        .filter(
            middle ->
                point.length <= middle.length
                    && Arrays.equals(point, 0, point.length, middle, 0, point.length))
        .isPresent();
  }

  private static int indexOf(byte[] bytes, byte[] sought) {
    for (int at = 0; at + sought.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + sought.length, sought, 0, sought.length)) {
        return at;
      }
    }
    return -1;
  }
}
