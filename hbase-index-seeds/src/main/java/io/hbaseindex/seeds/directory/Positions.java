/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.directory;

import io.hbaseindex.core.hash.BitMixer;
import org.apache.yetus.audience.InterfaceAudience;

/** Whether two of an element's positions may be the same. */
@InterfaceAudience.Private
public enum Positions {
  /** They may: the "R" of the two-dimensional filters. */
  REPEATABLE {
    @Override
    long[] draw(long element, int hashes, long range) {
      long[] positions = new long[hashes];
      for (int i = 0; i < hashes; i++) {
        positions[i] = BitMixer.position(element, i, range);
      }
      return positions;
    }
  },

  /**
   * They may not: the "B" of the two-dimensional filters. A position that was drawn before is drawn
   * again, so every choice of different positions is equally likely.
   */
  DISTINCT {
    @Override
    long[] draw(long element, int hashes, long range) {
      long[] positions = new long[hashes];
      int drawn = 0;
      // Ends: at least half of the range is free at each draw, see requireRange.
      for (int ordinal = 0; drawn < hashes; ordinal++) {
        long position = BitMixer.position(element, ordinal, range);
        if (!holds(positions, drawn, position)) {
          positions[drawn++] = position;
        }
      }
      return positions;
    }

    @Override
    void requireRange(int hashes, long range) {
      if (range < 2L * hashes) {
        throw new IllegalArgumentException(
            "Cannot draw %d different positions: the range was %d; it must be at least %d"
                .formatted(hashes, range, 2L * hashes));
      }
    }
  };

  /** The positions of an element in {@code [0, range)}, in the order they were drawn. */
  abstract long[] draw(long element, int hashes, long range);

  /** Refuses ranges that are too small to draw from. */
  void requireRange(int hashes, long range) {}

  private static boolean holds(long[] positions, int length, long position) {
    for (int i = 0; i < length; i++) {
      if (positions[i] == position) {
        return true;
      }
    }
    return false;
  }
}
