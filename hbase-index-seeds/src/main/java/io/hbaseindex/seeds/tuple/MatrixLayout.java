/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BloomShape;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where the cells of a cut Bloom filter matrix are: which attribute combinations it keeps, how long
 * each attribute's axis is, and so how many bits it needs, known before any is allocated.
 *
 * <p>Each kept combination has a block of its own, one cell for every choice of positions on its
 * attributes' axes; the blocks follow one another:
 *
 * <pre>
 * attributes 0, 1, 2 with axes of m bits, combination {1, 2} cut, and {0, 1, 2} with it
 *
 *   | {} | {0}  | {1}  | {2}  | {0, 1} | {0, 2} |
 *   | 1  | m    | m    | m    | m·m    | m·m    |   = (m + 1)((m + 1)² - m²) bits
 * </pre>
 *
 * <p>The published arrangement gives each axis one extra marker position that stands for "attribute
 * left open", and finds a cell by subtracting the cut regions that lie before it. The cells are the
 * same, one for one; blocks make finding them a table lookup. Without cuts there are ∏(m + 1)
 * cells.
 *
 * <p>Immutable.
 */
@InterfaceAudience.Private
public final class MatrixLayout {
  private static final double MIN_WEIGHT = 1e-6;
  private static final double MAX_WEIGHT = 1e6;

  private final UncutCombinations combinations;
  private final long[] axisLengths;
  private final long[] offsets;
  private final BigInteger bits;

  private MatrixLayout(UncutCombinations combinations, long[] axisLengths) {
    combinations.tuples().check(axisLengths);
    for (long length : axisLengths) {
      checkAxisLength(length);
    }
    this.combinations = combinations;
    this.axisLengths = axisLengths;
    BigInteger[] sizes = blockSizes(combinations, axisLengths);
    offsets = new long[sizes.length];
    BigInteger next = BigInteger.ZERO;
    for (int number = 0; number < sizes.length; number++) {
      // Offsets beyond a long are wrong, and never used: no memory limit admits such a matrix.
      offsets[number] = next.longValue();
      next = next.add(sizes[number]);
    }
    bits = next;
  }

  /** Refuses an axis length that cannot belong to any matrix. */
  static void checkAxisLength(long axisLength) {
    if (axisLength < 1 || axisLength > BloomShape.MAX_BITS) {
      throw new IllegalArgumentException(
          "Cannot lay out a matrix: axis length was %d; it must lie between 1 and %d"
              .formatted(axisLength, BloomShape.MAX_BITS));
    }
  }

  /** A matrix whose axes all have the same length (CBFM). */
  public static MatrixLayout uniform(int attributes, long axisLength, List<AttributeSet> cuts) {
    UncutCombinations combinations = new UncutCombinations(attributes, cuts);
    long[] lengths = new long[attributes];
    Arrays.fill(lengths, axisLength);
    return new MatrixLayout(combinations, lengths);
  }

  /** A matrix with a length of its own for each attribute's axis (WCBFM). */
  public static MatrixLayout ofAxes(long[] axisLengths, List<AttributeSet> cuts) {
    return new MatrixLayout(new UncutCombinations(axisLengths.length, cuts), axisLengths.clone());
  }

  /**
   * The largest matrix within {@code maxBits} whose axis lengths are in proportion to the weights,
   * rounded down, and at least 1.
   */
  public static MatrixLayout within(long maxBits, double[] weights, List<AttributeSet> cuts) {
    for (double weight : weights) {
      if (!(weight >= MIN_WEIGHT && weight <= MAX_WEIGHT)) {
        throw new IllegalArgumentException(
            "Cannot lay out a matrix: weights were %s; each must lie between %s and %s"
                .formatted(Arrays.toString(weights), MIN_WEIGHT, MAX_WEIGHT));
      }
    }
    UncutCombinations combinations = new UncutCombinations(weights.length, cuts);
    if (maxBits < combinations.count()) {
      throw new IllegalArgumentException(
          "Cannot lay out a matrix within %,d bits: its %,d attribute combinations need one each"
              .formatted(maxBits, combinations.count()));
    }
    double fits = 0;
    double tooLarge = maxBits / Arrays.stream(weights).min().orElseThrow() + 1;
    double middle = tooLarge / 2;
    while (fits < middle && middle < tooLarge) {
      if (fits(combinations, scaled(weights, middle), maxBits)) {
        fits = middle;
      } else {
        tooLarge = middle;
      }
      middle = fits + (tooLarge - fits) / 2;
    }
    return new MatrixLayout(combinations, scaled(weights, fits));
  }

