/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CoalescedChangesTest {
  private static final SizeClass SMALL = new SizeClass(3, 10);

  @Test
  void clearThenSet_sameBit_endsSet() {
    FilterChanges changes = new FilterChanges();
    changes.bitCleared(0, 7);
    changes.bitSet(0, 7);

    CoalescedChanges batch = CoalescedChanges.of(changes);
    CoalescedChanges.Segment segment = only(batch);
    assertThat(segment.sets()).isEqualTo(1);
    assertThat(segment.set(0)).isEqualTo(7);
    assertThat(segment.clears()).isZero();
    assertThat(batch.removes()).isFalse();
  }

  @Test
  void setThenClear_sameBit_endsCleared() {
    FilterChanges changes = new FilterChanges();
    changes.bitSet(0, 7);
    changes.bitCleared(0, 7);

    CoalescedChanges batch = CoalescedChanges.of(changes);
    CoalescedChanges.Segment segment = only(batch);
    assertThat(segment.sets()).isZero();
    assertThat(segment.clears()).isEqualTo(1);
    assertThat(segment.clear(0)).isEqualTo(7);
    assertThat(batch.removes()).isTrue();
  }

  @Test
  void onlySets_removeNothing() {
    FilterChanges changes = new FilterChanges();
    changes.bitSet(0, 7);
    changes.segmentAdded(1, SMALL);
    changes.bitSet(1, 7);
    assertThat(CoalescedChanges.of(changes).removes()).isFalse();
  }

  @Test
  void addedAndDropped_inOneBatch_removesNothing() {
    FilterChanges changes = new FilterChanges();
    changes.segmentAdded(4, SMALL);
    changes.bitSet(4, 1);
    changes.bitCleared(4, 1);
    changes.segmentDropped(4);

    CoalescedChanges batch = CoalescedChanges.of(changes);
    assertThat(only(batch).dropped()).isTrue();
    assertThat(batch.removes()).isFalse();
  }

  @Test
  void segments_areInTheOrderOfTheirFirstChange() {
    FilterChanges changes = new FilterChanges();
    changes.bitSet(9, 1);
    changes.bitSet(2, 1);
    changes.bitSet(9, 2);
    assertThat(CoalescedChanges.of(changes).segments())
        .extracting(CoalescedChanges.Segment::id)
        .containsExactly(9, 2);
  }

  @Test
  void impossibleBatches_areRefused() {
    FilterChanges bitAfterDrop = new FilterChanges();
    bitAfterDrop.segmentDropped(3);
    bitAfterDrop.bitSet(3, 1);
    assertThatThrownBy(() -> CoalescedChanges.of(bitAfterDrop))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot apply changes of segment 3: a bit changes after it was dropped");

    FilterChanges droppedTwice = new FilterChanges();
    droppedTwice.segmentDropped(3);
    droppedTwice.segmentDropped(3);
    assertThatThrownBy(() -> CoalescedChanges.of(droppedTwice))
        .hasMessage("Cannot apply changes of segment 3: it was dropped twice");

    FilterChanges addedLate = new FilterChanges();
    addedLate.bitSet(3, 1);
    addedLate.segmentAdded(3, SMALL);
    assertThatThrownBy(() -> CoalescedChanges.of(addedLate))
        .hasMessage(
            "Cannot apply changes of segment 3: it was named in the batch before it was added");

    FilterChanges farAway = new FilterChanges();
    farAway.bitSet(3, SizeClass.MAX_CELLS);
    assertThatThrownBy(() -> CoalescedChanges.of(farAway))
        .hasMessageStartingWith("Cannot apply changes of segment 3: position was 17179869184");
  }

  @Test
  void randomBatches_endAsAReplayOntoAMapDoes() {
    Seeds.forEach(
        1000,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          FilterChanges changes = new FilterChanges();
          Map<Integer, Map<Long, Boolean>> expected = new HashMap<>();
          long range = 1 + random.nextInt(40);
          for (int i = random.nextInt(200); i > 0; i--) {
            int segment = random.nextInt(3);
            long position =
                random.nextInt(50) == 0 ? SizeClass.MAX_CELLS - 1 : random.nextLong(range);
            boolean set = random.nextBoolean();
            if (set) {
              changes.bitSet(segment, position);
            } else {
              changes.bitCleared(segment, position);
            }
            expected.computeIfAbsent(segment, s -> new TreeMap<>()).put(position, set);
          }
          Map<Integer, Map<Long, Boolean>> actual = new HashMap<>();
          for (CoalescedChanges.Segment segment : CoalescedChanges.of(changes).segments()) {
            Map<Long, Boolean> ends = new TreeMap<>();
            for (int i = 0; i < segment.sets(); i++) {
              ends.put(segment.set(i), true);
            }
            for (int i = 0; i < segment.clears(); i++) {
              assertThat(ends.put(segment.clear(i), false)).isNull();
            }
            assertThat(segment.lastCell())
                .isEqualTo(ends.keySet().stream().mapToLong(Long::longValue).max().orElse(-1));
            actual.put(segment.id(), ends);
          }
          assertThat(actual).isEqualTo(expected);
        });
  }

  private static CoalescedChanges.Segment only(CoalescedChanges batch) {
    assertThat(batch.segments()).hasSize(1);
    return batch.segments().iterator().next();
  }
}
