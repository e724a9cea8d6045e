/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

/**
 * Copies the bits of a segment to another place, step by step, while they go on changing: from the
 * beginning every change of the segment is made at the other place as well, so after the last step
 * both are the same, and stay so until the transfer is ended. Belongs to the updater.
 */
final class SegmentTransfer {
  private final SegmentSlot slot;
  private final Place target;
  private final int words;
  private int next;

  SegmentTransfer(SegmentSlot slot, Place target) {
    this.slot = slot;
    this.target = target;
    this.words = (int) ((slot.sizeClass().cells() + Long.SIZE - 1) / Long.SIZE);
    slot.follow(target);
  }

  SegmentSlot slot() {
    return slot;
  }

  Place target() {
    return target;
  }

  /** Copies up to so many words; returns how many it has copied. */
  int step(int most) {
    int until = Math.min(words, next + most);
    int copied = until - next;
    for (; next < until; next++) {
      target.write(next, slot.word(next));
    }
    return copied;
  }

  /** Whether both places are the same. */
  boolean isComplete() {
    return next == words;
  }

  /** Changes of the segment are not made at the target any more, as long as it is not its place. */
  void end() {
    slot.unfollow(target);
  }
}
