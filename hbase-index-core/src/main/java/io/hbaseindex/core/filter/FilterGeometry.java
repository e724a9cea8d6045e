package io.hbaseindex.core.filter;

/**
 * How a chain of segments grows: the sizes and errors of its levels. All filters of a table share
 * one geometry, so that their segments fall into the same few size classes.
 *
 * <p>Level i holds {@code firstCapacity * growth^i} elements, up to {@link #MAX_SEGMENT_CAPACITY},
 * with an error of {@code firstError * tightening^i}. With a tightening below one the errors of all
 * levels together stay below {@code firstError / (1 - tightening)} however many there are, as long
 * as no level is used twice; a chain keeps to that.
 *
 * @param firstCapacity distinct elements the first segment takes
 * @param firstError error of the first segment when it is full
 * @param growth 1 for equal segments, 2 for doubling ones
 * @param tightening factor from one level's error to the next one's; 1 leaves it as it is
 */
public record FilterGeometry(long firstCapacity, double firstError, int growth, double tightening) {
  /** Default capacity of the first segment: small, since a table may have very many regions. */
  public static final long DEFAULT_FIRST_CAPACITY = 1024;

  /** Default bound on the error of a whole chain. */
  public static final double DEFAULT_ERROR = 1e-4;

  /** Levels stop growing here: a single segment then takes some 150 MiB of plane. */
  public static final long MAX_SEGMENT_CAPACITY = 1L << 26;

  /**
   * A smaller factor gives short chains fewer bits per element, a larger one long chains; this one
   * stays below 22 bits at an error of 0.1 % from 4 segments to 10, which is 1,000 times the first.
   */
  private static final double DEFAULT_TIGHTENING = 0.85;

  public FilterGeometry {
    if (firstCapacity < 1 || firstCapacity > MAX_SEGMENT_CAPACITY) {
      throw new IllegalArgumentException(
          "Cannot lay out a filter: first capacity was "
              + firstCapacity
              + "; it must lie between 1 and "
              + MAX_SEGMENT_CAPACITY);
    }
    SizeClass.requireError(firstError);
    if (growth != 1 && growth != 2) {
      throw new IllegalArgumentException(
          "Cannot lay out a filter: growth was " + growth + "; it must be 1 or 2");
    }
    if (!(tightening > 0 && tightening <= 1)) {
      throw new IllegalArgumentException(
          "Cannot lay out a filter: tightening was " + tightening + "; it must lie in (0, 1]");
    }
  }

  /** Doubling segments with tightened errors that together stay below {@code chainError}. */
  public static FilterGeometry doubling(long firstCapacity, double chainError) {
    SizeClass.requireError(chainError);
    return new FilterGeometry(
        firstCapacity, chainError * (1 - DEFAULT_TIGHTENING), 2, DEFAULT_TIGHTENING);
  }

  /** The product's default: {@link #doubling} from 1,024 values with a chain error of 1e-4. */
  public static FilterGeometry standard() {
    return doubling(DEFAULT_FIRST_CAPACITY, DEFAULT_ERROR);
  }

  /**
   * Equal segments of equal error, as the split counting filter was published. The error of a chain
   * of d segments is {@code 1 - (1 - segmentError)^d}: it is <em>not</em> bounded.
   */
  public static FilterGeometry equalSegments(long capacity, double segmentError) {
    return new FilterGeometry(capacity, segmentError, 1, 1.0);
  }

  /** Whether a level may be used for more than one segment of a chain at a time. */
  boolean levelsRepeat() {
    return tightening == 1.0;
  }

  /** Distinct elements a segment of this level takes before it is half full. */
  public long capacityOf(int level) {
    if (growth == 1) {
      return firstCapacity;
    }
    long most = MAX_SEGMENT_CAPACITY / firstCapacity;
    return level >= Long.SIZE - 1 || 1L << level > most
        ? MAX_SEGMENT_CAPACITY
        : firstCapacity << level;
  }

  /** The smallest level that takes the given number of elements, or the smallest of full size. */
  int smallestLevelFor(long elements) {
    int level = 0;
    while (growth > 1 && capacityOf(level) < Math.min(elements, MAX_SEGMENT_CAPACITY)) {
      level++;
    }
    return level;
  }

  /** Cells that a chain made for the given number of elements needs. */
  long cellsFor(long elements) {
    int level = smallestLevelFor(elements);
    long segments = 1 + Math.max(0, elements - 1) / capacityOf(level);
    return segments * sizeClass(level).cells();
  }

  /** The shape of a segment of this level. */
  public SizeClass sizeClass(int level) {
    return SizeClass.forCapacity(capacityOf(level), firstError * Math.pow(tightening, level));
  }

  /** Upper bound on the error of a chain of any length; 1 when there is none. */
  public double chainErrorBound() {
    return tightening == 1.0 ? 1.0 : Math.min(1.0, firstError / (1 - tightening));
  }
}
