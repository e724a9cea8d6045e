/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What a matrix takes, frees and refuses to take. */
class RoutingMatrixMemoryTest {
  private static final SizeClass SMALL = SizeClass.forCapacity(100, 0.001);
  private static final long GIB = 1L << 30;

  /** Steps of tidying between two updates. */
  private static final int STEPS = 4;

  @Test
  void addOwner_overBudget_isRefusedWithNumbersAndChangesNothing() {
    FilterSnapshot filter = Snapshots.of(SMALL, 1);
    long needed = RoutingMatrix.bytesToAdd(filter);
    RoutingMatrix matrix = new RoutingMatrix(2 * needed - 1);
    int owner = matrix.addOwner(filter);
    assertThat(matrix.bytes()).isEqualTo(needed);

    assertThatThrownBy(() -> matrix.addOwner(filter))
        .isInstanceOfSatisfying(
            RoutingBudgetExceededException.class,
            e -> {
              assertThat(e.needed()).isEqualTo(needed);
              assertThat(e.used()).isEqualTo(needed);
              assertThat(e.budget()).isEqualTo(2 * needed - 1);
            })
        .hasMessage(
            "Cannot add an owner: it needs %d bytes and %d of a budget of %d are in use; raise the"
                + " budget or remove owners",
            needed, needed, 2 * needed - 1);
    assertThat(matrix.owners()).isEqualTo(1);
    assertThat(matrix.segments()).isEqualTo(1);
    assertThat(matrix.bytes()).isEqualTo(needed);
    assertThat(matrix.candidates(1).toArray()).containsExactly(owner);
  }

  @Test
  void addOwner_exactlyAtTheBudget_isTaken() {
    FilterSnapshot filter = Snapshots.of(SMALL, 1);
    RoutingMatrix matrix = new RoutingMatrix(RoutingMatrix.bytesToAdd(filter));
    matrix.addOwner(filter);
    assertThat(matrix.bytes()).isEqualTo(matrix.byteBudget());
  }

  @Test
  void replaceAndApply_overBudget_leaveTheOwnerAsItWas() {
    FilterSnapshot filter = Snapshots.of(SMALL, 1);
    RoutingMatrix matrix = new RoutingMatrix(RoutingMatrix.bytesToAdd(filter));
    int owner = matrix.addOwner(filter);

    assertThatThrownBy(() -> matrix.replace(owner, Snapshots.of(SMALL, 2)))
        .isInstanceOf(RoutingBudgetExceededException.class)
        .hasMessageStartingWith("Cannot replace the filter of owner 0: it needs ");
    FilterChanges changes = new FilterChanges();
    changes.bitCleared(0, SMALL.position(1, 0));
    changes.segmentAdded(1, SMALL);
    assertThatThrownBy(() -> matrix.apply(owner, changes))
        .isInstanceOf(RoutingBudgetExceededException.class)
        .hasMessageStartingWith("Cannot apply changes to owner 0: it needs ");
    assertThat(matrix.candidates(1).toArray()).containsExactly(owner);
    assertThat(matrix.segments()).isEqualTo(1);
  }

