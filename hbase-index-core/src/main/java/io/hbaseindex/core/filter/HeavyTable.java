/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.memory.MemoryBlock;
import io.hbaseindex.core.memory.PagedMemory;
import java.util.Optional;

/**
 * Counts the copies of frequent elements beyond those that the chain's counters hold, so that a
 * value in thousands of rows does not make its counters stick.
 *
 * <p>The rule that keeps deletes exact: an element is tracked by the very insert that also counted
 * it up in the chain, and is not forgotten while copies are left here. An element that were tracked
 * instead of counted, because collisions had made its counters look high, would vanish from the
 * filter as soon as those neighbours leave.
 *
 * <p>Open addressing with linear probing over element hashes, which are uniform already; at most
 * half full, and never larger than its bound. When it is full, or there is no memory for a larger
 * one, elements are simply not tracked: their counters may then stick, and a rebuild of the filter
 * frees them. Nothing is allocated before the first element comes.
 *
 * <pre>
 *   word   2 · slot      element
 *          2 · slot + 1  0 if the slot is empty, else 1 + copies
 * </pre>
 */
final class HeavyTable {
  private static final int INITIAL_SLOTS = 256;
  private static final int MAX_LIMIT = 1 << 28;
  private static final long EMPTY = -1;

  private final int limit;
  private final PagedMemory memory;
  private MemoryBlock words;
  private int slots;
  private int size;
  private int withoutCopies;

  /**
   * @param limit number of elements it tracks at most
   */
  HeavyTable(PagedMemory memory, int limit) {
    if (limit < 0 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException(
          "Cannot make a heavy table: limit was "
              + limit
              + "; it must lie between 0 and "
              + MAX_LIMIT);
    }
    this.memory = memory;
    this.limit = limit;
  }

  int limit() {
    return limit;
  }

  int size() {
    return size;
  }

  /** Bytes of memory in use. */
  long bytes() {
    return words == null ? 0 : words.bytes();
  }

  /** Copies of an element here; 0 if it is not tracked. */
  long copiesOf(long element) {
    int slot = find(element);
    return slot < 0 ? 0 : copies(slot);
  }

  /** Takes one more copy of a tracked element; false if the element is not tracked. */
  boolean addCopy(long element) {
    int slot = find(element);
    if (slot < 0) {
      return false;
    }
    if (copies(slot) == 0) {
      withoutCopies--;
    }
    setCopies(slot, copies(slot) + 1);
    return true;
  }

  /**
   * Gives up one copy of a tracked element that has any here. If it has none here, the element is
   * forgotten and the caller must take the copy out of the chain.
   *
   * @return whether the copy was taken from here
   */
  boolean removeCopy(long element) {
    int slot = find(element);
    if (slot < 0) {
      return false;
    }
    if (copies(slot) == 0) {
      withoutCopies--;
      remove(slot);
      return false;
    }
    setCopies(slot, copies(slot) - 1);
    if (copies(slot) == 0) {
      withoutCopies++;
    }
    return true;
  }

  /** Starts to track an element that was just counted up in the chain; does nothing when full. */
  void track(long element) {
    if (size >= limit && !forgetElementsWithoutCopies()) {
      return;
    }
    if (2 * (size + 1) > slots && !rehash(Math.max(INITIAL_SLOTS, 2 * slots), false)) {
      return;
    }
    put(element, 0);
    withoutCopies++;
  }

  /** Tracks an element that the chain counts, with copies; false if there is no room for it. */
  boolean restore(long element, long copies) {
    if (find(element) >= 0) {
      throw new IllegalArgumentException("a frequent element comes twice");
    }
    track(element);
    int slot = find(element);
    if (slot < 0) {
      return false;
    }
    withoutCopies--;
    setCopies(slot, copies);
    return true;
  }

  /** Gives the memory back; the table is empty then. */
  void free() {
    if (words != null) {
      words.free();
    }
    words = null;
    slots = 0;
    size = 0;
    withoutCopies = 0;
  }

  /** Is called with each tracked element and its copies here. */
  void forEach(EntryConsumer action) {
    for (int slot = 0; slot < slots; slot++) {
      if (copies(slot) != EMPTY) {
        action.accept(element(slot), copies(slot));
      }
    }
  }

  /** Takes an element and its number of copies. */
  interface EntryConsumer {
    void accept(long element, long count);
  }

  /**
   * Makes room by forgetting what has no copies here, which loses nothing. Only when that frees at
   * least a quarter, so that the sweep is paid for by many inserts.
   */
  private boolean forgetElementsWithoutCopies() {
    if (limit == 0 || withoutCopies < Math.max(1, size / 4)) {
      return false;
    }
    return rehash(slots, true);
  }

  /** Whether there was memory for so many slots. */
  private boolean rehash(int newSlots, boolean forgetEmpty) {
    Optional<MemoryBlock> larger = memory.allocate(2L * newSlots);
    if (larger.isEmpty()) {
      return false;
    }
    MemoryBlock old = words;
    int oldSlots = slots;
    words = larger.get();
    slots = newSlots;
    size = 0;
    withoutCopies = forgetEmpty ? 0 : withoutCopies;
    for (int slot = 0; slot < oldSlots; slot++) {
      long copies = old.get(2L * slot + 1) - 1;
      if (copies > 0 || copies == 0 && !forgetEmpty) {
        put(old.get(2L * slot), copies);
      }
    }
    if (old != null) {
      old.free();
    }
    return true;
  }

  private void put(long element, long copies) {
    int slot = slotFor(element);
    words.set(2L * slot, element);
    setCopies(slot, copies);
    size++;
  }

  private int find(long element) {
    if (slots == 0) {
      return -1;
    }
    int slot = slotFor(element);
    return copies(slot) == EMPTY ? -1 : slot;
  }

  /** The slot that holds the element, or the empty one where it belongs. */
  private int slotFor(long element) {
    int mask = slots - 1;
    int slot = (int) (element >>> 32) & mask;
    while (copies(slot) != EMPTY && element(slot) != element) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /** Empties a slot and moves later elements of the same run back so that probing still works. */
  private void remove(int slot) {
    int mask = slots - 1;
    int hole = slot;
    for (int at = hole + 1 & mask; copies(at) != EMPTY; at = at + 1 & mask) {
      int home = (int) (element(at) >>> 32) & mask;
      if ((at - home & mask) >= (at - hole & mask)) {
        words.set(2L * hole, element(at));
        setCopies(hole, copies(at));
        hole = at;
      }
    }
    setCopies(hole, EMPTY);
    size--;
  }

  private long element(int slot) {
    return words.get(2L * slot);
  }

  private long copies(int slot) {
    return words.get(2L * slot + 1) - 1;
  }

  private void setCopies(int slot, long copies) {
    words.set(2L * slot + 1, copies + 1);
  }
}
