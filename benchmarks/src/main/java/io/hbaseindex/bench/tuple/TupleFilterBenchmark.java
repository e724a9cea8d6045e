/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import io.hbaseindex.seeds.tuple.TupleFilter;
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

/**
 * Insert and lookup of full tuples in 16 MiB with six hash functions. Stored tuples are asked for,
 * so that every lookup reads all its positions.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TupleFilterBenchmark {
  static final long BITS = 16L << 23;
  static final int HASHES = 6;
  static final int TUPLES = 1 << 16;

  @Param public Structure structure;

  private TupleFilter filter;
  private long[][] tuples;
  private int next;

  @Setup
  public void fill() {
    filter = structure.create(BITS, HASHES);
    tuples = fill(filter);
  }

  static long[][] fill(TupleFilter filter) {
    IntegerTuples source = new IntegerTuples(filter.attributes());
    long[][] tuples = new long[TUPLES][];
    for (int i = 0; i < TUPLES; i++) {
      tuples[i] = source.tuple(i);
      filter.insert(tuples[i]);
    }
    return tuples;
  }

  @Benchmark
  public void insert() {
    filter.insert(tuples[next++ & TUPLES - 1]);
  }

  @Benchmark
  public boolean lookup() {
    return filter.mightContain(tuples[next++ & TUPLES - 1]);
  }
}
