/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.memory.PagedMemory;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jol.info.GraphLayout;

/** What a filter takes: on the heap by its object graph, beside it by the process's own account. */
class FilterMemoryTest {
  private static final int VALUES = 1_000_000;

  @BeforeAll
  static void letRecordsBeMeasured() {
    System.setProperty("jol.magicFieldOffset", "true");
  }

  /** Sized as a rebuild sizes it; the numbers are just above and below steps of size. */
  @ParameterizedTest
  @ValueSource(ints = {900_000, VALUES, 1_160_000})
  void rebuiltFilter_atTheDefaultError_takesAtMostEightBytesPerValue(int values) {
    PagedMemory memory = PagedMemory.direct(1 << 28);
    long directBefore = directBytes();
    ScalableSplitCountingBloomFilter filter = filled(memory, values, (long) (1.1 * values));

    double direct = (double) (directBytes() - directBefore) / values;
    double taken = (double) memory.takenBytes() / values;
    double heap = (double) GraphLayout.parseInstance(filter).totalSize() / values;
    System.out.printf(
        "bytes per value, %,d values: %.2f taken, %.2f direct memory of the process, %.3f heap%n",
        values, taken, direct, heap);

    assertThat(filter.segmentCount()).isEqualTo(1);
    assertThat(filter.currentError()).isLessThan(FilterGeometry.DEFAULT_ERROR);
    assertThat(filter.stuckCounters()).isZero();
    assertThat(filter.bytes()).isEqualTo(memory.takenBytes());
    assertThat(taken).isBetween(5.0, 8.0);
    assertThat(direct).as("in whole slabs").isBetween(taken, taken + 1.1e6 / values);
    assertThat(heap).isLessThan(0.1);
    filter.free();
    assertThat(memory.takenBytes()).isZero();
  }

  @Test
  void bytesFor_tellsBeforeWhatARegionOfSingleValuesWillTake() {
    PagedMemory memory = PagedMemory.direct(1 << 28);
    long told = ScalableSplitCountingBloomFilter.bytesFor(FilterGeometry.standard(), VALUES);

    ScalableSplitCountingBloomFilter filter = filled(memory, VALUES, VALUES);

    assertThat(filter.bytes()).isEqualTo(told);
  }

  /** Copies cost memory; where even that does not do, one cell in ten thousand may stick. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 10})
  void copies_takeMore_andDeletesStayExact(int copies) {
    int values = 60_000;
    PagedMemory memory = PagedMemory.direct(1 << 28);
    ScalableSplitCountingBloomFilter filter =
        ScalableSplitCountingBloomFilter.within(
                memory, FilterGeometry.standard(), FilterChangeListener.NONE, values)
            .orElseThrow();
    for (int copy = 0; copy < copies; copy++) {
      new SplittableRandom(1).longs(values).forEach(filter::insert);
    }
    System.out.printf(
        "bytes per value, %d copies each: %.2f, %d stuck%n",
        copies, (double) filter.bytes() / values, filter.stuckCounters());
    assertThat(filter.stuckCounters()).isLessThan(filter.cells() / 10_000);

    for (int copy = 1; copy < copies; copy++) {
      new SplittableRandom(1).longs(values).forEach(filter::delete);
    }
    assertThat(new SplittableRandom(1).longs(values).allMatch(filter::mightContain)).isTrue();
    new SplittableRandom(1).longs(values).forEach(filter::delete);
    assertThat(filter.estimatedElements()).isLessThan(10);
  }

  @Test
  void noMemoryForAnotherSegment_theLastOneGoesOn_andNothingIsDenied() {
    FilterGeometry geometry = FilterGeometry.standard();
    long room = ScalableSplitCountingBloomFilter.bytesFor(geometry, 0);
    ScalableSplitCountingBloomFilter filter =
        ScalableSplitCountingBloomFilter.within(
                PagedMemory.direct(room), geometry, FilterChangeListener.NONE, 0)
            .orElseThrow();
    long[] elements = new SplittableRandom(2).longs(3000).toArray();
    for (long element : elements) {
      filter.insert(element);
    }

    assertThat(filter.segmentCount()).isEqualTo(1);
    assertThat(filter.currentError()).isGreaterThan(geometry.error());
    for (long element : elements) {
      assertThat(filter.mightContain(element)).isTrue();
    }
    for (int at = 0; at < 2990; at++) {
      filter.delete(elements[at]);
    }
    for (int at = 2990; at < 3000; at++) {
      assertThat(filter.mightContain(elements[at])).isTrue();
    }
  }

  /** Many parts of filters are as small as that, where several holders share a table's values. */
  @Test
  void smallFilter_takesNoMoreForEachValueThanALargeOne() {
    for (int values : new int[] {1_000, 2_000, 5_000}) {
      PagedMemory memory = PagedMemory.direct(1 << 20);
      filled(memory, values, values);
      assertThat(memory.takenBytes()).as("%s values", values).isLessThan(8L * values);
    }
  }

  @Test
  void noMemoryForTheFirstSegment_isSaid_andNothingStaysTaken() {
    PagedMemory memory = PagedMemory.direct(4096);

    assertThat(
            ScalableSplitCountingBloomFilter.within(
                memory, FilterGeometry.standard(), FilterChangeListener.NONE, 0))
        .isEmpty();
    assertThat(memory.takenBytes()).isZero();
  }

  private static ScalableSplitCountingBloomFilter filled(
      PagedMemory memory, int values, long expected) {
    ScalableSplitCountingBloomFilter filter =
        ScalableSplitCountingBloomFilter.within(
                memory, FilterGeometry.standard(), FilterChangeListener.NONE, expected)
            .orElseThrow();
    new SplittableRandom(values).longs(values).forEach(filter::insert);
    return filter;
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getTotalCapacity)
        .sum();
  }
}
