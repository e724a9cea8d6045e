/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.memory.MemoryBlock;
import io.hbaseindex.core.memory.PagedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Large filters count the cells of an element by patches. Wherever the pages of a patch are in
 * memory, the counters are those of the cells that {@link SizeClass#position} tells.
 */
class PatchCountersTest {
  private static final int ELEMENTS = 60_000;
  private static final int MOST_COPIES = 6;

  private final long seed = new SplittableRandom().nextLong();
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void pagesInOrder() {
    verify(PagedMemory.direct(1 << 24), SizeClass.forCapacity(100_000, 1e-3));
  }

  @Test
  void pagesOfOneSlabInAnyOrder() {
    verify(shuffled(200), SizeClass.forCapacity(100_000, 1e-3));
  }

  @Test
  void pagesOfSeveralSlabsInAnyOrder() {
    verify(shuffled(1_000), SizeClass.forCapacity(100_000, 1e-4));
  }

  @Test
  void slicesOfMorePages() {
    verify(shuffled(1_000), SizeClass.forSlices(100_000, 16));
    verify(shuffled(1_000), SizeClass.forSlices(100_000, 17));
  }

  /** Memory whose first pages will be handed out in random order. */
  private PagedMemory shuffled(int pages) {
    PagedMemory memory = PagedMemory.direct(1 << 24);
    List<MemoryBlock> blocks = new ArrayList<>();
    for (int page = 0; page < pages; page++) {
      blocks.add(memory.allocate(PagedMemory.PAGE_WORDS).orElseThrow());
    }
    while (!blocks.isEmpty()) {
      blocks.remove(random.nextInt(blocks.size())).free();
    }
    return memory;
  }

  private void verify(PagedMemory memory, SizeClass shape) {
    SplitCountingBloomFilter filter = SplitCountingBloomFilter.within(memory, shape).orElseThrow();
    int[] expected = new int[(int) shape.cells()];
    List<Long> present = new ArrayList<>();
    for (int i = 0; i < ELEMENTS; i++) {
      long element = random.nextLong();
      // Few have copies: the table of excesses is not to be full, or cells become digits.
      for (int copy = random.nextInt(100) == 0 ? random.nextInt(MOST_COPIES) : 0;
          copy >= 0;
          copy--) {
        assertThat(filter.insert(element, 0, FilterChangeListener.NONE)).isPositive();
        count(expected, shape, element, 1);
        present.add(element);
      }
    }
    requireCounts(filter, expected);
    for (int i = present.size() / 2; i > 0; i--) {
      long element = present.remove(random.nextInt(present.size()));
      assertThat(filter.delete(element)).isTrue();
      count(expected, shape, element, -1);
    }
    requireCounts(filter, expected);
    filter.free();
  }

  private static void count(int[] expected, SizeClass shape, long element, int by) {
    for (int slice = 0; slice < shape.slices(); slice++) {
      expected[(int) shape.position(element, slice)] += by;
    }
  }

  private void requireCounts(SplitCountingBloomFilter filter, int[] expected) {
    SizeClass shape = filter.sizeClass();
    assertThat(filter.counters().isCarrying()).isFalse();
    long[] inUse = new long[shape.slices()];
    for (int position = 0; position < expected.length; position++) {
      if (filter.counters().get(position) != expected[position]) {
        assertThat(filter.counters().get(position))
            .as("position %d, seed %d", position, seed)
            .isEqualTo(expected[position]);
      }
      inUse[shape.sliceOf(position)] += expected[position] > 0 ? 1 : 0;
    }
    for (int slice = 0; slice < inUse.length; slice++) {
      assertThat(filter.fill(slice))
          .as("slice %d, seed %d", slice, seed)
          .isEqualTo((double) inUse[slice] / shape.slots());
    }
  }
}
