/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.CutBloomFilterMatrix;
import io.hbaseindex.seeds.tuple.MatrixLayout;
import io.hbaseindex.seeds.tuple.MemoryLimit;
import java.util.List;
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

/**
 * The cut matrix against the number of attributes: axes of 16 positions, the pair of the first two
 * attributes cut, stored tuples asked for with random attributes given.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MatrixDimensionBenchmark {
  private static final int AXIS_LENGTH = 16;
  private static final int HASHES = 6;
  private static final int QUERIES = 1 << 12;

  @Param({"2", "3", "4", "5", "6", "7", "8"})
  public int attributes;

  /** Tuples inserted before the measurement. */
  @Param({"100", "1000", "10000"})
  public int elements;

  private CutBloomFilterMatrix filter;
  private final long[][] tuples = new long[QUERIES][];
  private final AttributeSet[] given = new AttributeSet[QUERIES];
  private int next;

  @Setup
  public void fill() {
    MatrixLayout layout =
        MatrixLayout.uniform(attributes, AXIS_LENGTH, List.of(AttributeSet.of(0, 1)));
    filter = new CutBloomFilterMatrix(layout, HASHES, MemoryLimit.ofMebibytes(128));
    IntegerTuples source = new IntegerTuples(attributes);
    for (int i = 0; i < elements; i++) {
      filter.insert(source.tuple(i));
    }
    SplittableRandom random = new SplittableRandom(attributes);
    for (int i = 0; i < QUERIES; i++) {
      tuples[i] = source.tuple(random.nextInt(elements));
      given[i] = new AttributeSet(random.nextInt(1, 1 << attributes));
    }
  }

  @Benchmark
  public void insert() {
    filter.insert(tuples[next++ & QUERIES - 1]);
  }

  @Benchmark
  public boolean lookup() {
    int query = next++ & QUERIES - 1;
    return filter.mightMatch(given[query], tuples[query]);
  }
}
