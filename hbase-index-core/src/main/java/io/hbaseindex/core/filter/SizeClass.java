/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.hash.BitMixer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The shape of a segment: {@code slices} slices of {@code slots} cells each.
 *
 * <p>Two segments of the same size class map an element to the same positions, which is what lets
 * the planes of many segments be laid side by side and asked at once.
 *
 * <p><b>Patches.</b> In a large plane each cell that is read costs a line of cache and the
 * translation of an address far from all others. So the slots of a large segment are dealt to
 * <em>patches</em>: one hash of an element chooses the patch, and its slot in each slice is one of
 * that patch. The cells of a patch lie side by side, in a page of memory or two. What it costs is
 * evenness: the number of elements in a patch varies, and crowded patches let more absent elements
 * pass than the others keep out. With the {@value #PATCH_SLOTS} slots that a patch has of each
 * slice, an error of 2^-10 would rise by three per cent; a segment of patches is taken for full
 * {@linkplain #cellsWhenFull a little before half fill} to make up for it. A segment of fewer than
 * {@value #FEWEST_SLOTS_IN_PATCHES} slots is a single patch, which is the filter as published.
 *
 * <p>Cells are numbered patch after patch, and slice after slice in each: slot s of slice i in
 * patch p is position {@code (p * slices + i) * patchSlots + s}.
 *
 * @param slices number of slices, one hash each (the literature's k)
 * @param slots number of cells in a slice (the literature's m); if the slots are dealt to patches,
 *     a multiple of what a patch has
 */
@InterfaceAudience.Private
public record SizeClass(int slices, long slots) {
  /**
   * More hashes than this would be an error rate below 2^-64, less than that of the hash itself.
   */
  public static final int MAX_SLICES = 64;

  /** So that a plane of one bit for each cell fits one Java array. */
  public static final long MAX_CELLS = 1L << 34;

  /** What has a bit for each cell of a segment. */
  public interface Bits {
    /** A word whose lowest bit is that of the cell at the position; its others mean nothing. */
    long shifted(long position);
  }

  /** Slots that a patch has of each slice: 128 bytes of plane. */
  private static final int PATCH_SLOTS_SHIFT = 10;

  private static final int PATCH_SLOTS = 1 << PATCH_SLOTS_SHIFT;

  /** Words that the cells of a patch take for each slice: a part of a page of memory. */
  static final int PATCH_WORDS = PATCH_SLOTS / CellCounters.CELLS_PER_WORD;

  /** Below so many elements per patch the variance of its fill says too little. */
  private static final double FEW_PER_PATCH = 64;

  /** More elements than a patch has by any chance that counts, if it has few on average. */
  private static final int MOST_OF_FEW = 512;

  /** Below this, a segment fits the caches well enough. */
  private static final int FEWEST_SLOTS_IN_PATCHES = 1 << 17;

  private static final int ASKED_FIRST = 4;

  private static final double LN_2 = StrictMath.log(2);

  public SizeClass {
    if (slices < 1 || slices > MAX_SLICES) {
      throw new IllegalArgumentException(
          "Cannot shape a segment: slices was "
              + slices
              + "; choose an error rate that needs 1 to "
              + MAX_SLICES);
    }
    if (slots < 1 || slots > MAX_CELLS / slices) {
      throw new IllegalArgumentException(
          "Cannot shape a segment: "
              + slices
              + " slices of "
              + slots
              + " slots are not within 1 to "
              + MAX_CELLS
              + " cells; choose a smaller capacity");
    }
    if (isDealtToPatches(slots) && slots % PATCH_SLOTS != 0) {
      throw new IllegalArgumentException(
          "Cannot shape a segment: slots was "
              + slots
              + "; from "
              + FEWEST_SLOTS_IN_PATCHES
              + " on it must be a multiple of "
              + PATCH_SLOTS);
    }
  }

  /** The shape whose error is at most {@code error} with {@code capacity} elements in it. */
  public static SizeClass forCapacity(long capacity, double error) {
    return forSlices(capacity, slicesFor(error));
  }

  /** The shape with {@code slices} slices that is full with {@code capacity} elements. */
  static SizeClass forSlices(long capacity, int slices) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "Cannot size a filter: capacity was " + capacity + "; it must be at least 1");
    }
    long atHalfFill = (long) Math.ceil(capacity / LN_2);
    double fill = fillWhenFull(slices, isDealtToPatches(atHalfFill));
    long slots = (long) Math.ceil(capacity / -StrictMath.log1p(-fill));
    long excess = isDealtToPatches(slots) ? slots % PATCH_SLOTS : 0;
    return new SizeClass(slices, excess == 0 ? slots : slots - excess + PATCH_SLOTS);
  }

  /** The shape with {@code slices} slices that fits into {@code bits} bits of plane. */
  public static SizeClass forBits(long bits, int slices) {
    if (slices < 1 || bits < slices) {
      throw new IllegalArgumentException(
          "Cannot size a filter: "
              + bits
              + " bits for "
              + slices
              + " slices; at least one bit per slice is needed");
    }
    long slots = bits / slices;
    return new SizeClass(slices, isDealtToPatches(slots) ? slots - slots % PATCH_SLOTS : slots);
  }

  /** The smallest number of slices that keeps a half full segment's error within the given one. */
  private static int slicesFor(double error) {
    requireError(error);
    return Math.max(1, (int) Math.ceil(-Math.log(error) / LN_2 - 1e-9));
  }

  static void requireError(double error) {
    if (!(error > 0 && error < 1)) {
      throw new IllegalArgumentException(
          "Cannot size a filter: error was " + error + "; it must lie between 0 and 1");
    }
  }

  /** Number of cells, which is the number of bits in the plane. */
  public long cells() {
    return slices * slots;
  }

  /** Number of patches; one if the slots are not dealt. */
  long patches() {
    return isDealtToPatches(slots) ? slots / PATCH_SLOTS : 1;
  }

  /** Number of cells that a slice has in each patch. */
  long patchSlots() {
    return isDealtToPatches(slots) ? PATCH_SLOTS : slots;
  }

  private static boolean isDealtToPatches(long slots) {
    return slots >= FEWEST_SLOTS_IN_PATCHES;
  }

  /** Number of distinct elements with which a segment is expected to be full. */
  public long capacity() {
    double fill = fillWhenFull(slices, isDealtToPatches(slots));
    return Math.max(1, (long) Math.floor(slots * -StrictMath.log1p(-fill)));
  }

  /** Number of cells in use at which the error has come to 2^-slices. */
  long cellsWhenFull() {
    return (long) (cells() * fillWhenFull(slices, isDealtToPatches(slots)));
  }

  /**
   * The share of cells in use at which an absent element passes with probability 2^-k: one half,
   * less what makes up for {@linkplain #errorAt uneven} patches.
   */
  private static double fillWhenFull(int slices, boolean dealt) {
    return dealt ? 0.5 * StrictMath.exp(-varianceOfFill(0.5) * (slices - 1) / 2) : 0.5;
  }

  /**
   * The probability that an absent element passes if a share f of each slice's cells is in use: the
   * mean of F^k over patches of fill F. That is f^k where there are no patches; for small variances
   * v of F / f it is f^k·exp(v·k(k-1)/2), and patches of few elements are told apart by their
   * number.
   */
  double errorAt(double fill) {
    double even = Math.pow(fill, slices);
    if (!isDealtToPatches(slots) || fill <= 0 || fill >= 1) {
      return even;
    }
    double elementsPerPatch = -Math.log1p(-fill) * PATCH_SLOTS;
    return elementsPerPatch < FEW_PER_PATCH
        ? errorOfFew(elementsPerPatch)
        : even * Math.exp(varianceOfFill(fill) * slices * (slices - 1) / 2);
  }

  /** The mean over patches whose number of elements is distributed as Poisson says. */
  private double errorOfFew(double elementsPerPatch) {
    double error = 0;
    double share = Math.exp(-elementsPerPatch);
    for (int elements = 1; elements < MOST_OF_FEW; elements++) {
      share *= elementsPerPatch / elements;
      double fill = -Math.expm1(elements * Math.log1p(-1.0 / PATCH_SLOTS));
      error += share * Math.pow(fill, slices);
    }
    return error;
  }

  /**
   * The variance of a patch's fill F, divided by the square of its mean f. A patch of b slots has
   * on average b·x elements with x = -ln(1 - f), varying by the root of that, and F falls short of
   * 1 by e^-x.
   */
  private static double varianceOfFill(double fill) {
    double free = (1 - fill) / fill;
    return free * free * -StrictMath.log1p(-fill) / PATCH_SLOTS;
  }

  /** The cell of an element in a slice. */
  public long position(long element, int slice) {
    long mixed = BitMixer.mix(element);
    return patchStart(mixed) + inPatch(mixed, slice);
  }

  /** The first cell of the patch that a {@linkplain BitMixer#mix mixed} element belongs to. */
  long patchStart(long mixed) {
    return BitMixer.position(mixed, patches()) * slices * patchSlots();
  }

  /** The cell of a mixed element in a slice, counted from the start of its patch. */
  long inPatch(long mixed, int slice) {
    return slice * patchSlots() + BitMixer.position(BitMixer.multiple(mixed, slice), patchSlots());
  }

  /** Whether {@link #slotInPatch} tells the cells of elements. */
  boolean hasSmallPatches() {
    return isDealtToPatches(slots);
  }

  /**
   * The slot of a mixed element in a slice, of those that its patch has, where slots are dealt to
   * patches: {@link BitMixer#position} in a range that is a power of two.
   */
  static int slotInPatch(long mixed, int slice) {
    return (int) (BitMixer.multiple(mixed, slice) >>> Long.SIZE - PATCH_SLOTS_SHIFT);
  }

  /** The slice that a cell is of. */
  int sliceOf(long position) {
    return (int) (position / patchSlots() % slices);
  }

  /** Whether every slice has the element's bit set in the given plane. */
  public boolean matches(long element, Bits plane) {
    BitPlane.beginReading();
    return matchesMixed(BitMixer.mix(element), plane);
  }

  /**
   * As {@link #matches}, for an element that is mixed, after {@link BitPlane#beginReading}.
   *
   * <p>The bits of {@value #ASKED_FIRST} slices are fetched before the first branch. That one is
   * almost always guessed right, since a half full plane lets one absent element in sixteen past
   * it; a branch after each slice would be guessed wrong every other time, and each wrong guess
   * waits for a memory read. The bits of the other slices are fetched all at once for the same
   * reason.
   */
  boolean matchesMixed(long mixed, Bits plane) {
    long patch = patchStart(mixed);
    if (slices < ASKED_FIRST) {
      return matchesFrom(0, mixed, patch, plane);
    }
    long bits =
        plane.shifted(patch + inPatch(mixed, 0))
            & plane.shifted(patch + inPatch(mixed, 1))
            & plane.shifted(patch + inPatch(mixed, 2))
            & plane.shifted(patch + inPatch(mixed, 3));
    return (bits & 1) != 0 && matchesFrom(ASKED_FIRST, mixed, patch, plane);
  }

  private boolean matchesFrom(int slice, long mixed, long patch, Bits plane) {
    long bits = -1;
    for (int at = slice; at < slices; at++) {
      bits &= plane.shifted(patch + inPatch(mixed, at));
    }
    return (bits & 1) != 0;
  }
}
