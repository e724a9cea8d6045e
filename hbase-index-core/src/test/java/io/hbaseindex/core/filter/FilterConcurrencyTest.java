/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One writer, many readers: what was inserted before a reader asks is never denied to it. */
class FilterConcurrencyTest {
  private static final int ELEMENTS = 200_000;

  @Test
  void readers_whileTheChainGrowsAndNeighboursLeave_seeEveryReturnedInsert() throws Exception {
    long[] elements = new SplittableRandom(11).longs(ELEMENTS).toArray();
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(64, 0.01), FilterChangeListener.NONE);
    // Elements below the number are inserted for good; the writer adds and removes others.
    AtomicInteger inserted = new AtomicInteger();
    ExecutorService readers = Executors.newFixedThreadPool(3);
    List<Future<Long>> denied = new ArrayList<>();
    for (int reader = 0; reader < 3; reader++) {
      SplittableRandom random = new SplittableRandom(reader);
      denied.add(readers.submit(() -> countDenied(filter, elements, inserted, random)));
    }
    SplittableRandom passing = new SplittableRandom(12);
    for (int at = 0; at < ELEMENTS; at++) {
      long passer = passing.nextLong();
      filter.insert(passer);
      filter.insert(elements[at]);
      inserted.setOpaque(at + 1);
      filter.delete(passer);
    }

    for (Future<Long> reader : denied) {
      assertThat(reader.get(2, TimeUnit.MINUTES)).isZero();
    }
    readers.shutdown();
    assertThat(filter.segmentCount()).isGreaterThan(5);
  }

  private static long countDenied(
      MembershipFilter filter, long[] elements, AtomicInteger inserted, SplittableRandom random) {
    long denied = 0;
    int upTo = 0;
    while (upTo < ELEMENTS) {
      upTo = inserted.getOpaque();
      // The newest is where a missing publication would show first.
      if (upTo > 0 && !filter.mightContain(elements[upTo - 1])) {
        denied++;
      }
      if (upTo > 0 && !filter.mightContain(elements[random.nextInt(upTo)])) {
        denied++;
      }
    }
    return denied;
  }
}
