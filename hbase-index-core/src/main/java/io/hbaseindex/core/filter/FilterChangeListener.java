package io.hbaseindex.core.filter;

/**
 * Is told, in order and before the changing call returns, how the bits of a chain change. Replaying
 * what was told on an empty set of planes gives planes with the same answers.
 *
 * <p>Calls come from the filter's one writer. A listener must not throw and must not call back.
 */
public interface FilterChangeListener {
  /** Listens to nothing. */
  FilterChangeListener NONE =
      new FilterChangeListener() {
        @Override
        public void segmentAdded(int segment, SizeClass sizeClass) {}

        @Override
        public void bitSet(int segment, long position) {}

        @Override
        public void bitCleared(int segment, long position) {}

        @Override
        public void segmentDropped(int segment) {}
      };

  /** A new, empty segment; its id is higher than all before and is never used again. */
  void segmentAdded(int segment, SizeClass sizeClass);

  /** A bit of a segment went from 0 to 1. */
  void bitSet(int segment, long position);

  /** A bit of a segment went from 1 to 0. */
  void bitCleared(int segment, long position);

  /** A segment without any set bit left the chain. */
  void segmentDropped(int segment);
}
