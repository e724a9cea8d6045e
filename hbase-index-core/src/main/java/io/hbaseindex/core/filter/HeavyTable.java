/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import java.util.Arrays;

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
 * half full, and never larger than its bound. When it is full, elements are simply not tracked:
 * their counters may then stick, and a rebuild of the filter frees them.
 */
final class HeavyTable {
  private static final int INITIAL_SLOTS = 16;
  private static final int MAX_LIMIT = 1 << 28;
  private static final long EMPTY = -1;

  private final int limit;
  private long[] elements = new long[INITIAL_SLOTS];
  private long[] copies = emptySlots(INITIAL_SLOTS);
  private int size;
  private int withoutCopies;

  /**
   * @param limit number of elements it tracks at most
   */
  HeavyTable(int limit) {
    if (limit < 0 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException(
          "Cannot make a heavy table: limit was "
              + limit
              + "; it must lie between 0 and "
              + MAX_LIMIT);
    }
    this.limit = limit;
  }

  int limit() {
    return limit;
  }

  int size() {
    return size;
  }

  /** Bytes of heap in use, headers aside. */
  long bytes() {
    return 2L * Long.BYTES * elements.length;
  }

  /** Whether an element is tracked. */
  boolean contains(long element) {
    return find(element) >= 0;
  }

  /** Takes one more copy of a tracked element; false if the element is not tracked. */
  boolean addCopy(long element) {
    int slot = find(element);
    if (slot < 0) {
      return false;
    }
    if (copies[slot] == 0) {
      withoutCopies--;
    }
    copies[slot]++;
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
    if (copies[slot] == 0) {
      withoutCopies--;
      remove(slot);
      return false;
    }
    if (--copies[slot] == 0) {
      withoutCopies++;
    }
    return true;
  }

  /** Starts to track an element that was just counted up in the chain; does nothing when full. */
  void track(long element) {
    if (size >= limit && !forgetElementsWithoutCopies()) {
      return;
    }
    restore(element, 0);
  }

  /** Puts an element in that is not tracked, with the given number of copies. */
  void restore(long element, long count) {
    if (2 * (size + 1) > elements.length) {
      resize(2 * elements.length);
    }
    int slot = slotFor(element);
    elements[slot] = element;
    copies[slot] = count;
    size++;
    if (count == 0) {
      withoutCopies++;
    }
  }

  /** Is called with each tracked element and its copies here. */
  void forEach(EntryConsumer action) {
    for (int slot = 0; slot < copies.length; slot++) {
      if (copies[slot] != EMPTY) {
        action.accept(elements[slot], copies[slot]);
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
    withoutCopies = 0;
    rehash(elements.length, true);
    return true;
  }

  private void resize(int slots) {
    rehash(slots, false);
  }

  private void rehash(int slots, boolean forgetEmpty) {
    long[] oldElements = elements;
    long[] oldCopies = copies;
    elements = new long[slots];
    copies = emptySlots(slots);
    size = 0;
    for (int slot = 0; slot < oldCopies.length; slot++) {
      if (oldCopies[slot] > 0 || oldCopies[slot] == 0 && !forgetEmpty) {
        int target = slotFor(oldElements[slot]);
        elements[target] = oldElements[slot];
        copies[target] = oldCopies[slot];
        size++;
      }
    }
  }

  private int find(long element) {
    int slot = slotFor(element);
    return copies[slot] == EMPTY ? -1 : slot;
  }

  /** The slot that holds the element, or the empty one where it belongs. */
  private int slotFor(long element) {
    int mask = elements.length - 1;
    int slot = (int) (element >>> 32) & mask;
    while (copies[slot] != EMPTY && elements[slot] != element) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /** Empties a slot and moves later elements of the same run back so that probing still works. */
  private void remove(int slot) {
    int mask = elements.length - 1;
    int hole = slot;
    copies[hole] = EMPTY;
    size--;
    for (int at = hole + 1 & mask; copies[at] != EMPTY; at = at + 1 & mask) {
      int home = (int) (elements[at] >>> 32) & mask;
      if ((at - home & mask) >= (at - hole & mask)) {
        elements[hole] = elements[at];
        copies[hole] = copies[at];
        copies[at] = EMPTY;
        hole = at;
      }
    }
  }

  private static long[] emptySlots(int slots) {
    long[] fresh = new long[slots];
    Arrays.fill(fresh, EMPTY);
    return fresh;
  }
}
