/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.directory;

import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.ElementHasher;
import io.hbaseindex.seeds.directory.MinimumHashDirectory;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
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

/** The minimum-hash directory beside a hash map, keys of sixteen bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DirectoryBenchmark {
  private static final int KEYS = 1 << 18;

  /** What is searched. */
  public enum Structure {
    HASH_MAP {
      @Override
      Searched create() {
        Map<ByteBuffer, Integer> map = new HashMap<>();
        return new Searched() {
          @Override
          public void put(byte[] key, Integer value) {
            map.put(ByteBuffer.wrap(key), value);
          }

          @Override
          public Integer get(byte[] key) {
            return map.get(ByteBuffer.wrap(key));
          }
        };
      }
    },
    DIRECTORY {
      @Override
      Searched create() {
        MinimumHashDirectory<Integer> directory =
            new MinimumHashDirectory<>(new BloomShape(10L * KEYS, 7), KEYS, ElementHasher.of(1, 1));
        return new Searched() {
          @Override
          public void put(byte[] key, Integer value) {
            directory.put(key, value);
          }

          @Override
          public Integer get(byte[] key) {
            return directory.search(key).value().orElse(null);
          }
        };
      }
    };

    abstract Searched create();
  }

  /** The operations compared. */
  public interface Searched {
    void put(byte[] key, Integer value);

    Integer get(byte[] key);
  }

  @Param public Structure structure;

  private final byte[][] present = keys(1);
  private final byte[][] absent = keys(2);
  private Searched searched;
  private int next;

  @Setup
  public void fill() {
    searched = filled();
  }

  /** All keys into an empty structure. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public Searched put() {
    return filled();
  }

  @Benchmark
  public Integer searchPresent() {
    return searched.get(present[nextIndex()]);
  }

  @Benchmark
  public Integer searchAbsent() {
    return searched.get(absent[nextIndex()]);
  }

  private Searched filled() {
    Searched empty = structure.create();
    for (int i = 0; i < KEYS; i++) {
      empty.put(present[i], i);
    }
    return empty;
  }

  private int nextIndex() {
    next = (next + 1) & (KEYS - 1);
    return next;
  }

  private static byte[][] keys(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[][] keys = new byte[KEYS][16];
    for (byte[] key : keys) {
      random.nextBytes(key);
    }
    return keys;
  }
}
