/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import io.hbaseindex.seeds.timecount.HistorySettings;
import io.hbaseindex.seeds.timecount.StreamHistory;
import io.hbaseindex.seeds.timecount.Windowing;
import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.simple.RandomSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Recording skewed events, and counting them over spans of all lengths with every filter in memory.
 * Recording includes encoding a closed filter once in 100,000 events, but no disk.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StreamHistoryBenchmark {
  private static final MbfParameters PARAMETERS = MbfParameters.forErrors(10_000, 10, 0.01, 0.01);
  private static final int SAMPLES = 1 << 16;
  private static final int ELEMENTS = 1_000_000;
  private static final double RISK = 0.01;

  /** Events to come. */
  @State(Scope.Thread)
  public static class Samples {
    private final byte[][] elements = new byte[SAMPLES][];
    private int next;

    @Setup
    public void draw() {
      DiscreteSampler sampler =
          RejectionInversionZipfSampler.of(
              RandomSource.XO_RO_SHI_RO_128_PP.create(1L), ELEMENTS, 1.0);
      for (int i = 0; i < SAMPLES; i++) {
        elements[i] = bytes(sampler.sample());
      }
    }

    byte[] next() {
      next = (next + 1) % SAMPLES;
      return elements[next];
    }
  }

  /** A history that goes on and on. */
  @State(Scope.Thread)
  public static class Recording {
    private StreamHistory history;
    private long time;

    @Setup(Level.Iteration)
    public void open() throws IOException {
      history = openHistory(0);
      time = 0;
    }
  }

  /** A million events, all in memory. */
  @State(Scope.Thread)
  public static class Recorded {
    static final int EVENTS = 1_000_000;

    /** Windows of the span asked for. */
    @Param({"1", "10", "100"})
    public int windows;

    private StreamHistory history;
    private TimeSpan span;

    @Setup
    public void record(Samples samples) throws IOException {
      history = openHistory(1L << 30);
      for (int time = 0; time < EVENTS; time++) {
        history.record(samples.next(), time);
      }
      span = new TimeSpan(0, (long) windows * PARAMETERS.windowCapacity() - 1);
    }
  }

  @Benchmark
  public boolean record(Recording state, Samples samples) throws IOException {
    return state.history.record(samples.next(), state.time++);
  }

  @Benchmark
  public CountEstimate countPresent(Recorded state, Samples samples) throws IOException {
    return state.history.count(samples.next(), state.span, RISK);
  }

  @Benchmark
  public CountEstimate countAbsent(Recorded state, Samples samples) throws IOException {
    // A ninth byte: no element of the stream.
    byte[] absent = Arrays.copyOf(samples.next(), Long.BYTES + 1);
    return state.history.count(absent, state.span, RISK);
  }

  private static StreamHistory openHistory(long cacheBytes) throws IOException {
    return StreamHistory.open(
        new HistorySettings(
            PARAMETERS,
            Windowing.byCount(),
            1,
            2 * PARAMETERS.filterBytes() + cacheBytes,
            HistorySettings.DEFAULT_MAX_FILTERS),
        new DiscardingStore());
  }

  private static byte[] bytes(long element) {
    return ByteBuffer.allocate(Long.BYTES).putLong(element).array();
  }
}
