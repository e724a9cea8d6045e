/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.jmh;

import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.hash.ElementHasher;
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

/** What hashing a value costs before any filter is touched. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ElementHashBenchmark {
  /** Length of the value in bytes. */
  @Param({"8", "32", "256"})
  public int length;

  private final ElementHasher hasher = ElementHasher.of(1, 1);
  private byte[] value;

  @Setup
  public void fillValue() {
    value = new byte[length];
    new SplittableRandom(length).nextBytes(value);
  }

  @Benchmark
  public long hash() {
    return hasher.hash(value);
  }

  @Benchmark
  public long hashAndFirstPosition() {
    return BitMixer.position(hasher.hash(value), 0, 1 << 20);
  }
}
