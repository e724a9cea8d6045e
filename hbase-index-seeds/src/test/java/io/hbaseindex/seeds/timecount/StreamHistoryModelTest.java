/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.Seeds;
import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Every operation in any order, in time out of order, with a store that fails now and then, against
 * a plain list of events.
 */
class StreamHistoryModelTest {
  private static final MbfParameters PARAMETERS = MbfParameters.forErrors(8, 3, 1e-6, 0.1);

  /** So small that an answer above its bound is a bug. */
  private static final double RISK = 1e-9;

  private static final int ELEMENTS = 20;
  private static final int STEPS = 1_500;

  private record Event(int element, long time) {}

  @Test
  void count_anyOrderOfOperations_isNeverTooLowNorAboveItsBound() {
    Seeds.forEach(
        60,
        seed -> {
          try {
            new Run(seed).run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static final class Run {
    private final SplittableRandom random;
    private final HistorySettings settings;
    private final MemoryMbfStore store = new MemoryMbfStore();
    private final List<Event> recorded = new ArrayList<>();
    private StreamHistory history;
    private long now;

    /** Events from here on were never dropped. */
    private long keptFrom = Long.MIN_VALUE;

    Run(long seed) throws IOException {
      random = new SplittableRandom(seed);
      Windowing windowing =
          random.nextBoolean()
              ? Windowing.byCount()
              : Windowing.byEventTime(1 + random.nextInt(20), random.nextInt(100));
      // From no cache at all to room for everything.
      long memory =
          OpenFilters.maxFilters(windowing) * PARAMETERS.filterBytes() + random.nextInt(100_000);
      settings = new HistorySettings(PARAMETERS, windowing, seed, memory, 10_000);
      history = StreamHistory.open(settings, store);
    }

    void run() throws IOException {
      for (int step = 0; step < STEPS; step++) {
        store.failWrites = random.nextInt(50) == 0;
        store.failDeletes = random.nextInt(10) == 0;
        try {
          change();
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("refused by the test");
        }
        store.failWrites = false;
        store.failDeletes = false;
        if (random.nextInt(10) == 0) {
          ask();
        }
      }
    }

    private void change() throws IOException {
      int kind = random.nextInt(200);
      if (kind == 0) {
        history.flush();
      } else if (kind == 1) {
        history.mergeWindowsBefore(pastTime());
      } else if (kind == 2) {
        history.mergeFiltersBefore(pastTime());
      } else if (kind == 3) {
        long time = pastTime() - 100;
        keptFrom = Math.max(keptFrom, time);
        history.dropBefore(time);
      } else if (kind == 4) {
        history.flush();
        history = StreamHistory.open(settings, store);
      } else {
        now += random.nextInt(3);
        Event event = new Event(random.nextInt(ELEMENTS), now - random.nextInt(50));
        if (history.record(SkewedStream.bytesOf(event.element()), event.time())) {
          recorded.add(event);
        }
      }
    }

    private void ask() throws IOException {
      int element = random.nextInt(ELEMENTS + 5);
      long first = pastTime() - 60;
      TimeSpan asked = new TimeSpan(first, first + random.nextInt(300));
      CountEstimate answer = history.count(SkewedStream.bytesOf(element), asked, RISK);

      assertThat(answer.count())
          .as("count of %d in %s", element, asked)
          .isGreaterThanOrEqualTo(exact(element, asked, keptFrom));
      assertThat(answer.atLeast())
          .as("least count of %d in %s", element, answer.covered())
          .isLessThanOrEqualTo(exact(element, answer.covered(), Long.MIN_VALUE));
      assertThat(history.memoryBytes()).isLessThanOrEqualTo(settings.memoryBytes());
    }

    private long exact(int element, TimeSpan span, long from) {
      return recorded.stream()
          .filter(event -> event.element() == element && event.time() >= from)
          .filter(event -> span.overlaps(TimeSpan.at(event.time())))
          .count();
    }

    private long pastTime() {
      return random.nextLong(now + 1);
    }
  }
}
