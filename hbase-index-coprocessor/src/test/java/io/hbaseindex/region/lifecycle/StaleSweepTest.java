/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.region.context.PostingPages;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StaleSweepTest {

  private static final int PAGES = 3;

  private final CountingMetrics metrics = new CountingMetrics();
  private final List<Integer> judged = new ArrayList<>();
  private Runnable whileJudging = () -> {};
  private final StaleSweep sweep =
      new StaleSweep(new byte[] {0}, StaleSweepTest::page, this::judge, metrics);

  /** One posting per page, named by a number. */
  private static PostingPages.Page page(byte[] first, int limit) {
    byte next = (byte) (first[0] + 1);
    return new PostingPages.Page(
        List.of(first),
        List.of(),
        1,
        next < PAGES ? Optional.of(new byte[] {next}) : Optional.empty());
  }

  private long judge(List<byte[]> indexRows) {
    indexRows.forEach(row -> judged.add((int) row[0]));
    Runnable once = whileJudging;
    whileJudging = () -> {};
    once.run();
    return indexRows.size();
  }

  private void sweepThrough() throws IOException {
    while (!sweep.run().done()) {
      assertThat(judged).hasSizeLessThan(100);
    }
  }

  @Test
  void run_notStarted_doesNothing() throws IOException {
    assertThat(sweep.run().done()).isTrue();
    assertThat(judged).isEmpty();
  }

  @Test
  void run_judgesEveryPosting() throws IOException {
    sweep.start();
    sweepThrough();

    assertThat(judged).containsExactly(0, 1, 2);
    assertThat(metrics.of(IndexCounter.STALE_ENDED)).isEqualTo(3);
  }

  @Test
  void start_whileThePageIsLookedAt_beginsAnewAndIsNotForgotten() throws IOException {
    sweep.start();
    sweep.run();
    sweep.run();
    whileJudging = sweep::start;
    sweepThrough();

    assertThat(judged).containsExactly(0, 1, 2, 0, 1, 2);
  }

  @Test
  void hiddenPostings_unknownUntilTheFirstSweepIsThrough() throws IOException {
    assertThat(sweep.mayHaveHiddenPostings()).isTrue();
    sweep.start();
    sweep.run();
    assertThat(sweep.mayHaveHiddenPostings()).as("in the middle").isTrue();
    sweepThrough();

    assertThat(sweep.mayHaveHiddenPostings()).isFalse();
  }

  @Test
  void hiddenPostings_metByAWriter_stayExpectedUntilASweepMeetsNone() throws IOException {
    sweep.start();
    sweepThrough();
    sweep.metHiddenPosting();
    assertThat(sweep.mayHaveHiddenPostings()).isTrue();

    sweep.start();
    whileJudging = sweep::metHiddenPosting;
    sweepThrough();
    assertThat(sweep.mayHaveHiddenPostings()).as("the sweep has met it again").isTrue();

    sweep.start();
    sweepThrough();
    assertThat(sweep.mayHaveHiddenPostings()).isFalse();
  }
}
