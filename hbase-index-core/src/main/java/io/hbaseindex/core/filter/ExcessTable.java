/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.filter.CellCounters.Excess;
import io.hbaseindex.core.memory.MemoryBlock;
import io.hbaseindex.core.memory.PagedMemory;
import java.util.Optional;

/**
 * The excesses of few of many counters, in four bytes for each: a hash table that has no room for
 * the positions of the counters, since the place of an entry tells most of it.
 *
 * <p>Cells share a <em>home</em> slot in groups of {@code 2^groupBits}, in order: the home of a
 * position is {@code position >>> groupBits}. An excess is put into its home or, if that is taken,
 * into the first free slot after. So an entry has to say only how far from home it is and which
 * cell of the group it belongs to:
 *
 * <pre>
 *    31                               16 15                 0
 *   ┌───────────────────┬───────────────┬────────────────────┐
 *   │ distance to home  │ cell of group │ excess; 0: no entry│
 *   └───────────────────┴───────────────┴────────────────────┘
 *     16 - groupBits      groupBits
 *
 *   position = (slot - distance) * 2^groupBits + cell of group
 * </pre>
 *
 * <p>Two slots share a word, the first in its lower half. There are no slots before the first and
 * some spare ones after the last home, so that a run never has to go around.
 *
 * <p>At groups of 128, as a table begins, the excesses of a half full segment of single elements
 * fill 72 % of the slots. A table has room while it is at most seven eighths full, so that runs
 * stay short.
 */
final class ExcessTable implements Excess {
  /** Groups of 128 cells: a quarter of a bit for each cell. */
  private static final int FIRST_GROUP_BITS = 7;

  /** Groups of 16 cells: two bits for each cell. Four bits for each serve better beyond that. */
  private static final int LAST_GROUP_BITS = 4;

  private static final int SPARE_SLOTS = 32;
  private static final int KEY_SHIFT = 16;
  private static final int KEYS = 1 << KEY_SHIFT;

  private final long cells;
  private final int groupBits;
  private final int slots;
  private final MemoryBlock words;
  private int size;
  private int stuck;

  private ExcessTable(long cells, int groupBits, MemoryBlock words) {
    this.cells = cells;
    this.groupBits = groupBits;
    this.slots = slots(cells, groupBits);
    this.words = words;
  }

  /** An empty table for so many cells; empty if there is no memory for it. */
  static Optional<ExcessTable> within(PagedMemory memory, long cells) {
    return within(memory, cells, FIRST_GROUP_BITS);
  }

  private static Optional<ExcessTable> within(PagedMemory memory, long cells, int groupBits) {
    return memory
        .allocate(words(cells, groupBits))
        .map(block -> new ExcessTable(cells, groupBits, block));
  }

  /** Bytes that the first table for so many cells takes. */
  static long bytesFor(long cells) {
    return PagedMemory.bytesFor(words(cells, FIRST_GROUP_BITS));
  }

  private static int slots(long cells, int groupBits) {
    return Math.toIntExact((cells >>> groupBits) + SPARE_SLOTS);
  }

  private static long words(long cells, int groupBits) {
    return (slots(cells, groupBits) + 1L) / 2;
  }

  @Override
  public boolean add(long position) {
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

  @Override
  public boolean take(long position) {
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

  @Override
  public int get(long position) {
    int slot = slotOf(position);
    return slot == slots ? 0 : excess(entry(slot));
  }

  /** An excess that has come to {@link #STUCK} is stuck, so the two are one. */
  @Override
  public int lasting(long position) {
    return get(position);
  }

  @Override
  public boolean restore(long position, int excess) {
    int slot = slotOf(position);
    boolean done = slot < slots && put(slot, position, excess);
    stuck += done && excess == STUCK ? 1 : 0;
    return done;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long stuck() {
    return stuck;
  }

  @Override
  public long bytes() {
    return words.bytes();
  }

  @Override
  public Optional<Excess> enlarged(PagedMemory memory) {
    if (groupBits == LAST_GROUP_BITS) {
      return ExcessArray.within(memory, cells).map(this::copiedTo);
    }
    Optional<ExcessTable> larger = within(memory, cells, groupBits - 1);
    if (larger.isPresent() && !copyTo(larger.get())) {
      larger.get().free();
      return Optional.empty();
    }
    return larger.map(table -> table);
  }

  private Excess copiedTo(ExcessArray counters) {
    for (int slot = 0; slot < slots; slot++) {
      if (entry(slot) != 0) {
        counters.restore(position(slot), excess(entry(slot)));
      }
    }
    return counters;
  }

  /** Whether all entries have found a place. */
  private boolean copyTo(ExcessTable larger) {
    for (int slot = 0; slot < slots; slot++) {
      if (entry(slot) != 0) {
        int target = larger.slotOf(position(slot));
        if (target == larger.slots || !larger.put(target, position(slot), excess(entry(slot)))) {
          return false;
        }
      }
    }
    larger.stuck = stuck;
    return true;
  }

  @Override
  public void free() {
    words.free();
  }

  /**
   * The slot that has the position, else the free one where it belongs, else the number of slots.
   */
  private int slotOf(long position) {
    int home = (int) (position >>> groupBits);
    int cell = (int) position & (1 << groupBits) - 1;
    int last = Math.min(slots, home + (KEYS >>> groupBits));
    for (int slot = home; slot < last; slot++) {
      int entry = entry(slot);
      if (entry == 0 || entry >>> KEY_SHIFT == (slot - home << groupBits | cell)) {
        return slot;
      }
    }
    return slots;
  }

  private long position(int slot) {
    int key = entry(slot) >>> KEY_SHIFT;
    long home = slot - (key >>> groupBits);
    return home << groupBits | key & (1 << groupBits) - 1;
  }

  private boolean put(int slot, long position, int excess) {
    if (size >= slots - slots / 8) {
      return false;
    }
    int distance = slot - (int) (position >>> groupBits);
    int key = distance << groupBits | (int) position & (1 << groupBits) - 1;
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
      if (entry >>> KEY_SHIFT + groupBits >= closer) {
        setEntry(hole, entry - (closer << KEY_SHIFT + groupBits));
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
