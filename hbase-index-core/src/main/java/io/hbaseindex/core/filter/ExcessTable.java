/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.memory.MemoryBlock;
import io.hbaseindex.core.memory.PagedMemory;
import java.util.Optional;

/**
 * The excesses of few of many counters, in four bytes for each: a hash table that has no room for
 * the positions of the counters, since the place of an entry tells most of it.
 *
 * <p>Cells share a <em>home</em> slot in groups of 128, in order: the home of a position is {@code
 * position >>> 7}. An excess is put into its home or, if that is taken, into the first free slot
 * after. So an entry has to say only how far from home it is and which cell of the group it belongs
 * to:
 *
 * <pre>
 *    31                               16 15                 0
 *   ┌───────────────────┬───────────────┬────────────────────┐
 *   │ distance to home  │ cell of group │ excess; 0: no entry│
 *   └───────────────────┴───────────────┴────────────────────┘
 *     9 bits              7 bits          16 bits
 *
 *   position = (slot - distance) * 128 + cell of group
 * </pre>
 *
 * <p>Two slots share a word, the first in its lower half. There are no slots before the first and
 * some spare ones after the last home, so that a run never has to go around.
 *
 * <p>The excesses of a half full segment of single elements fill 72 % of the slots. A table has
 * room while it is at most seven eighths full, so that runs stay short.
 */
final class ExcessTable {
  /** Stands for an excess that is never counted down again. */
  static final int STUCK = 0xFFFF;

  /** Groups of 128 cells: a quarter of a bit for each cell. */
  private static final int GROUP_BITS = 7;

  private static final int SPARE_SLOTS = 32;
  private static final int KEY_SHIFT = 16;
  private static final int KEYS = 1 << KEY_SHIFT;

  private final int slots;
  private final MemoryBlock words;
  private int size;
  private int stuck;

  private ExcessTable(long cells, MemoryBlock words) {
    this.slots = slots(cells);
    this.words = words;
  }

  /** An empty table for so many cells; empty if there is no memory for it. */
  static Optional<ExcessTable> within(PagedMemory memory, long cells) {
    return memory.allocate(words(cells)).map(block -> new ExcessTable(cells, block));
  }

  /** Bytes that a table for so many cells takes. */
  static long bytesFor(long cells) {
    return PagedMemory.bytesFor(words(cells));
  }

  private static int slots(long cells) {
    return Math.toIntExact((cells >>> GROUP_BITS) + SPARE_SLOTS);
  }

  private static long words(long cells) {
    return (slots(cells) + 1L) / 2;
  }

  /** One more for the counter at the position; false if there is no room for it. */
  boolean add(long position) {
    int slot = slotOf(position);
    if (slot == slots) {
      return false;
    }
    int entry = entry(slot);
    if (entry == 0) {
      return put(slot, position, 1);
    }
    if (excess(entry) < STUCK) {
      setEntry(slot, entry + 1);
      stuck += excess(entry) + 1 == STUCK ? 1 : 0;
    }
    return true;
  }

  /** One less, unless it is stuck; false if the counter has none. */
  boolean take(long position) {
    int slot = slotOf(position);
    if (slot == slots || entry(slot) == 0) {
      return false;
    }
    int excess = excess(entry(slot));
    if (excess == 1) {
      remove(slot);
    } else if (excess < STUCK) {
      setEntry(slot, entry(slot) - 1);
    }
    return true;
  }

  /** Takes all that the counter at the position has. */
  void forget(long position) {
    int slot = slotOf(position);
    if (slot < slots && entry(slot) != 0) {
      stuck -= excess(entry(slot)) == STUCK ? 1 : 0;
      remove(slot);
    }
  }

  /** What the counter at the position has, {@link #STUCK} for ever; 0 if none. */
  int get(long position) {
    int slot = slotOf(position);
    return slot == slots ? 0 : excess(entry(slot));
  }

  /** Gives a counter that has none an excess; false if there is no room for it. */
  boolean restore(long position, int excess) {
    int slot = slotOf(position);
    boolean done = slot < slots && put(slot, position, excess);
    stuck += done && excess == STUCK ? 1 : 0;
    return done;
  }

  /** Number of counters that are stuck. */
  long stuck() {
    return stuck;
  }

  /** Bytes of memory in use. */
  long bytes() {
    return words.bytes();
  }

  /** Gives the memory back. */
  void free() {
    words.free();
  }

  /**
   * The slot that has the position, else the free one where it belongs, else the number of slots.
   */
  private int slotOf(long position) {
    int home = (int) (position >>> GROUP_BITS);
    int cell = (int) position & (1 << GROUP_BITS) - 1;
    int last = Math.min(slots, home + (KEYS >>> GROUP_BITS));
    for (int slot = home; slot < last; slot++) {
      int entry = entry(slot);
      if (entry == 0 || entry >>> KEY_SHIFT == (slot - home << GROUP_BITS | cell)) {
        return slot;
      }
    }
    return slots;
  }

  private boolean put(int slot, long position, int excess) {
    if (size >= slots - slots / 8) {
      return false;
    }
    int distance = slot - (int) (position >>> GROUP_BITS);
    int key = distance << GROUP_BITS | (int) position & (1 << GROUP_BITS) - 1;
    setEntry(slot, key << KEY_SHIFT | excess);
    size++;
    return true;
  }

  /** Empties a slot and moves later entries of the same run back, so that they are still found. */
  private void remove(int slot) {
    int hole = slot;
    for (int at = hole + 1; at < slots && entry(at) != 0; at++) {
      int closer = at - hole;
      int entry = entry(at);
      if (entry >>> KEY_SHIFT + GROUP_BITS >= closer) {
        setEntry(hole, entry - (closer << KEY_SHIFT + GROUP_BITS));
        hole = at;
      }
    }
    setEntry(hole, 0);
    size--;
  }

  private static int excess(int entry) {
    return entry & STUCK;
  }

  private int entry(int slot) {
    return (int) (words.get(slot >>> 1) >>> shift(slot));
  }

  private void setEntry(int slot, int entry) {
    long others = words.get(slot >>> 1) & ~(0xFFFF_FFFFL << shift(slot));
    words.set(slot >>> 1, others | Integer.toUnsignedLong(entry) << shift(slot));
  }

  private static int shift(int slot) {
    return (slot & 1) << 5;
  }
}
