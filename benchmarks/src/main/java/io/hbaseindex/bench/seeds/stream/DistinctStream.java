/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;

/**
 * A stream in which no element occurs twice, the case the paper's formulas are made for, and its
 * errors over some number of hash seeds.
 */
final class DistinctStream {
  private static final long ABSENT = 1L << 40;
  private static final int SEEDS = 5;
  private static final int QUESTIONS = 40_000;

  private final MbfParameters parameters;
  private final int filters;

  DistinctStream(MbfParameters parameters, int filters) {
    this.parameters = parameters;
    this.filters = filters;
  }

  /** Something done to a history between recording and asking. */
  @FunctionalInterface
  interface Treatment {
    void apply(ScratchHistory history);
  }

  /**
   * What was counted wrongly.
   *
   * @param passedBits absent elements that a bit vector let pass
   * @param absentCounted absent elements with a count above zero
   * @param presentAbove present elements counted more than once
   * @param presentBelow present elements counted less than once
   * @param storedBytes bytes of the store of one history
   */
  record Errors(
      ErrorRate passedBits,
      ErrorRate absentCounted,
      ErrorRate presentAbove,
      ErrorRate presentBelow,
      long storedBytes) {}

  /** Asks for the whole time. */
  Errors measure(Treatment treatment) {
    return measure(treatment, parameters.filterCapacity() * filters);
  }

  /** Asks for the first {@code events} events of the stream. */
  Errors measure(Treatment treatment, long events) {
    TimeSpan asked = new TimeSpan(0, events - 1);
    long passed = 0;
    long absentCounted = 0;
    long above = 0;
    long below = 0;
    long bytes = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (ScratchHistory history = new ScratchHistory(parameters, seed)) {
        long recorded = parameters.filterCapacity() * filters;
        for (long element = 0; element < recorded; element++) {
          history.record(element);
        }
        history.flush();
        treatment.apply(history);
        for (int i = 0; i < QUESTIONS; i++) {
          CountEstimate absent = history.count(ABSENT + i, asked);
          // Only windows behind a bit vector that said yes have a chance to be wrong.
          passed += absent.inexactProbability() > 0 ? 1 : 0;
          absentCounted += absent.count() > 0 ? 1 : 0;
          long present = history.count(i % events, asked).count();
          above += present > 1 ? 1 : 0;
          below += present < 1 ? 1 : 0;
        }
        bytes = history.history().storedBytes();
      }
    }
    long trials = (long) SEEDS * QUESTIONS;
    return new Errors(
        new ErrorRate(passed, trials),
        new ErrorRate(absentCounted, trials),
        new ErrorRate(above, trials),
        new ErrorRate(below, trials),
        bytes);
  }
}