  /**
   * The axis length for {@code elements} tuples when a query for one attribute alone may err at
   * {@code error}; queries for combinations err less often, their blocks being larger.
   */
  public static long axisLength(long elements, double error) {
    return Math.max(1, (long) BloomShape.optimalBits(elements, error));
  }

  private static long[] scaled(double[] weights, double factor) {
    // The upper bound matters to attributes that were cut alone: their axis has no cells to limit
    // it.
    return Arrays.stream(weights)
        .mapToLong(weight -> (long) Math.min(BloomShape.MAX_BITS, Math.max(1, weight * factor)))
        .toArray();
  }

  /** Whether the matrix has at most so many cells; gives up as soon as it has more. */
  private static boolean fits(UncutCombinations combinations, long[] axisLengths, long maxBits) {
    long[] sizes = new long[combinations.count()];
    sizes[0] = 1;
    long left = maxBits - 1;
    for (int number = 1; number < sizes.length; number++) {
      long parentSize = sizes[combinations.parent(number)];
      long length = axisLengths[combinations.addedAttribute(number)];
      if (parentSize > left / length) {
        return false;
      }
      sizes[number] = parentSize * length;
      left -= sizes[number];
    }
    return true;
  }

  private static BigInteger[] blockSizes(UncutCombinations combinations, long[] axisLengths) {
    BigInteger[] sizes = new BigInteger[combinations.count()];
    sizes[0] = BigInteger.ONE;
    for (int number = 1; number < sizes.length; number++) {
      sizes[number] =
          sizes[combinations.parent(number)].multiply(
              BigInteger.valueOf(axisLengths[combinations.addedAttribute(number)]));
    }
    return sizes;
  }

  /** Number of attributes. */
  public int attributes() {
    return axisLengths.length;
  }

  /** Length of an attribute's axis, the marker position not counted. */
  public long axisLength(int attribute) {
    return axisLengths[attribute];
  }

  /** Number of attribute combinations kept, the empty one included. */
  public int combinationCount() {
    return combinations.count();
  }

  /**
   * The combinations that together answer a query: itself if it was kept, else the largest kept
   * ones within it.
   */
  public List<AttributeSet> parts(AttributeSet given) {
    combinations.tuples().check(given);
    return Arrays.stream(combinations.split(given))
        .mapToObj(number -> new AttributeSet(combinations.combination(number)))
        .toList();
  }

  /** Cells of the matrix: exactly the bits a filter over it allocates. */
  public BigInteger bits() {
    return bits;
  }

  UncutCombinations combinations() {
    return combinations;
  }

  /** The cell of one combination at the given positions on the axes of its attributes. */
  long cell(int number, long[] positions) {
    long cell = 0;
    for (int rest = combinations.combination(number); rest != 0; rest &= rest - 1) {
      int attribute = Integer.numberOfTrailingZeros(rest);
      cell = cell * axisLengths[attribute] + positions[attribute];
    }
    return offsets[number] + cell;
  }

  /**
   * The cells of all combinations at once, each found from its parent's by one step.
   *
   * @param cells takes one cell for each of {@link #combinationCount} combinations
   */
  void cells(long[] positions, long[] cells) {
    cells[0] = 0;
    for (int number = 1; number < cells.length; number++) {
      int attribute = combinations.addedAttribute(number);
      cells[number] =
          cells[combinations.parent(number)] * axisLengths[attribute] + positions[attribute];
    }
    for (int number = 0; number < cells.length; number++) {
      cells[number] += offsets[number];
    }
  }
}
