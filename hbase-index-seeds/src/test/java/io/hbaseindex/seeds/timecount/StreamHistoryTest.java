/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import io.hbaseindex.seeds.timecount.store.CorruptMbfException;
import io.hbaseindex.seeds.timecount.store.FileMbfStore;
import io.hbaseindex.seeds.timecount.store.MbfId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamHistoryTest {
  private static final MbfParameters SMALL = MbfParameters.forErrors(10, 3, 1e-4, 1e-4);
  private static final long SEED = 1;
  private static final byte[] A = bytes("a");
  private static final byte[] B = bytes("b");

  private final MemoryMbfStore store = new MemoryMbfStore();

  @Test
  void count_windowsByCount_widensToWholeWindows() throws IOException {
    StreamHistory history = open(Windowing.byCount());
    for (int time = 0; time < 25; time++) {
      history.record(time % 2 == 0 ? A : B, time);
    }

    CountEstimate answer = history.count(A, new TimeSpan(12, 13), 0.01);

    assertThat(answer.covered()).isEqualTo(new TimeSpan(10, 19));
    assertThat(answer.count()).isEqualTo(5);
    assertThat(answer.atLeast()).isLessThanOrEqualTo(5);
    assertThat(answer.risk()).isEqualTo(0.01);
  }

  @Test
  void count_timesDescendingWithinByCount_missesNothing() throws IOException {
    StreamHistory history = open(Windowing.byCount());
    for (int time = 99; time >= 0; time--) {
      history.record(A, time);
    }

    assertThat(history.count(A, TimeSpan.at(50), 0.01).count()).isPositive();
    assertThat(history.count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(100);
  }

  @Test
  void count_elementNeverSeen_isCertainlyZero() throws IOException {
    StreamHistory history = open(Windowing.byCount());
    history.record(A, 1);

    assertThat(history.count(B, TimeSpan.ALWAYS, 0.01))
        .isEqualTo(new CountEstimate(0, TimeSpan.ALWAYS, 0, 0.01, 0));
  }

  @Test
  void count_sameElementInEveryEvent_neverOverflows() throws IOException {
    StreamHistory history = open(Windowing.byCount());
    for (int time = 0; time < 65; time++) {
      history.record(A, time);
    }
    history.flush();
    for (int i = 0; i < 3; i++) {
      history.mergeFiltersBefore(Long.MAX_VALUE);
      history.mergeWindowsBefore(Long.MAX_VALUE);
    }

    assertThat(history.storedFilters()).isEqualTo(1);
    assertThat(history.storedWindows()).isEqualTo(1);
    assertThat(history.count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(65);
  }

  @Test
  void record_withinLateness_isCountedInItsOwnWindow() throws IOException {
    StreamHistory history = open(Windowing.byEventTime(100, 50));
    history.record(A, 10);
    history.record(A, 149);

    assertThat(history.record(B, 99)).isTrue();
    assertThat(history.count(B, new TimeSpan(0, 99), 0.01).count()).isEqualTo(1);
    assertThat(history.count(B, new TimeSpan(100, 199), 0.01).count()).isZero();
  }

  @Test
  void record_pastLateness_isRefusedAndReported() throws IOException {
    StreamHistory history = open(Windowing.byEventTime(100, 50));
    history.record(A, 150);

    assertThat(history.record(B, 99)).isFalse();
    assertThat(history.record(B, 100)).isTrue();
    assertThat(history.lateEvents()).isEqualTo(1);
    assertThat(history.count(B, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(1);
  }

  @Test
  void record_negativeTimes_haveTheirWindows() throws IOException {
    StreamHistory history = open(Windowing.byEventTime(100, 0));
    history.record(A, -150);
    history.record(A, -1);
    history.record(A, 0);

    assertThat(history.record(A, -1)).isFalse();
    assertThat(history.count(A, new TimeSpan(-200, -101), 0.01).count()).isEqualTo(1);
    assertThat(history.count(A, new TimeSpan(-100, -1), 0.01).count()).isEqualTo(1);
  }

  @Test
  void record_afterReopening_staysLate() throws IOException {
    Windowing windowing = Windowing.byEventTime(100, 50);
    StreamHistory history = open(windowing);
    history.record(A, 150);
    history.flush();

    assertThat(open(windowing).record(B, 99)).isFalse();
  }

  @Test
  void record_burstBeyondAWindow_opensMoreWindowsForTheSameTime() throws IOException {
    StreamHistory history = open(Windowing.byEventTime(1000, 0));
    for (int i = 0; i < 105; i++) {
      history.record(A, 500);
    }

    assertThat(history.storedFilters()).isEqualTo(3);
    assertThat(history.count(A, TimeSpan.at(500), 0.01).count()).isEqualTo(105);
  }

  @Test
  void record_longGap_opensNoWindowsForIt() throws IOException {
    StreamHistory history = open(Windowing.byEventTime(1, 0));
    history.record(A, -StreamHistory.MAX_TIME);
    history.record(A, StreamHistory.MAX_TIME);
    history.flush();

    assertThat(history.storedWindows()).isEqualTo(2);
  }

  @Test
  void record_burstsInEveryWaitingWindow_staysWithinItsMemory() throws IOException {
    Windowing windowing = Windowing.byEventTime(10, 200);
    long memory = OpenFilters.maxFilters(windowing) * SMALL.filterBytes();
    StreamHistory history =
        StreamHistory.open(new HistorySettings(SMALL, windowing, SEED, memory, 10_000), store);
    for (int i = 0; i < 20_000; i++) {
      // Walks forward, and back over all windows that still wait.
      history.record(bytes("e" + i % 50), i / 10 - i % 200);
      assertThat(history.memoryBytes()).isLessThanOrEqualTo(memory);
    }

    assertThat(history.lateEvents()).isZero();
    long counted = 0;
    for (int i = 0; i < 50; i++) {
      counted += history.count(bytes("e" + i), TimeSpan.ALWAYS, 0.01).count();
    }
    assertThat(counted).isGreaterThanOrEqualTo(20_000);
  }

  @Test
  void record_storeFails_isRepeatableAndLosesNothing() throws IOException {
    StreamHistory history = open(Windowing.byCount());
    for (int time = 0; time < 30; time++) {
      history.record(A, time);
    }
    store.failWrites = true;
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThatIOException().isThrownBy(() -> history.record(A, 30));
    }
    assertThat(history.count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(30);

    store.failWrites = false;
    history.record(A, 30);

    assertThat(history.storedFilters()).isEqualTo(1);
    assertThat(history.count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(31);
  }

  @Test
  void record_atTheMostFilters_saysWhatToDo() throws IOException {
    StreamHistory history =
        StreamHistory.open(
            new HistorySettings(SMALL, Windowing.byCount(), SEED, 1 << 20, 2), store);
    for (int time = 0; time < 90; time++) {
      history.record(A, time);
    }

    assertThatIOException()
        .isThrownBy(() -> history.record(A, 90))
        .withMessage(
            "Cannot close a filter: the table holds 2 of at most 2 filters; merge or drop old ones");
    assertThat(history.dropBefore(30)).isEqualTo(1);
    history.record(A, 90);
    assertThat(history.count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(61);
  }

  @Test
  void record_timeOutOfRange_isRefused() throws IOException {
    StreamHistory history = open(Windowing.byCount());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> history.record(A, Long.MAX_VALUE))
        .withMessageContaining("its time was " + Long.MAX_VALUE);
  }

  @Test
  void count_riskOutOfRange_isRefused() throws IOException {
    StreamHistory history = open(Windowing.byCount());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> history.count(A, TimeSpan.ALWAYS, 0))
        .withMessageContaining("risk was 0.0");
  }

  @Test
  void count_otherTimes_readsNoStoredFilter() throws IOException {
    StreamHistory filled = open(Windowing.byCount());
    for (int time = 0; time < 300; time++) {
      filled.record(A, time);
    }
    filled.flush();
    StreamHistory history =
        StreamHistory.open(
            new HistorySettings(SMALL, Windowing.byCount(), SEED, 2 * SMALL.filterBytes(), 100),
            store);
    store.reads = 0;

    assertThat(history.count(A, new TimeSpan(95, 125), 0.01).count()).isEqualTo(40);
    assertThat(store.reads).as("filters 90..119 and 120..149").isEqualTo(2);
    assertThat(history.count(A, new TimeSpan(300, 400), 0.01).count()).isZero();
    assertThat(store.reads).isEqualTo(2);
  }

  @Test
  void count_damagedStoredFilter_failsInsteadOfCountingLess() throws IOException {
    StreamHistory filled = open(Windowing.byCount());
    for (int time = 0; time < 60; time++) {
      filled.record(A, time);
    }
    filled.flush();
    byte[] blob = store.blobs.get(MbfId.of(1));
    blob[blob.length / 2] ^= 4;
    StreamHistory history = open(Windowing.byCount());

    assertThat(history.count(A, new TimeSpan(0, 29), 0.01).count()).isEqualTo(30);
    assertThatExceptionOfType(CorruptMbfException.class)
        .isThrownBy(() -> history.count(A, TimeSpan.ALWAYS, 0.01))
        .withMessageContaining(
            "Cannot use stored filter 1: Cannot read TIME_FILTER_CONTENT: its checksum");
  }

  @Test
  void count_fileCutOrFlippedAnywhere_failsInsteadOfCountingLess(@TempDir Path directory)
      throws IOException {
    HistorySettings uncached =
        new HistorySettings(SMALL, Windowing.byCount(), SEED, 2 * SMALL.filterBytes(), 10);
    try (FileMbfStore files = FileMbfStore.open(directory)) {
      StreamHistory filled = StreamHistory.open(uncached, files);
      for (int time = 0; time < 30; time++) {
        filled.record(A, time);
      }
      filled.flush();
      Path file = directory.resolve("0000000000000000-0000000000000000.mbf");
      byte[] whole = Files.readAllBytes(file);
      for (int at = 0; at < whole.length; at++) {
        byte[] flipped = whole.clone();
        flipped[at] ^= (byte) (1 << at % Byte.SIZE);
        for (byte[] damaged : List.of(Arrays.copyOf(whole, at), flipped)) {
          Files.write(file, damaged);
          assertThatExceptionOfType(CorruptMbfException.class)
              .as("damaged at byte %d of %d", at, whole.length)
              .isThrownBy(
                  () -> StreamHistory.open(uncached, files).count(A, TimeSpan.ALWAYS, 0.01));
        }
      }
      Files.write(file, whole);
      assertThat(StreamHistory.open(uncached, files).count(A, TimeSpan.ALWAYS, 0.01).count())
          .isEqualTo(30);
    }
  }

  @Test
  void open_otherSeed_isRefused() throws IOException {
    StreamHistory filled = open(Windowing.byCount());
    filled.record(A, 0);
    filled.flush();

    assertThatIOException()
        .isThrownBy(
            () ->
                StreamHistory.open(
                    new HistorySettings(SMALL, Windowing.byCount(), SEED + 1, 1 << 20, 10), store))
        .withMessageContaining("another hash seed or shape");
  }

  @Test
  void open_afterAMergeThatCouldNotDelete_countsNothingTwice() throws IOException {
    StreamHistory history = open(Windowing.byCount());
    for (int time = 0; time < 60; time++) {
      history.record(A, time);
    }
    history.flush();
    store.failDeletes = true;
    assertThatIOException().isThrownBy(() -> history.mergeFiltersBefore(Long.MAX_VALUE));
    assertThat(history.count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(60);

    store.failDeletes = false;
    StreamHistory reopened = open(Windowing.byCount());

    assertThat(reopened.count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(60);
    assertThat(store.list()).containsExactly(new MbfId(0, 1));
    reopened.record(A, 60);
    reopened.flush();
    assertThat(store.list()).containsExactly(new MbfId(0, 1), new MbfId(2, 2));
  }

  @Test
  void mergeFilters_withAYoungerFilterBetweenThem_losesNothing() throws IOException {
    StreamHistory history = open(Windowing.byCount());
    for (int start : new int[] {0, 1000, 30}) {
      for (int time = start; time < start + 30; time++) {
        history.record(A, time);
      }
    }
    history.flush();

    assertThat(history.mergeFiltersBefore(500)).isZero();
    assertThat(history.count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(90);
    assertThat(open(Windowing.byCount()).count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(90);
  }

  @Test
  void drop_afterAMergeThatCouldNotDelete_bringsNothingBack() throws IOException {
    StreamHistory history = open(Windowing.byCount());
    for (int time = 0; time < 60; time++) {
      history.record(A, time);
    }
    history.flush();
    store.failDeletes = true;
    assertThatIOException().isThrownBy(() -> history.mergeFiltersBefore(Long.MAX_VALUE));
    assertThatIOException().isThrownBy(() -> history.dropBefore(Long.MAX_VALUE));
    assertThat(history.count(A, TimeSpan.ALWAYS, 0.01).count()).isEqualTo(60);

    store.failDeletes = false;
    assertThat(history.dropBefore(Long.MAX_VALUE)).isEqualTo(1);

    assertThat(store.list()).isEmpty();
    assertThat(open(Windowing.byCount()).count(A, TimeSpan.ALWAYS, 0.01).count()).isZero();
  }

  @Test
  void open_filtersThatShareAGroup_areRefused() throws IOException {
    store.blobs.put(new MbfId(0, 1), new byte[0]);
    store.blobs.put(new MbfId(1, 2), new byte[0]);

    assertThatExceptionOfType(CorruptMbfException.class)
        .isThrownBy(() -> open(Windowing.byCount()))
        .withMessageContaining("filter 0..1 stands for some of its groups");
  }

  @Test
  void settings_tooLittleMemoryForOpenFilters_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HistorySettings(SMALL, Windowing.byCount(), SEED, 100, 10))
        .withMessageContaining("memory was 100 bytes, its open filters may need");
  }

  @Test
  void byEventTime_moreWaitingWindowsThanAllowed_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Windowing.byEventTime(1, 10_000))
        .withMessageContaining("lateness was 10000; it must lie between 0 and 1022 windows of 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Windowing.byEventTime(0, 0))
        .withMessageContaining("width was 0");
  }

  private StreamHistory open(Windowing windowing) throws IOException {
    return StreamHistory.open(
        new HistorySettings(SMALL, windowing, SEED, 1 << 20, HistorySettings.DEFAULT_MAX_FILTERS),
        store);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
