/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Drives a counting filter with random inserts and deletes of a multiset, beside a plain map that
 * knows the truth, and reports the first element that is present and denied.
 */
final class MultisetWorkload {
  /** A filter in the test, with what can be done to it besides inserting and deleting. */
  interface Subject {
    CountingFilter filter();

    /** Rebuilds, reloads or otherwise exchanges the filter for one with the same elements. */
    default void exchange(PrimitiveIterator.OfLong live, long distinct) {}

    /** How often an element is in the filter at most; empty if it cannot tell. */
    default OptionalLong count(long element) {
      return filter() instanceof ScalableSplitCountingBloomFilter chain
          ? chain.count(element)
          : OptionalLong.empty();
    }
  }

  private final SplittableRandom random;
  private final Subject subject;
  private final long[] universe;
  private final Map<Long, Integer> truth = new HashMap<>();
  private final List<Long> present = new ArrayList<>();

  private MultisetWorkload(Subject subject, long seed) {
    this.random = new SplittableRandom(seed);
    this.subject = subject;
    this.universe = random.longs(random.nextInt(2, 200)).toArray();
  }

  /** Runs {@code steps} random steps; answers with what went wrong, if anything did. */
  static Optional<String> run(Subject subject, long seed, int steps) {
    return new MultisetWorkload(subject, seed).run(steps);
  }

  private Optional<String> run(int steps) {
    // Phases lean towards inserting or deleting, so that chains both grow and drain.
    double insertShare = 0.7;
    for (int step = 0; step < steps; step++) {
      if (random.nextInt(100) == 0) {
        insertShare = random.nextDouble(0.2, 0.9);
      }
      int dice = random.nextInt(1000);
      if (dice == 0) {
        subject.exchange(live(), truth.size());
      } else if (dice < 10) {
        insertMany(random.nextInt(1, 60));
      } else if (present.isEmpty() || random.nextDouble() < insertShare) {
        insert(universe[random.nextInt(universe.length)]);
      } else {
        delete(random.nextInt(present.size()));
      }
      if (step % 16 == 0 || step == steps - 1) {
        for (long element : truth.keySet()) {
          if (!subject.filter().mightContain(element)) {
            return Optional.of(
                "step "
                    + step
                    + ": "
                    + element
                    + " is present but denied, copies: "
                    + truth.get(element));
          }
          OptionalLong count = subject.count(element);
          if (count.isPresent() && count.getAsLong() < truth.get(element)) {
            return Optional.of(
                "step %d: %d is said to be there %d times at most, copies: %d"
                    .formatted(step, element, count.getAsLong(), truth.get(element)));
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Many copies of one element: saturates counters, or fills the heavy table. */
  private void insertMany(int copies) {
    long element = universe[random.nextInt(universe.length)];
    for (int copy = 0; copy < copies; copy++) {
      insert(element);
    }
  }

  private void insert(long element) {
    subject.filter().insert(element);
    truth.merge(element, 1, Integer::sum);
    present.add(element);
  }

  private void delete(int which) {
    long element = present.get(which);
    present.set(which, present.get(present.size() - 1));
    present.remove(present.size() - 1);
    truth.computeIfPresent(element, (key, copies) -> copies == 1 ? null : copies - 1);
    subject.filter().delete(element);
  }

  private PrimitiveIterator.OfLong live() {
    return truth.entrySet().stream()
        .flatMapToLong(entry -> LongStream.generate(entry::getKey).limit(entry.getValue()))
        .iterator();
  }
}
