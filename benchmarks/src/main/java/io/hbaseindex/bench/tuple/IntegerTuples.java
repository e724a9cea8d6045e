/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Tuples of 32-bit integers: tuple i has the value i in every attribute, each attribute hashed in a
 * space of its own.
 *
 * <p>To a filter, which sees hashes only, these are random values without repetition. Since value i
 * belongs to tuple i alone, it is known without a lookup whether a query is truly absent: it is
 * unless all its values carry the same number, and below the number of tuples inserted.
 */
public final class IntegerTuples {
  private final AttributeHasher hasher;

  public IntegerTuples(int attributes) {
    hasher = new AttributeHasher(attributes);
  }

  /** The hashes of tuple {@code number}. */
  public long[] tuple(int number) {
    long[] tuple = new long[hasher.attributes()];
    Arrays.setAll(tuple, attribute -> hasher.hash(attribute, number));
    return tuple;
  }

  /**
   * A query that no stored tuple matches: each value is, with chance {@code alpha}, one of a stored
   * tuple, no two of the same one, else one that was never stored.
   *
   * @param stored tuples 0 to {@code stored - 1} are stored; more than there are attributes
   */
  public long[] absent(int stored, double alpha, SplittableRandom random) {
    long[] query = new long[hasher.attributes()];
    int first = random.nextInt(stored);
    for (int attribute = 0; attribute < query.length; attribute++) {
      int number =
          random.nextDouble() < alpha
              ? (first + attribute) % stored
              : random.nextInt(stored, Integer.MAX_VALUE);
      query[attribute] = hasher.hash(attribute, number);
    }
    return query;
  }
}
