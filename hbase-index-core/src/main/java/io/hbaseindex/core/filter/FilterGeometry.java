/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How a chain of segments grows: the sizes its segments may have and the errors they share. All
 * filters of a table have one geometry, so that their segments fall into the same few size classes.
 *
 * <p><b>Sizes.</b> Equal segments have one size level. Growing ones have four to each doubling: 1,
 * 5/4, 3/2 and 7/4 times {@code firstCapacity * 2^i} elements, up to {@link #MAX_SEGMENT_CAPACITY}.
 * A segment has the smallest level that takes the elements it is made for. More levels would save
 * little memory and scatter the regions of a table over more size classes.
 *
 * <p><b>Errors.</b> Either every segment has the same error, and a chain's error grows with its
 * length, or the segments <em>share</em> one. Then each segment of a chain has an <em>ordinal</em>
 * of its own, and the ordinal alone decides how much of the shared error it may use: the first up
 * to five eighths, each further one up to three twentieths of what those before it have left. What
 * is used is a power of two, 2^-k for k slices, so that what rounding saves is left to the others.
 * However many ordinals are in use, the shared error is never used up.
 *
 * <p>The first share is large because a chain that was sized for its elements, as every rebuild
 * does, is that one segment: it gets by with 11 slices at 0.1 % and 14 at 0.01 %, one more than a
 * filter that cannot grow. A later share is small because a chain that grows from nothing has most
 * of its elements in its last two segments, and how many slices those have decides on memory and
 * time: 15 up to the tenth ordinal at 0.1 %, below 22 bits per element.
 *
 * @param firstCapacity distinct elements the smallest segment takes
 * @param error error of a whole chain of full segments if it is shared, else of each segment
 * @param growth 1 for equal segments, 2 for doubling ones
 * @param shared whether the segments of a chain share the error
 */
@InterfaceAudience.Private
public record FilterGeometry(long firstCapacity, double error, int growth, boolean shared) {
  /** Default capacity of the first segment: small, since a table may have very many regions. */
  public static final long DEFAULT_FIRST_CAPACITY = 1024;

  /** Default bound on the error of a whole chain. */
  public static final double DEFAULT_ERROR = 1e-4;

  /** Regions of a table that a value may be taken for present in by mistake, in the mean. */
  private static final double MOST_NAMED_BY_MISTAKE = 0.1;

  /** Errors are chosen in steps, so that few tables have regions of different errors at a time. */
  private static final int ERROR_STEP = 4;

  /** Levels stop growing here: a single segment then takes some 150 MiB of plane. */
  public static final long MAX_SEGMENT_CAPACITY = 1L << 26;

  private static final int LEVELS_PER_DOUBLING = 4;

  /** From a first capacity of 1 to {@link #MAX_SEGMENT_CAPACITY}. */
  private static final int MOST_DOUBLINGS = 26;

  private static final double FIRST_SHARE = 0.625;

  /**
   * A larger share gives short chains fewer bits per element, a smaller one long chains; this one
   * stays below 22 bits at an error of 0.1 % up to 10 segments, which is 1,000 times the first.
   */
  private static final double LATER_SHARE = 0.15;

  public FilterGeometry {
    if (firstCapacity < 1 || firstCapacity > MAX_SEGMENT_CAPACITY) {
      throw new IllegalArgumentException(
          "Cannot lay out a filter: first capacity was "
              + firstCapacity
              + "; it must lie between 1 and "
              + MAX_SEGMENT_CAPACITY);
    }
    SizeClass.requireError(error);
    if (growth != 1 && growth != 2) {
      throw new IllegalArgumentException(
          "Cannot lay out a filter: growth was " + growth + "; it must be 1 or 2");
    }
  }

  /** Doubling segments whose errors together stay below {@code chainError}. */
  public static FilterGeometry doubling(long firstCapacity, double chainError) {
    return new FilterGeometry(firstCapacity, chainError, 2, true);
  }

  /** The product's default: {@link #doubling} from 1,024 values with a chain error of 1e-4. */
  public static FilterGeometry standard() {
    return doubling(DEFAULT_FIRST_CAPACITY, DEFAULT_ERROR);
  }

  /**
   * The product's choice for a table of so many regions: the standard one, or one with a smaller
   * error, with which an absent value is not taken for present in more than a tenth of a region.
   */
  public static FilterGeometry forRegions(long regions) {
    double error = DEFAULT_ERROR;
    while (regions * error > MOST_NAMED_BY_MISTAKE) {
      error /= ERROR_STEP;
    }
    return doubling(DEFAULT_FIRST_CAPACITY, error);
  }

  /** Whether the other one differs in nothing but its error. */
  public boolean isLike(FilterGeometry other) {
    return firstCapacity == other.firstCapacity && growth == other.growth && shared == other.shared;
  }

  /**
   * Equal segments of equal error, as the split counting filter was published. The error of a chain
   * of d segments is {@code 1 - (1 - segmentError)^d}: it is <em>not</em> bounded.
   */
  public static FilterGeometry equalSegments(long capacity, double segmentError) {
    return new FilterGeometry(capacity, segmentError, 1, false);
  }

  /** Distinct elements a segment of this size level takes before it is half full. */
  public long capacityOf(int level) {
    if (growth == 1) {
      return firstCapacity;
    }
    int doublings = level / LEVELS_PER_DOUBLING;
    long quarters = LEVELS_PER_DOUBLING + level % LEVELS_PER_DOUBLING;
    return doublings >= MOST_DOUBLINGS
        ? MAX_SEGMENT_CAPACITY
        : Math.min(
            MAX_SEGMENT_CAPACITY, (firstCapacity * quarters / LEVELS_PER_DOUBLING) << doublings);
  }

  /** The smallest size level that takes so many elements, or the smallest of full size. */
  int smallestLevelFor(long elements) {
    int level = 0;
    while (growth > 1 && capacityOf(level) < Math.min(elements, MAX_SEGMENT_CAPACITY)) {
      level++;
    }
    return level;
  }

  /**
   * Elements that a segment added to a chain of so many live ones is to take: as many again, so
   * that a growing chain doubles, and a little more, since the first segments are small.
   */
  long elementsToAdd(double live) {
    return (long) Math.ceil(live) + firstCapacity / 2;
  }

  /** Segments that a chain made for the given number of elements needs. */
  long segmentsFor(long elements) {
    return 1 + Math.max(0, elements - 1) / capacityOf(smallestLevelFor(elements));
  }

  /** Cells that a chain made for the given number of elements needs. */
  long cellsFor(long elements) {
    return segmentsFor(elements) * sizeClass(smallestLevelFor(elements), 0).cells();
  }

  /** The shape of a segment of this size level with this ordinal in its chain. */
  public SizeClass sizeClass(int level, int ordinal) {
    return shared
        ? SizeClass.forSlices(capacityOf(level), slicesOf(ordinal))
        : SizeClass.forCapacity(capacityOf(level), error);
  }

  /** Upper bound on the error of a chain of any length; 1 when there is none. */
  public double chainErrorBound() {
    return shared ? error : 1.0;
  }

  /** Slices of the segment with this ordinal, whose half full error is within its share. */
  private int slicesOf(int ordinal) {
    double left = error;
    int slices = slicesWithin(FIRST_SHARE * left);
    for (int at = 1; at <= ordinal && slices < SizeClass.MAX_SLICES; at++) {
      left -= Math.scalb(1.0, -slices);
      slices = slicesWithin(LATER_SHARE * left);
    }
    return slices;
  }

  /**
   * The smallest k with 2^-k within the given error. Read off the exponent, so that every machine
   * finds the same shape. Past the most slices an error is below that of the hash itself.
   */
  private static int slicesWithin(double error) {
    return Math.min(SizeClass.MAX_SLICES, -Math.getExponent(error));
  }
}
