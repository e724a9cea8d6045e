/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.memory.PagedMemory;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A counting Bloom filter cut into one slice per hash (SCBF): it may report an absent element as
 * present, it never reports a present one as absent.
 *
 * <p><b>Layout.</b> k slices of m cells. Hash i addresses slice i only, so an element never meets
 * itself in a cell and all slices fill alike. In large filters the cells of one element lie near
 * each other ({@link SizeClass}). A cell is a counter of two bits, with a side table for those
 * above three ({@link CellCounters}); lookups ask whether k of the m·k counters are above zero.
 *
 * <p><b>Error.</b> With a share f of the cells of each slice in use, an absent element passes with
 * probability f^k. Memory is used best at f = 1/2, where the error is 2^-k and n = m·ln 2 distinct
 * elements fit; in large filters the error comes to 2^-k a few thousandths earlier.
 *
 * <p><b>Memory.</b> Two and a quarter bits for each cell, out of a {@link PagedMemory}: 5.7 bytes
 * for each distinct element of a full filter with 14 slices (an error of 0.006 %). {@link
 * #bytesFor} tells it before. Copies of elements take more, as they come ({@link CellCounters}).
 *
 * <p><b>Counters.</b> Copies of one element all count in the same k cells. Where there is no room
 * for that, counters stick: they are never decremented, which costs precision, not correctness;
 * {@link ScalableSplitCountingBloomFilter} keeps frequent elements from getting there.
 *
 * <p><b>Threads.</b> One writer at a time; readers never wait and see every element whose insert
 * has returned.
 *
 * <p>After C. Huang, X. Fang, C. Zhang, "Split counting Bloom filter and its application in HBase
 * secondary index" (2016).
 */
@InterfaceAudience.Private
public final class SplitCountingBloomFilter implements CountingFilter {
  /** Counts above it are not told apart by {@link #insert(long, int, FilterChangeListener)}. */
  static final int FREQUENT = 8;

  private final SizeClass sizeClass;
  private final CellCounters counters;
  private final long[] inUseOfSlice;
  private final long cellsWhenFull;

  /** An empty filter of the given shape, on the Java heap. */
  public SplitCountingBloomFilter(SizeClass sizeClass) {
    this(sizeClass, CellCounters.within(PagedMemory.heap(), sizeClass.cells()).orElseThrow());
  }

  private SplitCountingBloomFilter(SizeClass sizeClass, CellCounters counters) {
    this.sizeClass = sizeClass;
    this.counters = counters;
    this.inUseOfSlice = new long[sizeClass.slices()];
    this.cellsWhenFull = sizeClass.cellsWhenFull();
  }

  /** An empty filter of the given shape; empty if there is no memory for it. */
  static Optional<SplitCountingBloomFilter> within(PagedMemory memory, SizeClass sizeClass) {
    return CellCounters.within(memory, sizeClass.cells())
        .map(counters -> new SplitCountingBloomFilter(sizeClass, counters));
  }

  /** Bytes of memory that an empty filter of the given shape takes. */
  static long bytesFor(SizeClass sizeClass) {
    return CellCounters.bytesFor(sizeClass.cells());
  }

  /** An empty filter that takes {@code capacity} distinct elements at an error of {@code error}. */
  public static SplitCountingBloomFilter forCapacity(long capacity, double error) {
    return new SplitCountingBloomFilter(SizeClass.forCapacity(capacity, error));
  }

  /** An empty filter with {@code slices} hashes whose plane has at most {@code bits} bits. */
  public static SplitCountingBloomFilter forBits(long bits, int slices) {
    return new SplitCountingBloomFilter(SizeClass.forBits(bits, slices));
  }

  @Override
  public boolean mightContain(long element) {
    return sizeClass.matches(element, counters);
  }

  /** As {@link #mightContain}, for an element that the caller has mixed. */
  boolean mightContainMixed(long mixed) {
    return sizeClass.matchesMixed(mixed, counters);
  }

  /** As {@link #mightContainMixed}, for the writer. */
  boolean holdsMixed(long mixed) {
    long patch = sizeClass.patchStart(mixed);
    return countsByPatch()
        ? counters.holdsPatch(patch, mixed, inUseOfSlice.length)
        : sizeClass.matchesMixed(mixed, counters);
  }

  @Override
  public void insert(long element) {
    insert(element, 0, FilterChangeListener.NONE);
  }

  @Override
  public boolean delete(long element) {
    if (!holdsMixed(BitMixer.mix(element))) {
      return false;
    }
    delete(element, 0, FilterChangeListener.NONE);
    return true;
  }

  /**
   * Inserts as segment {@code id} of a chain.
   *
   * <p>The loop has no branch that depends on a counter: the processor would guess it wrong every
   * other time and wait for one memory read after another. Without, it has those of all slices, and
   * those of the next elements, under way at once. The few counters at their top come after.
   *
   * @return an upper bound on how often the element is in here: one of its counters that is below
   *     {@link #FREQUENT}, or that if there is none
   */
  int insert(long element, int id, FilterChangeListener listener) {
    if (counters.isCarrying()) {
      return insertCarrying(element, id, listener);
    }
    long mixed = BitMixer.mix(element);
    long patch = sizeClass.patchStart(mixed);
    long risen =
        countsByPatch()
            ? counters.incrementPatch(patch, mixed, inUseOfSlice)
            : countUp(mixed, patch);
    counters.endWriting(Long.bitCount(risen));
    if (risen != 0) {
      listener.elementSet(id, sizeClass, element, risen);
      return 1;
    }
    return lowestCount(mixed);
  }

  /** Whether the cells of an element lie in a small patch, and none of them is a digit. */
  private boolean countsByPatch() {
    return sizeClass.hasSmallPatches() && !counters.isCarrying();
  }

  /** Returns the slices in which the element's counter was zero. */
  private long countUp(long mixed, long patch) {
    long risen = 0;
    long topped = 0;
    for (int slice = 0; slice < inUseOfSlice.length; slice++) {
      int before = counters.increment(patch + sizeClass.inPatch(mixed, slice));
      long rises = isZero(before);
      inUseOfSlice[slice] += rises;
      risen |= rises << slice;
      topped |= isZero(CellCounters.TOP - before) << slice;
    }
    for (long rest = topped; rest != 0; rest &= rest - 1) {
      counters.overflow(patch + sizeClass.inPatch(mixed, Long.numberOfTrailingZeros(rest)));
    }
    return risen;
  }

  /** As {@link #insert}, where a counter may be more than its cell. */
  private int insertCarrying(long element, int id, FilterChangeListener listener) {
    long risen = 0;
    long mixed = BitMixer.mix(element);
    long patch = sizeClass.patchStart(mixed);
    for (int slice = 0; slice < inUseOfSlice.length; slice++) {
      if (counters.up(patch + sizeClass.inPatch(mixed, slice))) {
        inUseOfSlice[slice]++;
        risen |= 1L << slice;
      }
    }
    counters.endWriting(Long.bitCount(risen));
    if (risen != 0) {
      listener.elementSet(id, sizeClass, element, risen);
      return 1;
    }
    return lowestCount(mixed);
  }

  /** One counter of an element that is below {@link #FREQUENT}, or that if there is none. */
  private int lowestCount(long mixed) {
    long patch = sizeClass.patchStart(mixed);
    if (!counters.isCarrying()) {
      // Most elements have a counter that is not at its top: no table is asked.
      for (int slice = 0; slice < inUseOfSlice.length; slice++) {
        int cell = counters.cell(patch + sizeClass.inPatch(mixed, slice));
        if (cell < CellCounters.TOP) {
          return cell;
        }
      }
    }
    for (int slice = 0; slice < inUseOfSlice.length; slice++) {
      int count = counters.get(patch + sizeClass.inPatch(mixed, slice));
      if (count < FREQUENT) {
        return count;
      }
    }
    return FREQUENT;
  }

  /**
   * How often an element, which the caller has mixed, is in here at most: its lowest counter;
   * {@link Long#MAX_VALUE} if all of them stick. Writer only.
   */
  long countMixed(long mixed) {
    long lowest = Long.MAX_VALUE;
    long patch = sizeClass.patchStart(mixed);
    for (int slice = 0; slice < inUseOfSlice.length; slice++) {
      long position = patch + sizeClass.inPatch(mixed, slice);
      int count = counters.get(position);
      if (count == 0) {
        return 0;
      }
      lowest = counters.isStuck(position) ? lowest : Math.min(lowest, count);
    }
    return lowest;
  }

  /** Deletes an element that this filter answers positive for, as segment {@code id} of a chain. */
  void delete(long element, int id, FilterChangeListener listener) {
    long fallen = counters.isCarrying() ? countDownCarrying(element) : countDown(element);
    counters.endWriting(-Long.bitCount(fallen));
    // A loop over the fallen bits ends at a place nobody can guess, so it is for listeners only.
    if (listener != FilterChangeListener.NONE) {
      for (long rest = fallen; rest != 0; rest &= rest - 1) {
        listener.bitCleared(id, sizeClass.position(element, Long.numberOfTrailingZeros(rest)));
      }
    }
  }

  /** Returns the slices in which the element's counter has become zero. */
  private long countDown(long element) {
    long mixed = BitMixer.mix(element);
    long patch = sizeClass.patchStart(mixed);
    if (countsByPatch()) {
      return counters.decrementPatch(patch, mixed, inUseOfSlice);
    }
    long fallen = 0;
    long topped = 0;
    for (int slice = 0; slice < inUseOfSlice.length; slice++) {
      int before = counters.decrement(patch + sizeClass.inPatch(mixed, slice));
      long falls = isZero(before - 1);
      inUseOfSlice[slice] -= falls;
      fallen |= falls << slice;
      topped |= isZero(CellCounters.TOP - before) << slice;
    }
    for (long rest = topped; rest != 0; rest &= rest - 1) {
      counters.underflow(patch + sizeClass.inPatch(mixed, Long.numberOfTrailingZeros(rest)));
    }
    return fallen;
  }

  private long countDownCarrying(long element) {
    long fallen = 0;
    long mixed = BitMixer.mix(element);
    long patch = sizeClass.patchStart(mixed);
    for (int slice = 0; slice < inUseOfSlice.length; slice++) {
      if (counters.down(patch + sizeClass.inPatch(mixed, slice))) {
        inUseOfSlice[slice]--;
        fallen |= 1L << slice;
      }
    }
    return fallen;
  }

  /** 1 for zero and 0 for what is above it, without a branch. */
  private static long isZero(int counter) {
    return counter - 1 >>> Integer.SIZE - 1;
  }

  /** The shape of this filter. */
  public SizeClass sizeClass() {
    return sizeClass;
  }

  /** Share of a slice's cells in use. */
  public double fill(int slice) {
    return (double) inUseOfSlice[slice] / sizeClass.slots();
  }

  /** Share of all cells in use. */
  public double fill() {
    return (double) counters.inUse() / sizeClass.cells();
  }

  /** The probability that an absent element passes, from the slices' present fill. */
  public double currentError() {
    double fill = fill();
    double error = sizeClass.errorAt(fill);
    for (int slice = 0; slice < inUseOfSlice.length && error > 0; slice++) {
      error *= fill(slice) / fill;
    }
    return error;
  }

  /** Estimated number of distinct elements, from the fill; infinite for a full plane. */
  public double estimatedElements() {
    return -Math.log1p(-fill()) * sizeClass.slots();
  }

  /** Number of counters that are never decremented again. */
  public long stuckCounters() {
    return counters.stuck();
  }

  /** Whether not a single cell is in use. */
  public boolean isEmpty() {
    return counters.inUse() == 0;
  }

  /**
   * Whether one more element could take the filter past the fill at which its error is 2^-k. The
   * product of the slices' fills is at most the k-th power of their mean, so slices that differ do
   * no harm.
   */
  boolean isFull() {
    return counters.inUse() + sizeClass.slices() > cellsWhenFull;
  }

  /** The bits that lookups ask for, as they are now; writer only. */
  BitPlane plane() {
    return counters.plane();
  }

  CellCounters counters() {
    return counters;
  }

  /** Sets 32 cells that are zero, without what they have above {@link CellCounters#TOP}. */
  void restoreWord(long index, long word) {
    long first = index * CellCounters.CELLS_PER_WORD;
    long last = Math.min(first + CellCounters.CELLS_PER_WORD, sizeClass.cells()) - 1;
    counters.restoreWord(index, word);
    if (sizeClass.sliceOf(first) == sizeClass.sliceOf(last)) {
      inUseOfSlice[sizeClass.sliceOf(first)] += CellCounters.inUse(word);
      return;
    }
    for (long position = first; position <= last; position++) {
      boolean inUse = (word >>> 2 * (position - first) & CellCounters.TOP) != 0;
      inUseOfSlice[sizeClass.sliceOf(position)] += inUse ? 1 : 0;
    }
  }

  /** Bytes of memory in use. */
  long bytes() {
    return counters.bytes();
  }

  /** Gives the memory back; nobody writes any more. */
  void free() {
    counters.free();
  }
}
