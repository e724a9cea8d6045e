/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import io.hbaseindex.seeds.tuple.PartialMatchFilter;
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

/** As {@link TupleFilterBenchmark}, with two of the three attributes given. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PartialMatchBenchmark {
  @Param({"MDBF", "CMDBF", "CBF", "BFM", "CBFM", "CBFM_2_CUTS", "WCBFM", "SEVEN_SBF"})
  public Structure structure;

  private PartialMatchFilter filter;
  private long[][] tuples;
  private int next;

  @Setup
  public void fill() {
    filter =
        (PartialMatchFilter)
            structure.create(TupleFilterBenchmark.BITS, TupleFilterBenchmark.HASHES);
    tuples = TupleFilterBenchmark.fill(filter);
  }

  @Benchmark
  public boolean lookupPair() {
    return filter.mightMatch(Structure.PAIR, tuples[next++ & TupleFilterBenchmark.TUPLES - 1]);
  }
}
