/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.filter;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Looking up keys in a full filter at an error of 0.1 %. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FilterLookupBenchmark {
  static final double ERROR = 1e-3;

  @Param({"1000000", "10000000"})
  public int keys;

  @Param public ComparedFilter.Kind structure;

  private long[] present;
  private ComparedFilter filter;
  private SplittableRandom random;
  private int next;

  @Setup
  public void fill() {
    present = new SplittableRandom(1).longs(keys).toArray();
    filter = structure.filled(present, keys, ERROR);
    random = new SplittableRandom(2);
  }

  /**
   * Keys come in the order in which they were drawn at random. To pick them at random once more
   * would add the cost of fetching a key from a large array, which is no part of a lookup.
   */
  @Benchmark
  public boolean presentKey() {
    next = next + 1 < keys ? next + 1 : 0;
    return filter.mightContain(present[next]);
  }

  @Benchmark
  public boolean absentKey() {
    return filter.mightContain(random.nextLong());
  }
}
