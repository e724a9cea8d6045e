/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import java.util.Arrays;

/**
 * The owners of a matrix, by dense id, each with its chain of segments ordered by segment id.
 *
 * <p>An id that was given up is given out again only after {@link #release}, which the updater
 * calls when the readers that may have met it are gone. Belongs to the updater, but for {@link
 * #idLimit} and {@link #size}.
 */
final class OwnerTable {
  /** Bytes of heap of an owner without segments. */
  static final long BYTES_PER_OWNER = 64;

  private static final int INITIAL_IDS = 16;

  private SegmentSlot[][] chains = new SegmentSlot[INITIAL_IDS][];
  private final IntStack free = new IntStack();
  private volatile int idLimit;
  private volatile int size;

  /** All ids are below this. */
  int idLimit() {
    return idLimit;
  }

  /** Number of owners. */
  int size() {
    return size;
  }

  /** Makes a new owner with an empty chain. */
  int add() {
    int id = free.isEmpty() ? idLimit : free.pop();
    if (id == chains.length) {
      chains = Arrays.copyOf(chains, Math.multiplyExact(id, 2));
    }
    chains[id] = new SegmentSlot[0];
    idLimit = Math.max(idLimit, id + 1);
    size = size + 1;
    return id;
  }

  /** The chain of an owner, or null if there is no such owner. */
  SegmentSlot[] chain(int id) {
    return id >= 0 && id < chains.length ? chains[id] : null;
  }

  void setChain(int id, SegmentSlot[] chain) {
    chains[id] = chain;
  }

  /** Ends an owner; its id is not used again before {@link #release}. */
  void retire(int id) {
    chains[id] = null;
    size = size - 1;
  }

  /** Lets the id of an ended owner be used again. */
  void release(int id) {
    free.push(id);
  }

  /** The segment of a chain with this id, or null. */
  static SegmentSlot find(SegmentSlot[] chain, int segment) {
    int low = 0;
    int high = chain.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int id = chain[middle].id();
      if (id == segment) {
        return chain[middle];
      }
      if (id < segment) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  private static final class IntStack {
    private int[] values = new int[INITIAL_IDS];
    private int length;

    boolean isEmpty() {
      return length == 0;
    }

    void push(int value) {
      if (length == values.length) {
        values = Arrays.copyOf(values, 2 * length);
      }
      values[length++] = value;
    }

    int pop() {
      return values[--length];
    }
  }
}
