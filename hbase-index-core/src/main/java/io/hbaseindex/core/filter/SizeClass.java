package io.hbaseindex.core.filter;

import io.hbaseindex.core.hash.BitMixer;

/**
 * The shape of a segment: {@code slices} slices of {@code slots} cells each.
 *
 * <p>Two segments of the same size class map an element to the same positions, which is what lets
 * the planes of many segments be laid side by side and asked at once.
 *
 * <p>Cells are numbered slice after slice: slot s of slice i is position {@code i * slots + s}.
 *
 * @param slices number of slices, one hash each (the literature's k)
 * @param slots number of cells in a slice (the literature's m)
 */
public record SizeClass(int slices, long slots) {
  /**
   * More hashes than this would be an error rate below 2^-64, less than that of the hash itself.
   */
  public static final int MAX_SLICES = 64;

  /** So that a segment's four-bit counters fit one Java array. */
  public static final long MAX_CELLS = 1L << 34;

  private static final int ASKED_FIRST = 4;

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
  }

  /** The shape whose error is at most {@code error} with {@code capacity} elements in it. */
  public static SizeClass forCapacity(long capacity, double error) {
    return forSlices(capacity, slicesFor(error));
  }

  /** The shape with {@code slices} slices that is half full with {@code capacity} elements. */
  static SizeClass forSlices(long capacity, int slices) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "Cannot size a filter: capacity was " + capacity + "; it must be at least 1");
    }
    return new SizeClass(slices, (long) Math.ceil(capacity / Math.log(2)));
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
    return new SizeClass(slices, bits / slices);
  }

  /** The smallest number of slices that keeps a half full segment's error within the given one. */
  private static int slicesFor(double error) {
    requireError(error);
    return Math.max(1, (int) Math.ceil(-Math.log(error) / Math.log(2) - 1e-9));
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

  /** Number of distinct elements at which the plane is expected to be half full. */
  public long capacity() {
    return Math.max(1, (long) Math.floor(slots * Math.log(2)));
  }

  /** The error of a segment whose slices are half full: 2^-slices. */
  public double errorAtHalfFill() {
    return Math.pow(2, -slices);
  }

  /** The cell of an element in a slice. */
  public long position(long element, int slice) {
    return positionOfMixed(BitMixer.mix(element), slice);
  }

  /** The cell of a {@linkplain BitMixer#mix mixed} element in a slice. */
  long positionOfMixed(long mixed, int slice) {
    return slice * slots + BitMixer.position(BitMixer.multiple(mixed, slice), slots);
  }

  /** Whether every slice has the element's bit set in the given plane. */
  public boolean matches(long element, BitPlane plane) {
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
  boolean matchesMixed(long mixed, BitPlane plane) {
    if (slices < ASKED_FIRST) {
      return matchesFrom(0, mixed, plane);
    }
    long bits =
        plane.shifted(positionOfMixed(mixed, 0))
            & plane.shifted(positionOfMixed(mixed, 1))
            & plane.shifted(positionOfMixed(mixed, 2))
            & plane.shifted(positionOfMixed(mixed, 3));
    return (bits & 1) != 0 && matchesFrom(ASKED_FIRST, mixed, plane);
  }

  private boolean matchesFrom(int slice, long mixed, BitPlane plane) {
    long bits = -1;
    for (int at = slice; at < slices; at++) {
      bits &= plane.shifted(positionOfMixed(mixed, at));
    }
    return (bits & 1) != 0;
  }
}
