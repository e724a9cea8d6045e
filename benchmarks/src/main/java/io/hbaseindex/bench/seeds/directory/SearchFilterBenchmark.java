/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.directory;

import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.filter.InsertableFilter;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Inserting into and asking the search filters, a million elements of ten bits and seven hashes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SearchFilterBenchmark {
  private static final int ELEMENTS = 1 << 20;
  private static final BloomShape SHAPE = new BloomShape(10L * ELEMENTS, 7);

  @Param({"RANDOM", "BLOOM", "RR", "BB", "BR", "MINIMUM_HASH"})
  public SearchFilterKind kind;

  private final long[] elements = new SplittableRandom(1).longs(ELEMENTS).toArray();
  private InsertableFilter filter;
  private int next;

  @Setup
  public void fill() {
    filter = filled();
  }

  /** All elements into an empty filter. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public InsertableFilter insert() {
    return filled();
  }

  @Benchmark
  public boolean lookupPresent() {
    return filter.mightContain(elements[nextIndex()]);
  }

  @Benchmark
  public boolean lookupAbsent() {
    return filter.mightContain(~elements[nextIndex()]);
  }

  private InsertableFilter filled() {
    InsertableFilter empty = kind.create(SHAPE);
    for (long element : elements) {
      empty.insert(element);
    }
    return empty;
  }

  private int nextIndex() {
    next = (next + 1) & (ELEMENTS - 1);
    return next;
  }
}
