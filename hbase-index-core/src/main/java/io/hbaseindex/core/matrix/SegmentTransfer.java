/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import java.util.ArrayList;
import java.util.List;

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

  /**
   * Segments on their way to columns of one word of a block, side by side: 64 cells of all of them
   * become 64 words of the block at once, which takes a small part of the time that one bit after
   * the other does. Segments that are taken away meanwhile are let go.
   */
  static final class Gang {
    /** For fewer segments it does not pay to turn words over. */
    private static final int FEW = 8;

    private final List<SegmentTransfer> members = new ArrayList<>();
    private final ColumnBlock block;
    private final int word;
    private final int words;
    private final long[] bits = new long[Long.SIZE];
    private long columns;
    private int next;

    /** Reserves columns of one word of a block for as many of these segments as it has there. */
    Gang(ColumnBlock block, List<SegmentSlot> segments) {
      this.block = block;
      this.word = block.roomiestWord();
      int room = Math.min(segments.size(), block.freeColumns(word));
      for (SegmentSlot slot : segments.subList(0, room)) {
        ColumnBlock.Column column = block.reserve(slot, word);
        columns |= 1L << column.number();
        members.add(new SegmentTransfer(slot, column));
      }
      this.words = members.get(0).words;
    }

    List<SegmentTransfer> members() {
      return members;
    }

    boolean isComplete() {
      return next == words;
    }

    /** Copies some words of each segment; returns how many steps of one segment that is worth. */
    int step(int most) {
      members.removeIf(this::isLetGo);
      if (members.isEmpty()) {
        next = words;
        return 0;
      }
      int cost = members.size() < FEW ? members.size() : 1 + members.size() / FEW;
      int until = (int) Math.min(words, next + Math.max(1L, most / cost));
      int copied = until - next;
      for (; next < until; next++) {
        if (members.size() < FEW) {
          members.forEach(member -> member.target.write(next, member.slot.word(next)));
        } else {
          for (SegmentTransfer member : members) {
            int number = ((ColumnBlock.Column) member.target).number();
            bits[number & Long.SIZE - 1] = member.slot.word(next);
          }
          block.write(word, columns, next, bits);
        }
      }
      return copied * cost;
    }

    /** A segment that is gone has given its bytes back, so its plane is not to be held on to. */
    private boolean isLetGo(SegmentTransfer member) {
      if (!member.slot.isGone()) {
        return false;
      }
      ColumnBlock.Column column = (ColumnBlock.Column) member.target;
      member.end();
      column.cancel();
      columns &= ~(1L << column.number());
      return true;
    }
  }
}
