/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FilterChangesTest {
  private static final SizeClass SMALL = new SizeClass(3, 10);

  @Test
  void replay_everyKindOfChange_tellsThemInOrder() {
    FilterChanges changes = new FilterChanges();
    changes.segmentAdded(0, SMALL);
    changes.bitSet(0, 29);
    changes.segmentAdded(1, SMALL);
    changes.bitSet(0, 3);
    changes.bitCleared(0, 29);
    changes.bitCleared(0, 3);
    changes.segmentDropped(0);

    assertThat(told(changes))
        .containsExactly(
            "added 0 " + SMALL,
            "set 0 29",
            "added 1 " + SMALL,
            "set 0 3",
            "cleared 0 29",
            "cleared 0 3",
            "dropped 0");
    assertThat(changes.size()).isEqualTo(7);
    assertThat(changes).hasToString("7 filter changes");
  }

  @Test
  void replay_extremeValues_tellsThemUnchanged() {
    SizeClass mostSlices = new SizeClass(SizeClass.MAX_SLICES, 1);
    SizeClass mostSlots = new SizeClass(1, SizeClass.MAX_CELLS);
    FilterChanges changes = new FilterChanges();
    changes.segmentAdded(Integer.MAX_VALUE, mostSlices);
    changes.segmentAdded(Integer.MIN_VALUE, mostSlots);
    changes.bitSet(-1, SizeClass.MAX_CELLS - 1);
    changes.bitCleared(0, 0);

    assertThat(told(changes))
        .containsExactly(
            "added " + Integer.MAX_VALUE + " " + mostSlices,
            "added " + Integer.MIN_VALUE + " " + mostSlots,
            "set -1 " + (SizeClass.MAX_CELLS - 1),
            "cleared 0 0");
  }

  @Test
  void replay_ontoAnotherLog_givesAnEqualLog() {
    FilterChanges changes = new FilterChanges();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 10_000; i++) {
      if (random.nextBoolean()) {
        changes.bitSet(random.nextInt(3), random.nextInt(1000));
      } else {
        changes.bitCleared(random.nextInt(3), random.nextInt(1000));
      }
    }
    FilterChanges copy = new FilterChanges();
    changes.replay(copy);

    assertThat(copy).isEqualTo(changes).hasSameHashCodeAs(changes);
    assertThat(copy.size()).isEqualTo(10_000);
    copy.bitSet(0, 0);
    assertThat(copy).isNotEqualTo(changes);
  }

  @Test
  void replay_elements_tellsTheBitsOfTheirSlicesInOrder() {
    FilterChanges changes = new FilterChanges();
    SizeClass shape = new SizeClass(5, 1000);
    SizeClass other = new SizeClass(4, 1000);
    changes.elementSet(7, shape, -1, 0b10110);
    changes.bitCleared(7, 3);
    changes.elementSet(7, shape, 42, 0b11111);
    changes.elementSet(8, other, Long.MIN_VALUE, 0b1011);
    changes.elementSet(8, other, 5, 0b1);
    changes.elementSet(7, shape, 0, 0b111);

    List<String> expected = new ArrayList<>();
    for (int slice : new int[] {1, 2, 4}) {
      expected.add("set 7 " + shape.position(-1, slice));
    }
    expected.add("cleared 7 3");
    for (int slice = 0; slice < 5; slice++) {
      expected.add("set 7 " + shape.position(42, slice));
    }
    for (int slice : new int[] {0, 1, 3}) {
      expected.add("set 8 " + other.position(Long.MIN_VALUE, slice));
    }
    expected.add("set 8 " + other.position(5, 0));
    for (int slice = 0; slice < 3; slice++) {
      expected.add("set 7 " + shape.position(0, slice));
    }
    assertThat(told(changes)).isEqualTo(expected);
    assertThat(changes.size()).isEqualTo(16);
    FilterChanges copy = new FilterChanges();
    changes.replay(copy);
    assertThat(copy).isEqualTo(changes);
  }

  @Test
  void elementOfTheMostSlices_isToldBitByBit() {
    SizeClass most = new SizeClass(SizeClass.MAX_SLICES, 10);
    FilterChanges changes = new FilterChanges();
    changes.elementSet(0, most, 9, -1);
    assertThat(told(changes))
        .hasSize(SizeClass.MAX_SLICES)
        .endsWith("set 0 " + most.position(9, SizeClass.MAX_SLICES - 1));
  }

  @Test
  void elementsOfOneSegment_takeSixteenBytesEach() {
    SizeClass shape = new SizeClass(16, 1000);
    FilterChanges changes = new FilterChanges();
    for (int i = 0; i < 1000; i++) {
      changes.elementSet(5, shape, i, 0xFFFF);
    }
    assertThat(changes.bytes()).isEqualTo(8 * (2 + 2 * 1000));
  }

  @Test
  void clear_thenMoreElements_namesTheShapeAgain() {
    SizeClass shape = new SizeClass(16, 1000);
    FilterChanges changes = new FilterChanges();
    changes.elementSet(5, shape, 1, 0xFFFF);
    changes.clear();
    changes.elementSet(5, shape, 2, 0b111);
    assertThat(told(changes)).hasSize(3).startsWith("set 5 " + shape.position(2, 0));
  }

  @Test
  void bitsOfOneSegment_takeEightBytesEach() {
    FilterChanges changes = new FilterChanges();
    for (int i = 0; i < 1000; i++) {
      changes.bitSet(5, i);
    }
    assertThat(changes.bytes()).isEqualTo(8 * (1 + 1000));
  }

  @Test
  void clear_thenMoreChanges_namesTheSegmentAgain() {
    FilterChanges changes = new FilterChanges();
    changes.bitSet(9, 1);
    changes.clear();
    assertThat(changes.isEmpty()).isTrue();
    assertThat(told(changes)).isEmpty();

    changes.bitSet(9, 2);
    assertThat(told(changes)).containsExactly("set 9 2");
  }

  private static List<String> told(FilterChanges changes) {
    List<String> told = new ArrayList<>();
    changes.replay(
        new FilterChangeListener() {
          @Override
          public void segmentAdded(int segment, SizeClass sizeClass) {
            told.add("added " + segment + " " + sizeClass);
          }

          @Override
          public void bitSet(int segment, long position) {
            told.add("set " + segment + " " + position);
          }

          @Override
          public void bitCleared(int segment, long position) {
            told.add("cleared " + segment + " " + position);
          }

          @Override
          public void segmentDropped(int segment) {
            told.add("dropped " + segment);
          }
        });
    return told;
  }
}
