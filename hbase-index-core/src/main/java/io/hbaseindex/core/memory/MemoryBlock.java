/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.memory;

import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A number of 64-bit words out of a {@link PagedMemory}, to be given back by {@link #free}.
 *
 * <p>Single words are read and written plainly and at once. Who shares a block between threads puts
 * fences between, or locks.
 *
 * <p>After {@link #free}, writing fails, since the words may be somebody else's; reading does not,
 * but finds anything. So a reader that a writer does not wait for comes to no harm, as long as it
 * does not rely on what it read.
 */
@InterfaceAudience.Private
public final class MemoryBlock {
  private static final int[] NONE = {};
  private static final int PAGE_MASK = PagedMemory.PAGE_WORDS - 1;
  private static final int SLAB_MASK = PagedMemory.SLAB_PAGES - 1;

  private final PagedMemory owner;
  private final long words;
  private final LongBuffer[] slabs;
  private final int[] pages;

  /** The pages until the block is freed, then none. */
  private int[] writable;

  MemoryBlock(PagedMemory owner, long words, LongBuffer[] slabs, int[] pages) {
    this.owner = owner;
    this.words = words;
    this.slabs = slabs;
    this.pages = pages;
    this.writable = pages;
  }

  /** Number of words. */
  public long words() {
    return words;
  }

  /** Bytes that the block takes: whole pages. */
  public long bytes() {
    return PagedMemory.bytesFor(words);
  }

  public long get(long index) {
    int page = pages[(int) (index >>> PagedMemory.PAGE_SHIFT)];
    return slabs[page >>> PagedMemory.SLAB_SHIFT].get(inSlab(page, index));
  }

  public void set(long index, long word) {
    int page = writable[(int) (index >>> PagedMemory.PAGE_SHIFT)];
    slabs[page >>> PagedMemory.SLAB_SHIFT].put(inSlab(page, index), word);
  }

  /**
   * Where a word is in memory, for who writes several: at {@link #offset} of this buffer, and the
   * words of its page around it.
   */
  public LongBuffer buffer(long index) {
    return slabs[writable[(int) (index >>> PagedMemory.PAGE_SHIFT)] >>> PagedMemory.SLAB_SHIFT];
  }

  /** The place of a word in its {@link #buffer}. */
  public int offset(long index) {
    return inSlab(writable[(int) (index >>> PagedMemory.PAGE_SHIFT)], index);
  }

  private static int inSlab(int page, long index) {
    return (page & SLAB_MASK) << PagedMemory.PAGE_SHIFT | (int) index & PAGE_MASK;
  }

  /** Gives the memory back. A second call does nothing. */
  public void free() {
    int[] given = writable;
    writable = NONE;
    if (owner != null) {
      owner.giveBack(given);
    }
  }

  /**
   * This block with more words, which are zero; it must not be used itself any more. Empty if there
   * is no room for them; then nothing has changed.
   */
  public Optional<MemoryBlock> extended(long newWords) {
    return owner == null ? Optional.of(copiedToHeap(newWords)) : owner.extend(this, newWords);
  }

  private MemoryBlock copiedToHeap(long newWords) {
    MemoryBlock copy = PagedMemory.heap().allocate(newWords).orElseThrow();
    for (long index = 0; index < words; index++) {
      copy.set(index, get(index));
    }
    return copy;
  }

  /** The same pages and others behind them, for a block that takes the place of this one. */
  MemoryBlock followedBy(MemoryBlock more, long newWords) {
    int[] all = Arrays.copyOf(pages, pages.length + more.pages.length);
    System.arraycopy(more.pages, 0, all, pages.length, more.pages.length);
    MemoryBlock extended = new MemoryBlock(owner, newWords, more.slabs, all);
    writable = NONE;
    extended.clear(words);
    return extended;
  }

  void clear() {
    clear(0);
  }

  private void clear(long first) {
    for (long index = first; index < words; index++) {
      set(index, 0);
    }
  }
}
