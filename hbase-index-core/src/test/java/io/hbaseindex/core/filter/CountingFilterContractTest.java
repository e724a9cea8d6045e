/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.testing.Seeds;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No counting filter ever denies an element that is present, or counts it too low; chains that
 * would are caught.
 */
class CountingFilterContractTest {
  private static final int SEEDS = 1000;
  private static final int STEPS = 1500;

  /** Tiny segments with high error: chains grow long and false positives are everywhere. */
  private static final FilterGeometry TINY_EQUAL = FilterGeometry.equalSegments(6, 0.2);

  /** Few elements meet by chance, but their copies are more than the first side table takes. */
  private static final FilterGeometry WIDE = FilterGeometry.doubling(2000, 0.1);

  static Stream<Named<Supplier<MultisetWorkload.Subject>>> filters() {
    return Stream.of(
        subject("one segment", () -> fixed(SplitCountingBloomFilter.forCapacity(100, 0.1))),
        subject("one overfull segment", () -> fixed(SplitCountingBloomFilter.forCapacity(10, 0.3))),
        subject("equal segments", () -> chain(TINY_EQUAL, 1 << 10)),
        subject("doubling segments", () -> chain(FilterGeometry.doubling(4, 0.5), 1 << 10)),
        subject(
            "equal segments, shared error",
            () -> chain(new FilterGeometry(6, 0.9, 1, true), 1 << 10)),
        subject("no heavy table", () -> chain(TINY_EQUAL, 0)),
        subject("heavy table of two", () -> chain(FilterGeometry.doubling(4, 0.5), 2)),
        subject("standard geometry", () -> chain(FilterGeometry.standard(), 1 << 10)),
        subject("copies outgrow the side table", () -> chain(WIDE, 0)),
        subject("memory for one segment", bounded(TINY_EQUAL, 0)),
        subject("memory for two segments and frequent elements", bounded(TINY_EQUAL, 3)),
        subject("no memory for copies", bounded(WIDE, 0)),
        subject("memory for some copies", bounded(WIDE, 2)));
  }

  /**
   * Chains that are refused memory beyond their first segment and so many pages, one after the
   * other in the same pages: the one before is freed.
   */
  private static Supplier<MultisetWorkload.Subject> bounded(FilterGeometry geometry, int more) {
    long first = ScalableSplitCountingBloomFilter.bytesFor(geometry, 0);
    PagedMemory memory = PagedMemory.direct(first + more * PagedMemory.bytesFor(1));
    AtomicReference<ScalableSplitCountingBloomFilter> last = new AtomicReference<>();
    return () -> {
      if (last.get() != null) {
        last.get().free();
        assertThat(memory.takenBytes()).isZero();
      }
      last.set(
          ScalableSplitCountingBloomFilter.within(memory, geometry, FilterChangeListener.NONE, 0)
              .orElseThrow());
      return fixed(last.get());
    };
  }

  @ParameterizedTest
  @MethodSource("filters")
  void randomMultisets_presentElement_isNeverDenied(Supplier<MultisetWorkload.Subject> filter) {
    Seeds.forEach(
        SEEDS, seed -> assertThat(MultisetWorkload.run(filter.get(), seed, STEPS)).isEmpty());
  }

  @ParameterizedTest
  @EnumSource(UnsafeChain.Rule.class)
  void unsafeRule_losesAnElement_andIsCaught(UnsafeChain.Rule rule) {
    Optional<String> found =
        LongStream.range(0, SEEDS)
            .mapToObj(
                seed -> MultisetWorkload.run(fixed(new UnsafeChain(rule, TINY_EQUAL)), seed, STEPS))
            .flatMap(Optional::stream)
            .findFirst();

    assertThat(found).as("a denied element under rule %s", rule).isPresent();
  }

  @Test
  void countWithoutFrequentElements_isTooLow_andIsCaught() {
    Optional<String> found =
        LongStream.range(0, SEEDS)
            .mapToObj(seed -> MultisetWorkload.run(forgetful(), seed, STEPS))
            .flatMap(Optional::stream)
            .findFirst();

    assertThat(found).hasValueSatisfying(fault -> assertThat(fault).contains("times at most"));
  }

  /** Counts by the segments alone. */
  private static MultisetWorkload.Subject forgetful() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 0, 1 << 10);
    return new MultisetWorkload.Subject() {
      @Override
      public CountingFilter filter() {
        return filter;
      }

      @Override
      public OptionalLong count(long element) {
        return OptionalLong.of(
            filter.count(element).orElseThrow() - filter.heavy().copiesOf(element));
      }
    };
  }

  private static Named<Supplier<MultisetWorkload.Subject>> subject(
      String name, Supplier<MultisetWorkload.Subject> subject) {
    return Named.of(name, subject);
  }

  private static MultisetWorkload.Subject fixed(CountingFilter filter) {
    return () -> filter;
  }

  /** A chain on the heap that is rebuilt now and then. */
  private static MultisetWorkload.Subject chain(FilterGeometry geometry, int heavyLimit) {
    return chain(
        new ScalableSplitCountingBloomFilter(geometry, FilterChangeListener.NONE, 0, heavyLimit));
  }

  private static MultisetWorkload.Subject chain(ScalableSplitCountingBloomFilter first) {
    return new MultisetWorkload.Subject() {
      private ScalableSplitCountingBloomFilter filter = first;

      @Override
      public CountingFilter filter() {
        return filter;
      }

      @Override
      public void exchange(PrimitiveIterator.OfLong live, long distinct) {
        filter = filter.rebuild(live, distinct, FilterChangeListener.NONE);
      }
    };
  }
}
