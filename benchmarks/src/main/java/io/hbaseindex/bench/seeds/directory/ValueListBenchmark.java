/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.directory;

import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.ElementHasher;
import io.hbaseindex.core.predicate.ValueSet;
import io.hbaseindex.seeds.directory.MinimumHashDirectory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
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

/** Whether a value is in a list: what a row costs whose column is asked for by a long list. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class ValueListBenchmark {
  private static final int ASKED = 1 << 12;

  /** What the list is kept in. */
  public enum Kept {
    /** Compared one after the other, as by a list of filters of which one must pass. */
    ONE_BY_ONE {
      @Override
      Predicate<byte[]> of(List<byte[]> values) {
        return asked -> {
          for (byte[] value : values) {
            if (Arrays.equals(value, asked)) {
              return true;
            }
          }
          return false;
        };
      }
    },
    SORTED {
      @Override
      Predicate<byte[]> of(List<byte[]> values) {
        byte[][] sorted = values.stream().sorted(Arrays::compareUnsigned).toArray(byte[][]::new);
        return asked -> Arrays.binarySearch(sorted, asked, Arrays::compareUnsigned) >= 0;
      }
    },
    VALUE_SET {
      @Override
      Predicate<byte[]> of(List<byte[]> values) {
        ValueSet set = ValueSet.of(values);
        return asked -> set.contains(asked, 0, asked.length);
      }
    },
    DIRECTORY {
      @Override
      Predicate<byte[]> of(List<byte[]> values) {
        MinimumHashDirectory<Boolean> directory =
            new MinimumHashDirectory<>(
                new BloomShape(10L * values.size(), 7), values.size(), ElementHasher.of(1, 1));
        values.forEach(value -> directory.put(value, true));
        return asked -> directory.search(asked).value().isPresent();
      }
    };

    abstract Predicate<byte[]> of(List<byte[]> values);
  }

  @Param public Kept kept;

  /** How many values the list has. */
  @Param({"100", "10000"})
  public int size;

  private Predicate<byte[]> list;
  private byte[][] present;
  private byte[][] absent;
  private int next;

  @Setup
  public void fill() {
    List<byte[]> values = IntStream.range(0, size).mapToObj(i -> email(2 * i)).toList();
    list = kept.of(values);
    present =
        IntStream.range(0, ASKED).mapToObj(i -> email(2 * (i * 31 % size))).toArray(byte[][]::new);
    absent = IntStream.range(0, ASKED).mapToObj(i -> email(2 * i + 1)).toArray(byte[][]::new);
  }

  private static byte[] email(int i) {
    return (i + "@mail.example").getBytes(StandardCharsets.US_ASCII);
  }

  /** A value that the list has. */
  @Benchmark
  public boolean present() {
    return list.test(present[next++ & ASKED - 1]);
  }

  /** A value that the list lacks, as most rows have. */
  @Benchmark
  public boolean absent() {
    return list.test(absent[next++ & ASKED - 1]);
  }
}
