/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.testing.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Counters against an array of plain numbers. */
class CellCountersTest {
  /** Below the count at which any of the tables sticks. */
  private static final int MOST = 17;

  @Test
  void randomCounts_whileTheTableGrows_areExact() {
    Seeds.forEach(
        100,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          Model model = new Model(PagedMemory.heap(), random.nextInt(1, 20_000));
          // Half of the cells above three is more than any table takes; a few fit the first.
          int share = random.nextInt(1, 100);
          for (int step = 0; step < 30_000; step++) {
            model.step(random, share);
          }
          model.requireExact();
        });
  }

  /** A carry that takes whole words of its block's string, with others before and behind it. */
  @Test
  void s2_fewCountsOfHundreds_areExact_andSoAreTheirNeighbours() {
    Seeds.forEach(
        60,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int cells = random.nextInt(600, 5_000);
          Model model = new Model(PagedMemory.heap(), cells);
          int[] hot = random.ints(4, 0, cells).toArray();
          for (int step = 0; step < 40_000; step++) {
            model.step(random, 90);
            int often = hot[random.nextInt(hot.length)];
            if (model.counts[often] < 600) {
              model.up(often);
            }
          }
          for (int often : hot) {
            while (model.counts[often] > 5) {
              model.down(often);
            }
          }
          assertThat(model.counters.stuck()).isZero();
          model.requireExact();
        });
  }

  /** Some blocks count in one way and some in the other, for thousands of writes. */
  @Test
  void s2_someBlocksCarry_othersDoNotYet_allAreExact() {
    Seeds.forEach(
        5,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          Model model = new Model(PagedMemory.heap(), random.nextInt(1 << 20, 3 << 20));
          int checks = 0;
          while (!model.counters.isCarrying() || checks < 3) {
            int writes = model.counters.isCarrying() ? 600 : 1;
            for (int write = 0; write < writes; write++) {
              model.step(random, 60);
            }
            if (model.counters.isCarrying()) {
              model.requireExact();
              checks++;
            }
          }
          assertThat(model.counters.isTableDone()).isFalse();
        });
  }

  /** What a write makes room for is in proportion to what it moves. */
  @Test
  void tableFull_noWriteMovesMoreThanAFewBlocks() {
    int cells = 1 << 23;
    PagedMemory memory = PagedMemory.direct(1 << 26);
    Model model = new Model(memory, cells);
    SplittableRandom random = new SplittableRandom(8);
    long mostPages = 0;
    while (!model.counters.isTableDone()) {
      long before = memory.takenBytes();
      model.up(random.nextInt(cells));
      mostPages = Math.max(mostPages, (memory.takenBytes() - before) / 4096);
    }
    model.requireExact();
    assertThat(mostPages).isBetween(1L, 2L * 8);
    assertThat(memory.takenBytes()).isEqualTo(model.counters.bytes());
  }

  @Test
  void s2_countAboveThree_keepsItsCellAboveZeroUntilNothingIsLeft() {
    Model model = new Model(PagedMemory.heap(), 1000);
    for (int copy = 0; copy < 9; copy++) {
      model.up(500);
    }
    for (int left = 8; left >= 0; left--) {
      model.down(500);
      assertThat(model.counters.get(500)).isEqualTo(left);
      assertThat(model.counters.plane().get(500)).isEqualTo(left > 0);
    }
    assertThat(model.counters.stuck()).isZero();
  }

  @Test
  void s2_tableFull_countersStick_andAreNeverTooLow() {
    Seeds.forEach(
        100,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int cells = 60_000; // whose carries begin with one page
          PagedMemory memory =
              PagedMemory.direct(CellCounters.bytesFor(cells) + random.nextInt(3) * 4096);
          Model model = new Model(memory, cells);
          for (int step = 0; step < 120_000; step++) {
            model.step(random, 10);
          }
          assertThat(model.counters.stuck()).isPositive();
          model.requireNeverTooLow();
        });
  }

  /** All cells are three, some by a lost excess: nobody can tell which. */
  @Test
  void s2_tableFull_noCellWithoutExcessGoesDownFromThree() {
    int cells = 5000;
    Model model = new Model(PagedMemory.direct(CellCounters.bytesFor(cells)), cells);
    for (int position = 0; position < cells; position++) {
      for (int copy = 0; copy < 4; copy++) {
        model.up(position);
      }
    }
    for (int position = 0; position < cells; position++) {
      for (int copy = 0; copy < 4; copy++) {
        model.down(position);
      }
    }
    assertThat(model.counters.stuck()).isEqualTo(cells);
    assertThat(model.counters.inUse()).isEqualTo(cells);
  }

  @Test
  void plane_isTheBitsAboveZero_forEverySize() {
    SplittableRandom random = new SplittableRandom(3);
    for (int cells = 1; cells < 200; cells++) {
      Model model = new Model(PagedMemory.heap(), cells);
      for (int step = 0; step < 2 * cells; step++) {
        model.step(random, cells);
      }
      model.requirePlane();
    }
  }

  @Test
  void tables_takeMoreAsMoreCountersNeedIt_andGiveBackWhatTheyHad() {
    int cells = 1 << 20;
    PagedMemory memory = PagedMemory.direct(1 << 24);
    Model model = new Model(memory, cells);
    long first = memory.takenBytes();
    assertThat(first)
        .isEqualTo(CellCounters.bytesFor(cells))
        .isLessThanOrEqualTo(cells * 9L / 32 + 4096);

    for (int position = 0; position < cells / 2; position++) {
      for (int copy = 0; copy < 4; copy++) {
        model.up(position);
      }
    }
    model.requireExact();
    // All of 512 cells are above three, which takes two bits for each; 4,096 bytes have one word of
    // 512 blocks. The blocks of the other half have one word each.
    int pages = cells / 512 / 512;
    assertThat(memory.takenBytes())
        .isEqualTo(cells * 2L / 8 + pages / 2 * (16 + 1) * 4096L)
        .isEqualTo(model.counters.bytes());

    model.counters.free();
    assertThat(memory.takenBytes()).isZero();
  }

  /** Two or three copies of each element, as many as fill half of the cells. */
  @Test
  void fewCopiesOfEach_takeLessThanThreeBitsForEachCell() {
    for (int copies = 2; copies <= 3; copies++) {
      SplittableRandom random = new SplittableRandom(copies);
      int cells = 1 << 20;
      PagedMemory memory = PagedMemory.direct(1 << 24);
      Model model = new Model(memory, cells);
      for (int element = 0; element < cells * 0.66; element++) {
        int position = random.nextInt(cells);
        for (int copy = 0; copy < copies; copy++) {
          model.up(position);
        }
      }
      model.requireExact();
      assertThat(8.0 * memory.takenBytes() / cells).isBetween(2.5, 2.95);
    }
  }

  /** Each count from one to far above what has room, up and down again, in every block. */
  @Test
  void s2_noRoomForACarry_sticksItsBlockAlone() {
    int cells = 5000;
    Model model = new Model(PagedMemory.heap(), cells);
    for (int position = 0; position < cells; position++) {
      for (int copy = 0; copy < 4; copy++) {
        model.up(position);
      }
    }
    for (int copy = 0; copy < 6000; copy++) {
      model.up(700);
    }
    assertThat(model.counters.stuck()).isEqualTo(CarryBlocks.CELLS);
    for (int position = 0; position < cells; position++) {
      for (int copy = 0; copy < 4; copy++) {
        model.down(position);
      }
    }
    assertThat(model.counters.inUse()).isEqualTo(CarryBlocks.CELLS);
    assertThat(IntStream.range(0, cells))
        .allMatch(at -> model.counters.get(at) > 0 == (at >= 512 && at < 1024));
  }

  private static final class Model {
    private final int[] counts;
    private final CellCounters counters;

    Model(PagedMemory memory, int cells) {
      counts = new int[cells];
      counters = CellCounters.within(memory, cells).orElseThrow();
    }

    /** Up or down at a random place, most often among the first cells of the given share. */
    void step(SplittableRandom random, int share) {
      int within = random.nextInt(4) == 0 ? counts.length : Math.max(1, counts.length / share);
      int position = random.nextInt(within);
      if (counts[position] > 0 && (random.nextInt(5) < 2 || counts[position] == MOST)) {
        down(position);
      } else {
        up(position);
      }
    }

    void up(int position) {
      counts[position]++;
      counters.endWriting(counters.up(position) ? 1 : 0);
    }

    void down(int position) {
      counts[position]--;
      counters.endWriting(counters.down(position) ? -1 : 0);
    }

    void requireExact() {
      assertThat(shown()).isEqualTo(counts);
      assertThat(counters.inUse()).isEqualTo(Arrays.stream(counts).filter(c -> c > 0).count());
      assertThat(counters.stuck()).isZero();
      requirePlane();
    }

    private int[] shown() {
      return IntStream.range(0, counts.length).map(counters::get).toArray();
    }

    /** What a counter shows may be too low while it is stuck; that it is above zero may not. */
    void requireNeverTooLow() {
      int[] shown = shown();
      assertThat(IntStream.range(0, counts.length))
          .allMatch(at -> shown[at] >= Math.min(counts[at], 1));
    }

    void requirePlane() {
      BitPlane plane = counters.plane();
      assertThat(IntStream.range(0, counts.length))
          .allMatch(
              at ->
                  plane.get(at) == counts[at] > 0
                      && (counters.shifted(at) & 1) == (counts[at] > 0 ? 1 : 0));
    }
  }
}
