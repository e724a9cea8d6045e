/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A bounded amount of memory, handed out in {@linkplain MemoryBlock blocks} of 64-bit words and
 * taken back when a block is freed. What a block takes is known before: {@link #bytesFor}.
 *
 * <p>The memory is direct, outside of the Java heap: filters are large, live for long, and would
 * only be copied around by the garbage collector. It is cut twice:
 *
 * <pre>
 *   slab 0, 1 MiB                 slab 1, 1 MiB            one direct buffer each,
 *   ┌──────┬──────┬─ ─ ┬──────┐   ┌──────┬─ ─ ┬──────┐     made when they are first needed
 *   │page 0│page 1│    │ 1023 │   │ 1024 │    │ 2047 │
 *   └──────┴──────┴─ ─ ┴──────┘   └──────┴─ ─ ┴──────┘
 *   block = { 1, 1023, 1024 }: three pages of 1 KiB, from anywhere
 * </pre>
 *
 * <p>Pages make blocks larger than a buffer can be, keep the memory from being fragmented, and let
 * it be used again as soon as a block is freed: a direct buffer of its own would be given back only
 * when the garbage collector finds it, or by means that end the process if someone still reads it.
 * They are small because a region of some thousand values has a filter of a few kilobytes. The
 * price is the unused end of each block's last page and one step more for each access. Slabs are
 * kept until the whole memory is garbage.
 *
 * <p>The process as a whole has a bound on direct memory, too ({@code -XX:MaxDirectMemorySize}). If
 * that is reached first, this memory takes what it has got by then for its bound and asks for no
 * more, because each such attempt makes the virtual machine collect garbage.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class PagedMemory {
  static final int PAGE_SHIFT = 7;
  static final int SLAB_SHIFT = 10;

  /** 64-bit words of a page. */
  public static final int PAGE_WORDS = 1 << PAGE_SHIFT;

  /** Pages of a slab. */
  static final int SLAB_PAGES = 1 << SLAB_SHIFT;

  private static final long PAGE_BYTES = (long) PAGE_WORDS * Long.BYTES;
  private static final int SLAB_BYTES = (int) (PAGE_BYTES * SLAB_PAGES);

  /** Makes a buffer of so many bytes, or throws an {@link OutOfMemoryError}. */
  @FunctionalInterface
  interface SlabSource {
    ByteBuffer make(int bytes);
  }

  private final SlabSource source;
  private int mostPages;

  /** Copied when it grows: blocks keep the array that was there when they were made. */
  private LongBuffer[] slabs = new LongBuffer[0];

  /** The pages that nobody has, of those that slabs were made for; a stack. */
  private int[] free = new int[0];

  private int freePages;
  private int takenPages;
  private boolean cutShort;

  private PagedMemory(long maxBytes, SlabSource source) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException(
          "Cannot bound memory: bytes was " + maxBytes + "; it must not be negative");
    }
    this.mostPages = (int) Math.min(maxBytes / PAGE_BYTES, Integer.MAX_VALUE);
    this.source = source;
  }

  /** Direct memory of at most so many bytes; none of it is taken yet. */
  public static PagedMemory direct(long maxBytes) {
    return ofSlabs(maxBytes, ByteBuffer::allocateDirect);
  }

  static PagedMemory ofSlabs(long maxBytes, SlabSource source) {
    return new PagedMemory(maxBytes, source);
  }

  /** Memory without a bound on the Java heap, collected like any garbage; blocks need no free. */
  public static PagedMemory heap() {
    return new PagedMemory(Long.MAX_VALUE, null);
  }

  /** Bytes that a block of so many words takes: whole pages. */
  public static long bytesFor(long words) {
    return pagesFor(words) * PAGE_BYTES;
  }

  private static long pagesFor(long words) {
    return (words + PAGE_WORDS - 1) / PAGE_WORDS;
  }

  /** A block of so many words, all zero; empty if there is no room for it. */
  public Optional<MemoryBlock> allocate(long words) {
    return source == null ? Optional.of(onHeap(words)) : takePages(words).map(this::cleared);
  }

  private static MemoryBlock onHeap(long words) {
    int pages = Math.toIntExact(pagesFor(words));
    LongBuffer[] slabs = new LongBuffer[(pages + SLAB_PAGES - 1) / SLAB_PAGES];
    long slabWords = (long) SLAB_PAGES * PAGE_WORDS;
    Arrays.setAll(
        slabs, at -> LongBuffer.wrap(new long[(int) Math.min(slabWords, words - at * slabWords)]));
    return new MemoryBlock(null, words, slabs, IntStream.range(0, pages).toArray());
  }

  /** Pages come back as they were left. Cleared here, outside of the lock, as it takes time. */
  private MemoryBlock cleared(MemoryBlock block) {
    block.clear();
    return block;
  }

  Optional<MemoryBlock> extend(MemoryBlock block, long words) {
    long more = pagesFor(words) - pagesFor(block.words());
    return takePages(more * PAGE_WORDS).map(added -> block.followedBy(added, words));
  }

  private synchronized Optional<MemoryBlock> takePages(long words) {
    long pages = pagesFor(words);
    while (pages > freePages && pages <= mostPages - takenPages && makeSlab()) {
      // until there are enough
    }
    if (pages > freePages || pages > mostPages - takenPages) {
      return Optional.empty();
    }
    int[] taken = Arrays.copyOfRange(free, freePages - (int) pages, freePages);
    freePages -= (int) pages;
    takenPages += (int) pages;
    return Optional.of(new MemoryBlock(this, words, slabs, taken));
  }

  private boolean makeSlab() {
    ByteBuffer slab;
    try {
      slab = source.make(SLAB_BYTES);
    } catch (OutOfMemoryError e) {
      mostPages = Math.min(mostPages, slabs.length * SLAB_PAGES);
      cutShort = true;
      return false;
    }
    slabs = Arrays.copyOf(slabs, slabs.length + 1);
    slabs[slabs.length - 1] = slab.order(ByteOrder.nativeOrder()).asLongBuffer();
    int pages = slabs.length * SLAB_PAGES;
    if (free.length < pages) {
      free = Arrays.copyOf(free, (int) Math.min(Integer.MAX_VALUE - 8L, pages * 3L / 2));
    }
    for (int page = 0; page < SLAB_PAGES; page++) {
      free[freePages++] = (slabs.length - 1) * SLAB_PAGES + page;
    }
    return true;
  }

  synchronized void giveBack(int[] pages) {
    System.arraycopy(pages, 0, free, freePages, pages.length);
    freePages += pages.length;
    takenPages -= pages.length;
  }

  /** Bytes in blocks that are not freed. */
  public synchronized long takenBytes() {
    return takenPages * PAGE_BYTES;
  }

  /** Bytes that all blocks together may take. */
  public synchronized long maxBytes() {
    return mostPages * PAGE_BYTES;
  }

  /** Whether the process had less direct memory to give than this memory was allowed to take. */
  public synchronized boolean isCutShort() {
    return cutShort;
  }
}
