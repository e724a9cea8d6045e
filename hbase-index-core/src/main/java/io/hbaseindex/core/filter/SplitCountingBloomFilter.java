/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.hash.BitMixer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A counting Bloom filter cut into one slice per hash (SCBF): it may report an absent element as
 * present, it never reports a present one as absent.
 *
 * <p><b>Layout.</b> k slices of m cells. Hash i addresses slice i only, so an element never meets
 * itself in a cell and all slices fill alike. In large filters the cells of one element lie near
 * each other ({@link SizeClass}). A cell is a four-bit counter in one array and, in another, the
 * bit "counter is above zero"; lookups read k of the m·k bits alone, writers touch both.
 *
 * <p><b>Error.</b> With a share f of the cells of each slice in use, an absent element passes with
 * probability f^k. Memory is used best at f = 1/2, where the error is 2^-k and n = m·ln 2 distinct
 * elements fit; in large filters the error comes to 2^-k a few thousandths earlier.
 *
 * <p><b>Counters.</b> At half fill a counter exceeds 15 by collisions alone with probability
 * 7·10^-17, no more and no less than in an unsplit filter. Copies of one element are another
 * matter: they all count in the same k cells, and the fifteenth makes those stick. A stuck counter
 * is never decremented, which costs precision, not correctness; {@link
 * ScalableSplitCountingBloomFilter} keeps frequent elements from getting there.
 *
 * <p><b>Threads.</b> One writer at a time; readers never wait and see every element whose insert
 * has returned.
 *
 * <p>After C. Huang, X. Fang, C. Zhang, "Split counting Bloom filter and its application in HBase
 * secondary index" (2016).
 */
@InterfaceAudience.Private
public final class SplitCountingBloomFilter implements CountingFilter {
  private final SizeClass sizeClass;
  private final BitPlane plane;
  private final CounterArray counters;
  private final long[] setBitsOfSlice;
  private final long cellsWhenFull;

  /** An empty filter of the given shape. */
  public SplitCountingBloomFilter(SizeClass sizeClass) {
    this.sizeClass = sizeClass;
    this.plane = new BitPlane(sizeClass.cells());
    this.counters = new CounterArray(sizeClass.cells());
    this.setBitsOfSlice = new long[sizeClass.slices()];
    this.cellsWhenFull = sizeClass.cellsWhenFull();
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
    return sizeClass.matches(element, plane);
  }

  /** As {@link #mightContain}, for an element that the caller has mixed. */
  boolean mightContainMixed(long mixed) {
    return sizeClass.matchesMixed(mixed, plane);
  }

  @Override
  public void insert(long element) {
    insert(element, 0, FilterChangeListener.NONE);
  }

  @Override
  public boolean delete(long element) {
    if (!mightContain(element)) {
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
   * those of the next elements, under way at once.
   *
   * @return the lowest of the element's counters, an upper bound on how often it is in here
   */
  int insert(long element, int id, FilterChangeListener listener) {
    int lowest = CounterArray.STUCK;
    long risen = 0;
    long mixed = BitMixer.mix(element);
    long patch = sizeClass.patchStart(mixed);
    for (int slice = 0; slice < setBitsOfSlice.length; slice++) {
      long position = patch + sizeClass.inPatch(mixed, slice);
      int before = counters.increment(position);
      long rises = isZero(before);
      plane.raise(position, rises);
      setBitsOfSlice[slice] += rises;
      risen |= rises << slice;
      lowest = Math.min(lowest, before);
    }
    plane.endWriting(Long.bitCount(risen));
    if (risen != 0) {
      listener.elementSet(id, sizeClass, element, risen);
    }
    return Math.min(CounterArray.STUCK, lowest + 1);
  }

  /** Deletes an element that this filter answers positive for, as segment {@code id} of a chain. */
  void delete(long element, int id, FilterChangeListener listener) {
    long fallen = 0;
    long mixed = BitMixer.mix(element);
    long patch = sizeClass.patchStart(mixed);
    for (int slice = 0; slice < setBitsOfSlice.length; slice++) {
      long position = patch + sizeClass.inPatch(mixed, slice);
      long falls = isZero(counters.decrement(position) - 1);
      plane.lower(position, falls);
      setBitsOfSlice[slice] -= falls;
      fallen |= falls << slice;
    }
    plane.endWriting(-Long.bitCount(fallen));
    // A loop over the fallen bits ends at a place nobody can guess, so it is for listeners only.
    if (listener != FilterChangeListener.NONE) {
      for (long rest = fallen; rest != 0; rest &= rest - 1) {
        listener.bitCleared(id, sizeClass.position(element, Long.numberOfTrailingZeros(rest)));
      }
    }
  }

  /** 1 for zero and 0 for a counter above it, without a branch. */
  private static long isZero(int counter) {
    return counter - 1 >>> Integer.SIZE - 1;
  }

  /** The shape of this filter. */
  public SizeClass sizeClass() {
    return sizeClass;
  }

  /** Share of a slice's cells in use. */
  public double fill(int slice) {
    return (double) setBitsOfSlice[slice] / sizeClass.slots();
  }

  /** Share of all cells in use. */
  public double fill() {
    return (double) plane.cardinality() / sizeClass.cells();
  }

  /** The probability that an absent element passes, from the slices' present fill. */
  public double currentError() {
    double fill = fill();
    double error = sizeClass.errorAt(fill);
    for (int slice = 0; slice < setBitsOfSlice.length && error > 0; slice++) {
      error *= fill(slice) / fill;
    }
    return error;
  }

  /** Estimated number of distinct elements, from the fill; infinite for a full plane. */
  public double estimatedElements() {
    return -Math.log1p(-fill()) * sizeClass.slots();
  }

  /** Number of counters that have stuck at their maximum. */
  public long stuckCounters() {
    return counters.stuck();
  }

  /** Whether not a single cell is in use. */
  public boolean isEmpty() {
    return plane.cardinality() == 0;
  }

  /**
   * Whether one more element could take the filter past the fill at which its error is 2^-k. The
   * product of the slices' fills is at most the k-th power of their mean, so slices that differ do
   * no harm.
   */
  boolean isFull() {
    return plane.cardinality() + sizeClass.slices() > cellsWhenFull;
  }

  BitPlane plane() {
    return plane;
  }

  CounterArray counters() {
    return counters;
  }

  /** Restores a cell that is zero to a stored count above zero. */
  void restore(long position, int count) {
    counters.restore(position, count);
    plane.set(position);
    setBitsOfSlice[sizeClass.sliceOf(position)]++;
  }
}
