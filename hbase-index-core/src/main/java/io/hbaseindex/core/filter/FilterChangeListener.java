/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Is told, in order and before the changing call returns, how the bits of a chain change. Replaying
 * what was told on an empty set of planes gives planes with the same answers.
 *
 * <p>Calls come from the filter's one writer. A listener must not throw and must not call back.
 */
@InterfaceAudience.Private
public interface FilterChangeListener {
  /** Listens to nothing. */
  FilterChangeListener NONE =
      new FilterChangeListener() {
        @Override
        public void segmentAdded(int segment, SizeClass sizeClass) {}

        @Override
        public void bitSet(int segment, long position) {}

        @Override
        public void elementSet(int segment, SizeClass sizeClass, long element, long slices) {}

        @Override
        public void bitCleared(int segment, long position) {}

        @Override
        public void segmentDropped(int segment) {}
      };

  /** A new, empty segment; its id is higher than all before and is never used again. */
  void segmentAdded(int segment, SizeClass sizeClass);

  /** A bit of a segment went from 0 to 1. */
  void bitSet(int segment, long position);

  /**
   * Bits of one element went from 0 to 1: the same as {@link #bitSet} for its position in each of
   * the given slices, from the lowest on. Who passes changes on overrides it, since an element and
   * a few bits say as much as many positions.
   *
   * @param sizeClass the segment's shape
   * @param slices a bit for each slice, the lowest for slice 0
   */
  default void elementSet(int segment, SizeClass sizeClass, long element, long slices) {
    for (long rest = slices; rest != 0; rest &= rest - 1) {
      bitSet(segment, sizeClass.position(element, Long.numberOfTrailingZeros(rest)));
    }
  }

  /** A bit of a segment went from 1 to 0. */
  void bitCleared(int segment, long position);

  /** A segment without any set bit left the chain. */
  void segmentDropped(int segment);
}
