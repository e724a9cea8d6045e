/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.routing;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.matrix.OwnerSet;
import io.hbaseindex.core.matrix.RoutingMatrix;
import java.util.ArrayList;
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
 * Which of many owners may hold a value, where each has one full segment of 1,024 values at an
 * error of 1e-4.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx3g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RoutingBenchmark {
  private static final SizeClass SEGMENT = SizeClass.forCapacity(1_024, 1e-4);
  private static final long EVERYWHERE = 42;

  @Param({"1000", "10000", "100000"})
  public int segments;

  private final List<FilterSnapshot> filters = new ArrayList<>();
  private final RoutingMatrix matrix = new RoutingMatrix(1L << 30);
  private final FilterChanges oneBit = new FilterChanges();
  private SplittableRandom random;

  @Setup
  public void fill() {
    random = new SplittableRandom(1);
    for (int i = 0; i < segments; i++) {
      BitPlane plane = halfFull();
      for (int slice = 0; slice < SEGMENT.slices(); slice++) {
        plane.set(SEGMENT.position(EVERYWHERE, slice));
      }
      FilterSnapshot filter =
          new FilterSnapshot(List.of(new FilterSnapshot.Segment(0, SEGMENT, plane)));
      filters.add(filter);
      matrix.addOwner(filter);
    }
    while (matrix.tidy(Integer.MAX_VALUE)) {
      // until all of them are columns
    }
  }

  private BitPlane halfFull() {
    long[] words = new long[Math.toIntExact((SEGMENT.cells() + Long.SIZE - 1) / Long.SIZE)];
    for (int i = 0; i < words.length; i++) {
      words[i] = random.nextLong();
    }
    words[words.length - 1] &= -1L >>> -SEGMENT.cells();
    return BitPlane.ofWords(SEGMENT.cells(), words);
  }

  @Benchmark
  public int probeEach() {
    long element = random.nextLong();
    int candidates = 0;
    for (FilterSnapshot filter : filters) {
      if (filter.mightContain(element)) {
        candidates++;
      }
    }
    return candidates;
  }

  @Benchmark
  public OwnerSet route() {
    return matrix.candidates(random.nextLong());
  }

  @Benchmark
  public OwnerSet routeToAllOwners() {
    return matrix.candidates(EVERYWHERE);
  }

  /** The bits fill up while this runs, which changes nothing about what an update does. */
  @Benchmark
  public void setBit() {
    oneBit.clear();
    oneBit.bitSet(0, random.nextLong(SEGMENT.cells()));
    matrix.apply(random.nextInt(segments), oneBit);
  }
}
