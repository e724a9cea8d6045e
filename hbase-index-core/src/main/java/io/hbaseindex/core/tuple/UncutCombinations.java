package io.hbaseindex.core.tuple;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The attribute combinations a matrix keeps after some were cut, and how a query is split into
 * them.
 *
 * <p>A cut takes every superset with it, so with a combination all its subsets are kept: the kept
 * ones are found by growing the empty combination attribute by attribute, and a branch ends where a
 * cut is reached. What lies beyond it is never visited. Each combination is numbered in the order
 * it was found; its <em>parent</em> is the combination without its highest attribute and has a
 * smaller number.
 *
 * <p>Immutable but for the remembered splits, which any thread may add to.
 */
final class UncutCombinations {
  /** Splits into more parts than this are computed anew for each query, to bound the memory. */
  private static final int MOST_PARTS_REMEMBERED = 64;

  private static final int CUT = -1;

  private final TupleShape tuples;
  private final int[] cuts;

  private int count;
  private int[] combinations = new int[8];
  private int[] parents = new int[8];

  /** From the bits of a combination to its number, or to {@link #CUT}. */
  private final int[] numbers;

  private final AtomicReferenceArray<int[]> splits;

  UncutCombinations(int attributes, List<AttributeSet> cuts) {
    tuples = new TupleShape(attributes);
    for (AttributeSet cut : cuts) {
      tuples.check(cut);
      if (cut.size() == 0) {
        throw new IllegalArgumentException(
            "Cannot cut the empty combination: it would take all others with it");
      }
    }
    this.cuts = cuts.stream().mapToInt(AttributeSet::bits).toArray();
    numbers = new int[1 << attributes];
    Arrays.fill(numbers, CUT);
    splits = new AtomicReferenceArray<>(numbers.length);
    grow(0, 0, 0);
    combinations = Arrays.copyOf(combinations, count);
    parents = Arrays.copyOf(parents, count);
  }

  private void grow(int combination, int parent, int firstAttribute) {
    if (count == combinations.length) {
      combinations = Arrays.copyOf(combinations, 2 * count);
      parents = Arrays.copyOf(parents, 2 * count);
    }
    int number = count++;
    combinations[number] = combination;
    parents[number] = parent;
    numbers[combination] = number;
    for (int attribute = firstAttribute; attribute < tuples.attributes(); attribute++) {
      int larger = combination | 1 << attribute;
      if (!isCut(larger)) {
        grow(larger, number, attribute + 1);
      }
    }
  }

  private boolean isCut(int combination) {
    for (int cut : cuts) {
      if ((cut & ~combination) == 0) {
        return true;
      }
    }
    return false;
  }

  TupleShape tuples() {
    return tuples;
  }

  /** How many there are, the empty combination included, which is number 0. */
  int count() {
    return count;
  }

  /** The attributes of a combination, as the bits of an {@link AttributeSet}. */
  int combination(int number) {
    return combinations[number];
  }

  int parent(int number) {
    return parents[number];
  }

  /** The attribute a combination has and its parent has not. Number 0 has none. */
  int highestAttribute(int number) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(combinations[number]);
  }

  /**
   * The numbers of the largest kept combinations within {@code given}: a tuple can match the query
   * only if it matches each of them. Callers must not change the array.
   */
  int[] split(AttributeSet given) {
    int[] remembered = splits.get(given.bits());
    if (remembered != null) {
      return remembered;
    }
    int[] parts = largestWithin(given.bits());
    if (parts.length <= MOST_PARTS_REMEMBERED) {
      splits.set(given.bits(), parts);
    }
    return parts;
  }

  private int[] largestWithin(int given) {
    if (numbers[given] != CUT) {
      return new int[] {numbers[given]};
    }
    int[] parts = new int[4];
    int size = 0;
    for (int number = 0; number < count; number++) {
      if ((combinations[number] & ~given) == 0 && !canGrowWithin(combinations[number], given)) {
        if (size == parts.length) {
          parts = Arrays.copyOf(parts, 2 * size);
        }
        parts[size++] = number;
      }
    }
    return Arrays.copyOf(parts, size);
  }

  private boolean canGrowWithin(int combination, int given) {
    for (int rest = given & ~combination; rest != 0; rest &= rest - 1) {
      if (numbers[combination | Integer.lowestOneBit(rest)] != CUT) {
        return true;
      }
    }
    return false;
  }
}
