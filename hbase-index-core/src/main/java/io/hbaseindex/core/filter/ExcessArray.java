/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.filter.CellCounters.Excess;
import io.hbaseindex.core.memory.MemoryBlock;
import io.hbaseindex.core.memory.PagedMemory;
import java.util.Optional;

/**
 * The excesses of many counters: four bits for each, which stick at their maximum. An excess that
 * has reached 15 no longer knows its true value and is never counted down again.
 *
 * <p>Sixteen excesses share a 64-bit word, the first in its lowest bits.
 */
final class ExcessArray implements Excess {
  /** The value at which an excess sticks. */
  static final int MOST = 15;

  private static final int PER_WORD = 16;

  private final MemoryBlock words;
  private long size;
  private long stuck;

  private ExcessArray(MemoryBlock words) {
    this.words = words;
  }

  /** Excesses for so many cells, all zero; empty if there is no memory for them. */
  static Optional<ExcessArray> within(PagedMemory memory, long cells) {
    return memory.allocate((cells + PER_WORD - 1) / PER_WORD).map(ExcessArray::new);
  }

  @Override
  public boolean add(long position) {
    int before = get(position);
    if (before < MOST) {
      addToWord(position, 1);
      size += before == 0 ? 1 : 0;
      stuck += before == MOST - 1 ? 1 : 0;
    }
    return true;
  }

  @Override
  public boolean take(long position) {
    int before = get(position);
    if (before > 0 && before < MOST) {
      addToWord(position, -1);
      size -= before == 1 ? 1 : 0;
    }
    return before > 0;
  }

  @Override
  public int get(long position) {
    return (int) (words.get(position >>> 4) >>> shift(position)) & MOST;
  }

  @Override
  public int lasting(long position) {
    int excess = get(position);
    return excess == MOST ? STUCK : excess;
  }

  /** There is room for every excess; what is too large sticks. */
  @Override
  public boolean restore(long position, int excess) {
    int kept = Math.min(excess, MOST);
    addToWord(position, kept);
    size++;
    stuck += kept == MOST ? 1 : 0;
    return true;
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

  /** Always empty, and never asked for: there is room for every excess. */
  @Override
  public Optional<Excess> enlarged(PagedMemory memory) {
    return Optional.empty();
  }

  @Override
  public void free() {
    words.free();
  }

  private void addToWord(long position, long excess) {
    words.set(position >>> 4, words.get(position >>> 4) + (excess << shift(position)));
  }

  private static int shift(long position) {
    return (int) (position & (PER_WORD - 1)) << 2;
  }
}
