/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RoutingMatrixTest {
  private static final SizeClass SMALL = SizeClass.forCapacity(10, 0.001);
  private static final FilterSnapshot NOTHING = new FilterSnapshot(List.of());

  private final RoutingMatrix matrix = new RoutingMatrix(1L << 28);

  @Test
  void candidates_emptyMatrix_areNone() {
    assertThat(matrix.candidates(1).isEmpty()).isTrue();
    assertThat(matrix.bytes()).isZero();
  }

  @Test
  void candidates_ownerWithoutSegments_isNegative() {
    matrix.addOwner(NOTHING);
    assertThat(matrix.owners()).isEqualTo(1);
    assertThat(matrix.candidates(1).isEmpty()).isTrue();
  }

  @Test
  void candidates_ownersOfDifferentElements_nameTheHoldersOnly() {
    int first = matrix.addOwner(holding(1, 2));
    int second = matrix.addOwner(holding(2, 3));

    assertThat(matrix.candidates(1).toArray()).containsExactly(first);
    assertThat(matrix.candidates(2).toArray()).containsExactly(first, second);
    assertThat(matrix.candidates(3).toArray()).containsExactly(second);
    assertThat(matrix.candidates(4).isEmpty()).isTrue();
  }

  /** Who forgets to unlock is not noticed by the thread that has the lock. */
  @Test
  @Timeout(60)
  void changes_byOneThread_letAnotherOneChangeAsMuch() throws InterruptedException {
    changeInEveryWay();
    Thread other = new Thread(this::changeInEveryWay);
    other.setDaemon(true);
    other.start();
    other.join();
    assertThat(matrix.owners()).isEqualTo(2 * 25);
  }

  private void changeInEveryWay() {
    List<Integer> owners = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      owners.add(matrix.addOwner(holding(i)));
    }
    tidyUp();
    for (int i = 25; i < 200; i++) {
      matrix.removeOwner(owners.get(i));
    }
    matrix.replace(owners.get(0), holding(1_000));
    assertThat(matrix.snapshot(owners.get(0))).isNotNull();
    tidyUp();
  }

  private void tidyUp() {
    while (matrix.tidy(100)) {
      assertThat(matrix.owners()).isPositive();
    }
  }

  /** Planes so long that a step moves only a small part of those that are moved together. */
  @Test
  void removedWhileItMoves_leavesTheOthersAsTheyAre_andGivesBackBothItsPlaces() {
    SizeClass large = SizeClass.forCapacity(40_000, 0.001);
    List<Integer> owners = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      owners.add(matrix.addOwner(Snapshots.of(large, i)));
    }
    for (int last = 59; last >= 50; last--) {
      assertThat(matrix.tidy(1)).as("more is to be moved").isTrue();
      matrix.removeOwner(owners.get(last));
      assertThat(matrix.candidates(last).isEmpty()).isTrue();
    }
    tidyUp();
    for (int i = 0; i < 50; i++) {
      assertThat(matrix.candidates(i).toArray()).containsExactly(owners.get(i));
      matrix.removeOwner(owners.get(i));
    }
    tidyUp();
    matrix.addOwner(NOTHING); // a grace period, in which what was left is released
    tidyUp();
    assertThat(matrix.bytes()).isEqualTo(bytesOf(NOTHING));
  }

  private static long bytesOf(FilterSnapshot filter) {
    RoutingMatrix fresh = new RoutingMatrix(1L << 28);
    fresh.addOwner(filter);
    return fresh.bytes();
  }

  @Test
  void candidatesOfAny_unitesAndOfAll_intersects() {
    int first = matrix.addOwner(holding(1, 2));
    int second = matrix.addOwner(holding(2, 3));

    assertThat(matrix.candidatesOfAny(1, 3).toArray()).containsExactly(first, second);
    assertThat(matrix.candidatesOfAny().isEmpty()).isTrue();
    assertThat(matrix.candidatesOfAll(1, 2).toArray()).containsExactly(first);
    assertThat(matrix.candidatesOfAll(2).toArray()).containsExactly(first, second);
    assertThat(matrix.candidatesOfAll(1, 3, 2).isEmpty()).isTrue();
    assertThatThrownBy(matrix::candidatesOfAll)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no element was given");
  }

  @Test
  void removeOwner_thenAddOwner_usesTheIdAgainAfterAGracePeriod() {
    matrix.addOwner(holding(1));
    int removed = matrix.addOwner(holding(2));
    matrix.removeOwner(removed);
    assertThat(matrix.candidates(2).isEmpty()).isTrue();

    int other = matrix.addOwner(holding(3));
    assertThat(other).isNotEqualTo(removed);
    matrix.removeOwner(other);
    assertThat(matrix.addOwner(holding(4))).isEqualTo(removed);
    assertThat(matrix.candidates(4).toArray()).containsExactly(removed);
  }

  @Test
  void snapshot_givesBackWhatWasPutIn_aloneAndInBlocks() {
    SplittableRandom random = new SplittableRandom(11);
    List<RandomFilter> filters = new ArrayList<>();
    List<Integer> owners = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      RandomFilter filter = new RandomFilter(random, List.of(SMALL), 2);
      filters.add(filter);
      owners.add(matrix.addOwner(filter.snapshot()));
      matrix.tidy(4);
      matrix.apply(owners.get(i), filter.change(20));
      int any = random.nextInt(i + 1);
      assertThat(planes(matrix.snapshot(owners.get(any))))
          .isEqualTo(planes(filters.get(any).snapshot()));
    }
  }

  private static List<String> planes(FilterSnapshot filter) {
    return filter.segments().stream()
        .map(
            segment -> {
              StringBuilder bits = new StringBuilder(segment.id() + ":");
              segment.plane().forEachSet(position -> bits.append(position).append(' '));
              return bits.toString();
            })
        .toList();
  }

  @Test
  void replace_answersForTheNewFilterOnly() {
    int owner = matrix.addOwner(holding(1, 2));
    matrix.replace(owner, holding(2, 3));
    assertThat(matrix.candidates(1).isEmpty()).isTrue();
    assertThat(matrix.candidates(2).toArray()).containsExactly(owner);
    assertThat(matrix.candidates(3).toArray()).containsExactly(owner);
  }

  @Test
  void apply_reportsOfAGrowingAndShrinkingFilter_keepsUpWithIt() {
    FilterChanges changes = new FilterChanges();
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(FilterGeometry.doubling(8, 0.01), changes);
    int owner = matrix.addOwner(NOTHING);
    List<Long> present = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 400; round++) {
      for (int i = 0; i < 5; i++) {
        if (present.isEmpty() || random.nextInt(400) > round) {
          long element = random.nextLong();
          filter.insert(element);
          present.add(element);
        } else {
          filter.delete(present.remove(random.nextInt(present.size())));
        }
      }
      matrix.apply(owner, changes);
      changes.clear();
      assertThat(matrix.segments()).isEqualTo(filter.segmentCount());
      for (long element : present) {
        assertThat(matrix.candidates(element).contains(owner)).isTrue();
      }
      for (int i = 0; i < 20; i++) {
        long element = random.nextLong();
        assertThat(matrix.candidates(element).contains(owner))
            .isEqualTo(filter.mightContain(element));
      }
    }
  }

  @Test
  void apply_clearThenSetOfOneBit_endsSet() {
    int owner = matrix.addOwner(holding(1));
    FilterChanges changes = new FilterChanges();
    changes.bitCleared(0, SMALL.position(1, 0));
    changes.bitSet(0, SMALL.position(1, 0));
    matrix.apply(owner, changes);
    assertThat(matrix.candidates(1).toArray()).containsExactly(owner);
  }

  @Test
  void apply_lastPositionOfASegment_isSetAndCleared() {
    SizeClass oneSlice = new SizeClass(1, 100);
    int owner = matrix.addOwner(NOTHING);
    FilterChanges changes = new FilterChanges();
    changes.segmentAdded(0, oneSlice);
    for (int position = 0; position < 100; position++) {
      changes.bitSet(0, position);
    }
    matrix.apply(owner, changes);
    assertThat(matrix.candidates(77).toArray()).containsExactly(owner);

    changes.clear();
    changes.bitCleared(0, oneSlice.position(77, 0));
    changes.bitCleared(0, 99);
    matrix.apply(owner, changes);
    assertThat(matrix.candidates(77).isEmpty()).isTrue();
  }

  @Test
  void apply_misfittingBatches_areRefusedWhole() {
    int owner = matrix.addOwner(holding(1));
    long bytes = matrix.bytes();

    FilterChanges unknownSegment = clearingFirst();
    unknownSegment.bitSet(5, 0);
    assertThatThrownBy(() -> matrix.apply(owner, unknownSegment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot apply changes of segment 5: owner 0 has no such segment; send its filter"
                + " whole");

    FilterChanges addedAgain = new FilterChanges();
    addedAgain.segmentAdded(1, SMALL);
    addedAgain.segmentAdded(0, SMALL);
    assertThatThrownBy(() -> matrix.apply(owner, addedAgain))
        .hasMessageContaining("owner 0 has that segment already");

    FilterChanges tooFar = clearingFirst();
    tooFar.bitSet(0, SMALL.cells());
    assertThatThrownBy(() -> matrix.apply(owner, tooFar))
        .hasMessageContaining("has 150 cells there, position was 150");

    assertThat(matrix.candidates(1).toArray()).containsExactly(owner);
    assertThat(matrix.segments()).isEqualTo(1);
    assertThat(matrix.bytes()).isEqualTo(bytes);
  }

  @Test
  void updates_unknownOwner_areRefused() {
    assertThatThrownBy(() -> matrix.removeOwner(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot remove owner 0: there is no such owner; add it first");
    assertThatThrownBy(() -> matrix.replace(-1, NOTHING))
        .hasMessage("Cannot replace the filter of owner -1: there is no such owner; add it first");
    int owner = matrix.addOwner(NOTHING);
    matrix.removeOwner(owner);
    assertThatThrownBy(() -> matrix.apply(owner, new FilterChanges()))
        .hasMessage("Cannot apply changes to owner 0: there is no such owner; add it first");
  }

  @Test
  void addOwner_twoSegmentsOfOneId_isRefused() {
    FilterSnapshot.Segment segment = holding(1).segments().get(0);
    assertThatThrownBy(() -> matrix.addOwner(new FilterSnapshot(List.of(segment, segment))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot take a filter: two of its segments have the id 0");
    assertThat(matrix.owners()).isZero();
  }

  @Test
  void addOwner_laterWritesToTheSnapshotsPlane_doNotReachTheMatrix() {
    FilterSnapshot filter = holding(1);
    int owner = matrix.addOwner(filter);
    filter.segments().get(0).plane().clear(SMALL.position(1, 0));
    assertThat(matrix.candidates(1).contains(owner)).isTrue();
  }

  @Test
  void reading_usedAfterItsEnd_isRefused() {
    RouteReading leaked = matrix.read(reading -> reading);
    assertThatThrownBy(() -> leaked.candidates(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the reading has ended");
  }

  @Test
  @Timeout(60)
  void read_queryThrows_doesNotHoldUpLaterUpdates() {
    int owner = matrix.addOwner(holding(1));
    assertThatThrownBy(
            () ->
                matrix.read(
                    reading -> {
                      throw new IllegalStateException("in the query");
                    }))
        .hasMessage("in the query");
    matrix.removeOwner(owner);
    assertThat(matrix.owners()).isZero();
  }

  private static FilterChanges clearingFirst() {
    FilterChanges changes = new FilterChanges();
    for (int slice = 0; slice < SMALL.slices(); slice++) {
      changes.bitCleared(0, SMALL.position(1, slice));
    }
    return changes;
  }

  private static FilterSnapshot holding(long... elements) {
    return Snapshots.of(SMALL, elements);
  }
}