  @Test
  void negativeBudget_isRefused() {
    assertThatThrownBy(() -> new RoutingMatrix(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot make a routing matrix: its byte budget was -1; it must not be negative");
  }

  @Test
  void budgetWithoutRoomForBlocks_keepsSegmentsLooseAndAnswers() {
    FilterSnapshot filter = Snapshots.of(SMALL, 1);
    long each = RoutingMatrix.bytesToAdd(filter);
    RoutingMatrix matrix = new RoutingMatrix(60 * each);
    for (int i = 0; i < 60; i++) {
      matrix.addOwner(filter);
    }
    assertThat(matrix.tidy(4)).isFalse();
    assertThat(matrix.bytes()).isEqualTo(60 * each);
    assertThat(matrix.candidates(1).size()).isEqualTo(60);
  }

  @Test
  void fewLargeSegments_payForThemselvesOnly() {
    SizeClass large = SizeClass.forCapacity(1_000_000, 1e-4);
    RoutingMatrix matrix = new RoutingMatrix(GIB);
    for (int i = 0; i < ClassMatrix.PROMOTE_AT - 1; i++) {
      matrix.addOwner(Snapshots.empty(large, 1));
    }
    assertThat(matrix.tidy(4)).isFalse();
    long planes = (ClassMatrix.PROMOTE_AT - 1) * BitPlane.bytesFor(large.cells());
    assertThat(matrix.bytes()).isBetween(planes, planes + planes / 100);
  }

  @Test
  void largeSegments_areColumnsToo_oncePerWord_andWasteAThirdAtMost() {
    SizeClass large = new SizeClass(2, 1 << 20);
    RoutingMatrix matrix = new RoutingMatrix(GIB);
    for (int i = 0; i < ClassMatrix.PROMOTE_AT; i++) {
      matrix.addOwner(Snapshots.of(large, i));
    }
    while (matrix.tidy(4)) {
      assertThat(matrix.candidates(5).contains(5)).isTrue();
    }
    long block = ColumnBlock.bytesFor(large.cells(), 1);
    assertThat(matrix.bytes()).isBetween(block, block + block / 100);
    assertThat(matrix.candidates(5).toArray()).containsExactly(5);
  }

  @Test
  void segmentsThatCameByChanges_becomeColumnsToo() {
    RoutingMatrix matrix = new RoutingMatrix(GIB);
    for (int i = 0; i < ClassMatrix.PROMOTE_AT; i++) {
      matrix.addOwner(Snapshots.empty(SMALL, 0));
    }
    assertThat(matrix.tidy(STEPS)).isFalse();
    FilterChanges growth = new FilterChanges();
    growth.segmentAdded(0, SMALL);
    for (int owner = 0; owner < ClassMatrix.PROMOTE_AT; owner++) {
      matrix.apply(owner, growth);
    }
    long planes = matrix.bytes();
    assertThat(matrix.tidy(1_000)).isFalse();
    assertThat(matrix.bytes())
        .isEqualTo(
            planes
                - ClassMatrix.PROMOTE_AT * LoosePlane.bytesFor(SMALL.cells())
                + ColumnBlock.bytesFor(SMALL.cells(), 1));
  }

  @Test
  void manySegments_wasteLittle() {
    RoutingMatrix matrix = new RoutingMatrix(GIB);
    for (int segments = 1; segments <= 5_000; segments++) {
      matrix.addOwner(Snapshots.empty(SMALL, 1));
      matrix.tidy(STEPS);
      long planes = segments * (SMALL.cells() / 8);
      long overhead = segments * 256L;
      long factor = segments < 1024 ? 200 : 150;
      assertThat(matrix.bytes())
          .as("%d segments", segments)
          .isLessThanOrEqualTo(planes * factor / 100 + 2 * overhead);
    }
  }

  @Test
  void churn_addAndRemove_doesNotGrow() {
    RoutingMatrix matrix = new RoutingMatrix(GIB);
    Queue<Integer> owners = new ArrayDeque<>();
    for (int i = 0; i < 1000; i++) {
      owners.add(matrix.addOwner(Snapshots.of(SMALL, i)));
      matrix.tidy(STEPS);
    }
    long highest = 0;
    for (int i = 1000; i < 2000; i++) {
      highest = Math.max(highest, churnOnce(matrix, owners, i));
    }
    for (int i = 2000; i < 10_000; i++) {
      assertThat(churnOnce(matrix, owners, i)).isLessThanOrEqualTo(highest);
    }
    assertThat(owners).allSatisfy(owner -> assertThat(owner).isLessThan(1010));
  }

  private static long churnOnce(RoutingMatrix matrix, Queue<Integer> owners, long element) {
    matrix.removeOwner(owners.remove());
    matrix.tidy(STEPS);
    int owner = matrix.addOwner(Snapshots.of(SMALL, element));
    matrix.tidy(STEPS);
    owners.add(owner);
    assertThat(matrix.candidates(element).contains(owner)).isTrue();
    assertThat(matrix.candidates(element - 1000).contains(owner)).isFalse();
    return matrix.bytes();
  }

  @Test
  void churn_replace_doesNotGrow() {
    RoutingMatrix matrix = new RoutingMatrix(GIB);
    for (int i = 0; i < 200; i++) {
      matrix.addOwner(Snapshots.of(SMALL, i));
      matrix.tidy(STEPS);
    }
    long highest = 0;
    for (int i = 0; i < 400; i++) {
      matrix.replace(i % 200, Snapshots.of(SMALL, i));
      matrix.tidy(STEPS);
      highest = Math.max(highest, matrix.bytes());
    }
    for (int i = 400; i < 4_000; i++) {
      matrix.replace(i % 200, Snapshots.of(SMALL, i));
      matrix.tidy(STEPS);
      assertThat(matrix.bytes()).isLessThanOrEqualTo(highest);
      assertThat(matrix.candidates(i).contains(i % 200)).isTrue();
    }
  }

  @Test
  void removingMost_givesMemoryBackAsTheyGo() {
    RoutingMatrix matrix = new RoutingMatrix(GIB);
    int total = 5_000;
    for (int i = 0; i < total; i++) {
      matrix.addOwner(Snapshots.of(SMALL, i));
      matrix.tidy(STEPS);
    }
    for (int left = total - 1; left >= 0; left--) {
      matrix.removeOwner(left);
      matrix.tidy(STEPS);
      long planes = left * (SMALL.cells() / 8);
      long oneWord = ColumnBlock.bytesFor(SMALL.cells(), 1);
      assertThat(matrix.bytes())
          .as("%d owners left", left)
          .isLessThanOrEqualTo(4 * (planes + 256L * left) + oneWord);
      if (left % 97 == 0) {
        assertThat(matrix.candidates(left / 2).contains(left / 2)).isEqualTo(left > 0);
      }
    }
    assertThat(matrix.bytes()).isZero();
  }

  @Test
  void bytes_areThoseOfTheArrays() {
    assertThat(ColumnBlock.bytesFor(1024, 3))
        .isEqualTo(3 * 8 * 1024 + 2 * 3 * 8 + 3 * 64 * (4 + 8) + 1024 / 64 * 24);
    assertThat(ColumnBlock.bytesFor(1000, 3))
        .as("the last 32 rows are not all used")
        .isEqualTo(ColumnBlock.bytesFor(1024, 3) + 16 * 24);
    assertThat(LoosePlane.bytesFor(6400)).isEqualTo(800 + 96);
  }
}
