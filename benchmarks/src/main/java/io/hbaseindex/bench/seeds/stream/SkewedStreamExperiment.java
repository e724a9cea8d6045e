/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Ten million events whose elements follow Zipf's law, against exact counts: in memory, on disk and
 * compressed.
 */
final class SkewedStreamExperiment {
  static final int EVENTS = 10_000_000;
  static final int ELEMENTS = 1_000_000;
  static final double EXPONENT = 1.0;
  private static final int QUESTIONS = 20_000;
  private static final int UNCACHED_QUESTIONS = 200;

  private final MbfParameters parameters;
  private final int[] elements = new int[EVENTS];

  /** Per element, the times of its events: the part of {@code times} from its start on. */
  private final int[] starts = new int[ELEMENTS + 2];

  private final int[] times = new int[EVENTS];

  /** One row of the result. */
  record Row(
      String state,
      int questions,
      long below,
      ErrorRate inexact,
      double statedInexact,
      double meanExcess,
      long largestExcess,
      double meanBound,
      ErrorRate aboveBound,
      double bitsPerEvent) {}

  SkewedStreamExperiment(MbfParameters parameters) {
    this.parameters = parameters;
    UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(2L);
    DiscreteSampler sampler = RejectionInversionZipfSampler.of(random, ELEMENTS, EXPONENT);
    for (int i = 0; i < EVENTS; i++) {
      elements[i] = sampler.sample();
      starts[elements[i] + 1]++;
    }
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
    int[] next = starts.clone();
    for (int i = 0; i < EVENTS; i++) {
      times[next[elements[i]]++] = i;
    }
  }

  /** Distinct elements in the average window. */
  double distinctPerWindow() {
    int window = parameters.windowCapacity();
    long distinct = 0;
    for (int from = 0; from < EVENTS; from += window) {
      distinct += Arrays.stream(elements, from, from + window).distinct().count();
    }
    return (double) distinct * window / EVENTS;
  }

  /** Asks the same questions in one state after the other. */
  List<Row> run() {
    List<Row> rows = new ArrayList<>();
    try (ScratchHistory history = new ScratchHistory(parameters, 2)) {
      for (int element : elements) {
        history.record(element);
      }
      history.flush();
      rows.add(ask("as recorded, in memory", history, QUESTIONS));
      history.reopenWithoutCache();
      rows.add(ask("reopened, every filter read from disk", history, UNCACHED_QUESTIONS));
      history.reopen();
      history.mergeFilters();
      rows.add(ask("pairs of filters joined", history, QUESTIONS));
      history.mergeWindows();
      rows.add(ask("and pairs of windows merged", history, QUESTIONS));
      history.mergeWindows();
      rows.add(ask("and merged once more", history, QUESTIONS));
    }
    return rows;
  }

  static String table(List<Row> rows) {
    MarkdownTable table =
        new MarkdownTable(
            "state",
            "questions",
            "too low",
            "too high",
            "stated at most",
            "mean excess",
            "largest",
            "mean bound",
            "above bound (stated ≤ 1 %)",
            "bits per event");
    rows.forEach(row -> add(table, row));
    return table.toString();
  }

  private static void add(MarkdownTable table, Row row) {
    table.row(
        row.state(),
        String.format(Locale.ROOT, "%,d", row.questions()),
        row.below(),
        row.inexact(),
        ErrorRate.format(row.statedInexact()),
        String.format(Locale.ROOT, "%.2f", row.meanExcess()),
        row.largestExcess(),
        String.format(Locale.ROOT, "%.1f", row.meanBound()),
        row.aboveBound(),
        String.format(Locale.ROOT, "%.0f", row.bitsPerEvent()));
  }

  private Row ask(String state, ScratchHistory history, int questions) {
    SplittableRandom random = new SplittableRandom(3);
    long below = 0;
    long inexact = 0;
    double stated = 0;
    double excessSum = 0;
    long largest = 0;
    double boundSum = 0;
    long aboveBound = 0;
    for (int i = 0; i < questions; i++) {
      int element = pick(random);
      TimeSpan span = span(random);
      CountEstimate answer = history.count(element, span);
      below += answer.count() < exact(element, span) ? 1 : 0;
      long excess = answer.count() - exact(element, answer.covered());
      inexact += excess > 0 ? 1 : 0;
      stated += answer.inexactProbability();
      excessSum += excess;
      largest = Math.max(largest, excess);
      boundSum += answer.excessBound();
      aboveBound += excess > answer.excessBound() ? 1 : 0;
    }
    return new Row(
        state,
        questions,
        below,
        new ErrorRate(inexact, questions),
        stated / questions,
        excessSum / questions,
        largest,
        boundSum / questions,
        new ErrorRate(aboveBound, questions),
        8.0 * history.history().storedBytes() / EVENTS);
  }

  /** One third as frequent as in the stream, one third any element, one third absent ones. */
  private int pick(SplittableRandom random) {
    return switch (random.nextInt(3)) {
      case 0 -> elements[random.nextInt(EVENTS)];
      case 1 -> random.nextInt(1, ELEMENTS + 1);
      default -> ELEMENTS + random.nextInt(1, 1 << 30);
    };
  }

  /** Spans of all lengths, short ones more often. */
  private static TimeSpan span(SplittableRandom random) {
    long from = random.nextInt(EVENTS);
    long length = (long) (EVENTS * Math.pow(random.nextDouble(), 3));
    return new TimeSpan(from, Math.min(EVENTS - 1, from + length));
  }

  private long exact(int element, TimeSpan span) {
    if (element > ELEMENTS) {
      return 0;
    }
    return firstFrom(element, span.last() + 1) - firstFrom(element, span.first());
  }

  private int firstFrom(int element, long time) {
    int low = starts[element];
    int high = starts[element + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
