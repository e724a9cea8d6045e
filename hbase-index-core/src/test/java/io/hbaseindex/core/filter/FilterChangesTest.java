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
