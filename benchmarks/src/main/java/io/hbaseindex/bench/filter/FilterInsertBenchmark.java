/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.filter;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * Inserting the last keys into a filter, each once and all of them new, at an error of 0.1 %. Every
 * shot starts from a filter filled anew, since repeated inserts would measure saturated counters.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3)
@Measurement(iterations = 6)
public class FilterInsertBenchmark {
  static final int SHOT = 100_000;

  @Param({"1000000", "10000000"})
  public int keys;

  @Param public ComparedFilter.Kind structure;

  private long[] all;
  private ComparedFilter filter;

  @Setup(Level.Iteration)
  public void fill() {
    all = new SplittableRandom(1).longs(keys).toArray();
    filter = structure.filled(all, keys - SHOT, FilterLookupBenchmark.ERROR);
  }

  @Benchmark
  @OperationsPerInvocation(SHOT)
  public void insertKey() {
    for (int at = keys - SHOT; at < keys; at++) {
      filter.insert(all[at]);
    }
  }
}
