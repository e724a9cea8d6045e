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
 * Deleting keys from a full filter, each once, at an error of 0.1 %. Every shot starts from a
 * filter filled anew, since a key may be deleted only once.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3)
@Measurement(iterations = 6)
public class FilterDeleteBenchmark {
  private static final int SHOT = FilterInsertBenchmark.SHOT;

  @Param({"1000000", "10000000"})
  public int keys;

  @Param({
    "SCBF",
    "SSCBF_SIZED",
    "SSCBF_GROWN",
    "SSCBF_NEGLECTED",
    "HADOOP_COUNTING",
    "FASTFILTER_COUNTING",
    "FASTFILTER_SUCCINCT_BLOCKED"
  })
  public ComparedFilter.Kind structure;

  private long[] all;
  private ComparedFilter.Deleting filter;

  @Setup(Level.Iteration)
  public void fill() {
    all = new SplittableRandom(1).longs(keys).toArray();
    filter = (ComparedFilter.Deleting) structure.filled(all, keys, FilterLookupBenchmark.ERROR);
  }

  @Benchmark
  @OperationsPerInvocation(SHOT)
  public void deleteKey() {
    for (int at = keys - SHOT; at < keys; at++) {
      filter.delete(all[at]);
    }
  }
}
