/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The attribute combinations a matrix keeps after some were cut, and how a query is split into
 * them.
 *
 * <p>A cut takes every superset with it, so with a combination all its subsets are kept: the kept
 * ones are found by growing the empty combination attribute by attribute, and growth ends where a
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

  /** By number: the attributes of the combination, and the number of its parent. */
  private final int[] combinations;

  private final int[] parents;

  /** From the bits of a combination to its number, or to {@link #CUT}. */
  private final int[] numbers;

  /** By the bits of the query: the numbers of its parts, or null. */
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
    int most = 1 << attributes;
    splits = new AtomicReferenceArray<>(most);
    numbers = new int[most];
    Arrays.fill(numbers, CUT);
    int[] found = new int[most];
    int[] foundFrom = new int[most];
    numbers[0] = 0;
    int count = 1;
    for (int number = 0; number < count; number++) {
      for (int next = highestAttribute(found[number]) + 1; next < attributes; next++) {
        int larger = found[number] | 1 << next;
        if (!isCut(larger)) {
          numbers[larger] = count;
          found[count] = larger;
          foundFrom[count] = number;
          count++;
        }
      }
    }
    combinations = Arrays.copyOf(found, count);
    parents = Arrays.copyOf(foundFrom, count);
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
    return combinations.length;
  }

  /** The attributes of a combination, as the bits of an {@link AttributeSet}. */
  int combination(int number) {
    return combinations[number];
  }

  int parent(int number) {
    return parents[number];
  }

  /** The attribute a combination has and its parent has not. Number 0 has none. */
  int addedAttribute(int number) {
    return highestAttribute(combinations[number]);
  }

  /** The highest attribute of a combination, or -1 if it is empty. */
  private static int highestAttribute(int combination) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(combination);
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
    for (int number = 0; number < count(); number++) {
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
