/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.Seeds;
import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import io.hbaseindex.seeds.timecount.store.FileMbfStore;
import io.hbaseindex.seeds.timecount.store.MbfId;
import io.hbaseindex.seeds.timecount.store.MbfStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of {@link TimeCounter}, for every state a history can be in: on a million skewed
 * events no count is too low, and those above their bound are as rare as the answers say.
 */
class StreamHistoryAccuracyTest {
  private static final int EVENTS = 1_000_000;
  private static final int DISTINCT = 200_000;
  private static final int DISORDER = 3_000;
  private static final double RISK = 0.02;
  private static final MbfParameters PARAMETERS = MbfParameters.forErrors(5_000, 10, 0.3, 0.1);
  private static final long AMPLE_MEMORY = 256L << 20;

  private static long seed;
  private static SkewedStream stream;
  private static MemoryMbfStore ingested;
  private SplittableRandom random;

  @BeforeAll
  static void recordStream() throws IOException {
    seed = Long.getLong(Seeds.ONE, new SplittableRandom().nextInt(1_000_000));
    System.out.printf("replay with -D%s=%d%n", Seeds.ONE, seed);
    stream = new SkewedStream(EVENTS, DISTINCT, 0, new SplittableRandom(seed));
    ingested = new MemoryMbfStore();
    StreamHistory history = open(ingested, Windowing.byCount(), AMPLE_MEMORY);
    record(stream, history);
    history.flush();
  }

  @BeforeEach
  void createRandom() {
    random = new SplittableRandom(seed + 1);
  }

  @Test
  void count_windowsByCount_keepsTheContract() throws IOException {
    StreamHistory history = open(ingested.copy(), Windowing.byCount(), AMPLE_MEMORY);

    assertThat(history.storedWindows()).isEqualTo(EVENTS / PARAMETERS.windowCapacity());
    check(history, stream, 20_000);
  }

  @Test
  void count_windowsMergedTwice_keepsTheContract() throws IOException {
    StreamHistory history = open(ingested.copy(), Windowing.byCount(), AMPLE_MEMORY);
    long before = history.storedBytes();

    assertThat(history.mergeWindowsBefore(Long.MAX_VALUE)).isEqualTo(20);
    assertThat(history.storedWindows()).isEqualTo(100);
    assertThat(history.storedBytes()).isLessThan(before * 2 / 3);
    check(history, stream, 5_000);

    history.mergeWindowsBefore(EVENTS / 2);
    assertThat(history.storedWindows()).isEqualTo(10 * 3 + 50);
    check(history, stream, 5_000);
  }

  @Test
  void count_filtersMerged_keepsTheContract() throws IOException {
    StreamHistory history = open(ingested.copy(), Windowing.byCount(), AMPLE_MEMORY);
    long before = history.storedBytes();

    assertThat(history.mergeFiltersBefore(Long.MAX_VALUE)).isEqualTo(10);
    assertThat(history.storedFilters()).isEqualTo(10);
    assertThat(history.storedWindows()).isEqualTo(200);
    assertThat(history.storedBytes()).isLessThan(before);
    check(history, stream, 5_000);

    history.mergeFiltersBefore(Long.MAX_VALUE);
    history.mergeWindowsBefore(Long.MAX_VALUE);
    assertThat(history.storedFilters()).isEqualTo(5);
    check(history, stream, 5_000);
  }

  @Test
  void count_spilledToFilesAndReopened_keepsTheContract(@TempDir Path directory)
      throws IOException {
    try (FileMbfStore files = FileMbfStore.open(directory)) {
      for (MbfId id : ingested.list()) {
        try (InputStream in = ingested.read(id)) {
          files.write(id, in::transferTo);
        }
      }
      open(files, Windowing.byCount(), AMPLE_MEMORY).mergeFiltersBefore(EVENTS / 4);
    }
    try (FileMbfStore files = FileMbfStore.open(directory)) {
      long openFiltersOnly = 2 * PARAMETERS.filterBytes();
      StreamHistory history = open(files, Windowing.byCount(), openFiltersOnly);

      check(history, stream, 150);
      assertThat(history.memoryBytes()).as("no room for a cache").isZero();
    }
  }

  @Test
  void count_windowsByEventTimeOutOfOrder_keepsTheContract() throws IOException {
    SkewedStream disordered =
        new SkewedStream(EVENTS / 4, DISTINCT, DISORDER, new SplittableRandom(seed));
    StreamHistory history =
        open(new MemoryMbfStore(), Windowing.byEventTime(4_000, DISORDER), AMPLE_MEMORY);
    record(disordered, history);

    assertThat(history.lateEvents()).isZero();
    check(history, disordered, 10_000);
    history.flush();
    check(history, disordered, 2_000);
  }

  private static StreamHistory open(MbfStore store, Windowing windowing, long memory)
      throws IOException {
    return StreamHistory.open(
        new HistorySettings(
            PARAMETERS, windowing, seed, memory, HistorySettings.DEFAULT_MAX_FILTERS),
        store);
  }

  private static void record(SkewedStream stream, StreamHistory history) throws IOException {
    for (int i = 0; i < stream.events(); i++) {
      history.record(SkewedStream.bytesOf(stream.element(i)), stream.time(i));
    }
  }

  private void check(StreamHistory history, SkewedStream exact, int queries) throws IOException {
    int aboveBound = 0;
    int inexact = 0;
    double inexactExpected = 0;
    for (int i = 0; i < queries; i++) {
      int element = randomElement(exact);
      TimeSpan asked = randomSpan(exact.events());
      CountEstimate answer = history.count(SkewedStream.bytesOf(element), asked, RISK);

      assertThat(answer.count())
          .as("count of %d in %s", element, asked)
          .isGreaterThanOrEqualTo(exact.count(element, asked));
      assertThat(answer.covered().enclosing(asked)).isEqualTo(answer.covered());
      assertThat(answer.excessBound()).isBetween(0L, answer.count());
      long excess = answer.count() - exact.count(element, answer.covered());
      aboveBound += excess > answer.excessBound() ? 1 : 0;
      inexact += excess > 0 ? 1 : 0;
      inexactExpected += answer.inexactProbability();
    }
    assertThat((double) aboveBound / queries).isLessThanOrEqualTo(RISK + deviation(RISK, queries));
    assertThat((double) inexact / queries)
        .isLessThanOrEqualTo(inexactExpected / queries + deviation(0.5, queries));
  }

  /** Five standard deviations of a rate over that many independent trials. */
  private static double deviation(double rate, int trials) {
    return 5 * Math.sqrt(rate * (1 - rate) / trials);
  }

  /** As frequent as in the stream, any of its elements alike, or one that never occurred. */
  private int randomElement(SkewedStream exact) {
    return switch (random.nextInt(3)) {
      case 0 -> exact.element(random.nextInt(exact.events()));
      case 1 -> random.nextInt(exact.distinct());
      default -> exact.distinct() + random.nextInt(1 << 20);
    };
  }

  private TimeSpan randomSpan(int end) {
    long a = random.nextLong(end);
    long length = (long) (end * Math.pow(random.nextDouble(), 3));
    return new TimeSpan(a, Math.min(end, a + length));
  }
}
