/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hbaseindex.core.testing.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CounterTailTest {
  private static final int COUNTERS = 500;
  private static final int HIGHEST = 300;
  private static final int HASHES = 4;

  @Test
  void excessAt_anyProbability_isTheSmallestBoundThatHolds() {
    Seeds.forEach(50, seed -> compareWithCounting(new SplittableRandom(seed)));
  }

  private static void compareWithCounting(SplittableRandom random) {
    PackedCounters counters = new PackedCounters(COUNTERS, 9);
    CounterTail raised = new CounterTail(COUNTERS, HASHES, HIGHEST);
    int increments = random.nextInt(20_000);
    int positions = 1 + random.nextInt(COUNTERS);
    for (int i = 0; i < increments; i++) {
      // The minimum of two draws: low counters are raised more often.
      int at = Math.min(random.nextInt(positions), random.nextInt(positions));
      int value = counters.get(at);
      if (value < HIGHEST) {
        counters.set(at, value + 1);
        raised.raisedFrom(value);
      }
    }
    CounterTail counted = CounterTail.of(counters, HASHES, HIGHEST);
    for (double probability : new double[] {0.5, 0.1, 1e-2, 1e-4, 1e-9}) {
      double share = CounterTail.shareFor(probability, HASHES);
      int bound = raised.excessAt(share);
      assertThat(bound).isEqualTo(counted.excessAt(share));
      assertThat(chanceAbove(counters, bound)).isLessThanOrEqualTo(probability * (1 + 1e-9));
      if (bound > 0) {
        assertThat(chanceAbove(counters, bound - 1)).isGreaterThan(probability * (1 - 1e-9));
      }
    }
    double mean = 0;
    for (int bound = 0; bound < HIGHEST; bound++) {
      mean += chanceAbove(counters, bound);
    }
    assertThat(raised.meanExcess()).isCloseTo(mean, within(1e-9));
    assertThat(raised.excessProbability()).isEqualTo(chanceAbove(counters, 0));
    int value = counters.get(0);
    if (value < HIGHEST) {
      raised.raisedFrom(value);
      counters.set(0, value + 1);
      assertThat(raised.meanExcess())
          .as("after another event")
          .isEqualTo(CounterTail.of(counters, HASHES, HIGHEST).meanExcess());
    }
    assertThat(raised.bytes()).isLessThanOrEqualTo(CounterTail.maxBytes(HIGHEST));
  }

  private static double chanceAbove(PackedCounters counters, int bound) {
    int above = 0;
    for (int i = 0; i < COUNTERS; i++) {
      above += counters.get(i) > bound ? 1 : 0;
    }
    return Math.pow((double) above / COUNTERS, HASHES);
  }
}
