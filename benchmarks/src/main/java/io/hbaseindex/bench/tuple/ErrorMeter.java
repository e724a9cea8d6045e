/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.PartialMatchFilter;
import io.hbaseindex.seeds.tuple.TupleFilter;
import java.util.SplittableRandom;

/** Counts how often a filter says yes to queries that are known to be absent. */
public final class ErrorMeter {
  private static final long SEED = 42;

  private final IntegerTuples tuples;

  public ErrorMeter(IntegerTuples tuples) {
    this.tuples = tuples;
  }

  /** Asks for absent tuples, each value a stored one with chance {@code alpha}. */
  public ErrorRate measure(
      TupleFilter filter, AttributeSet given, int stored, double alpha, int queries) {
    SplittableRandom random = new SplittableRandom(SEED);
    long wrong = 0;
    for (int i = 0; i < queries; i++) {
      if (ask(filter, given, tuples.absent(stored, alpha, random))) {
        wrong++;
      }
    }
    return new ErrorRate(wrong, queries);
  }

  /** Asks with the given attributes; a filter for whole tuples cannot deny fewer of them. */
  public static boolean ask(TupleFilter filter, AttributeSet given, long[] values) {
    if (given.size() == filter.attributes()) {
      return filter.mightContain(values);
    }
    return !(filter instanceof PartialMatchFilter partial) || partial.mightMatch(given, values);
  }
}
