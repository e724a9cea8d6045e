/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever is done to a matrix, it answers what asking each filter in turn answers. */
class RoutingMatrixOracleTest {
  private static final List<SizeClass> CLASSES =
      List.of(new SizeClass(2, 5), new SizeClass(3, 7), new SizeClass(1, 64), new SizeClass(5, 11));
  private static final long AMPLE = 1L << 30;

  @Test
  void randomUpdates_manySmallOwners_answersLikeAskingEachFilter() {
    Seeds.forEach(1000, seed -> new Run(seed, 4, AMPLE).steps(100));
  }

  @Test
  void randomUpdates_longChains_answersLikeAskingEachFilter() {
    Seeds.forEach(60, seed -> new Run(seed, 200, AMPLE).steps(60));
  }

  @Test
  void randomUpdates_scarceBudget_refusesOrAnswersLikeAskingEachFilter() {
    int[] refused = {0};
    Seeds.forEach(
        300,
        seed -> {
          Run run = new Run(seed, 40, 20_000 + new SplittableRandom(~seed).nextLong(200_000));
          run.steps(100);
          refused[0] += run.refused;
        });
    assertThat(refused[0]).isPositive();
  }

  /** One matrix and, for each of its owners, the filter it should be following. */
  private static final class Run {
    private final SplittableRandom random;
    private final int longestChain;
    private final RoutingMatrix matrix;
    private final Map<Integer, RandomFilter> filters = new HashMap<>();
    private int refused;

    Run(long seed, int longestChain, long budget) {
      this.random = new SplittableRandom(seed);
      this.longestChain = longestChain;
      this.matrix = new RoutingMatrix(budget);
    }

    void steps(int count) {
      int growing = random.nextInt(count);
      for (int step = 0; step < count; step++) {
        update(step < growing);
        matrix.tidy(random.nextInt(5));
        check();
      }
      for (int owner : List.copyOf(filters.keySet())) {
        matrix.removeOwner(owner);
        filters.remove(owner);
        matrix.tidy(random.nextInt(5));
        if (random.nextInt(8) == 0) {
          check();
        }
      }
      while (matrix.tidy(4)) {
        check();
      }
      check();
      assertThat(matrix.bytes()).isZero();
    }

    private void update(boolean growing) {
      int kind = random.nextInt(8);
      if (filters.isEmpty() || kind < (growing ? 5 : 2)) {
        add();
        return;
      }
      List<Integer> owners = new ArrayList<>(filters.keySet());
      int owner = owners.get(random.nextInt(owners.size()));
      switch (kind) {
        case 2, 3, 4 -> {
          matrix.removeOwner(owner);
          filters.remove(owner);
        }
        case 5 -> replace(owner);
        default -> apply(owner);
      }
    }

    private void add() {
      RandomFilter filter = new RandomFilter(random, CLASSES, random.nextInt(longestChain));
      FilterSnapshot snapshot = filter.snapshot();
      long needed = RoutingMatrix.bytesToAdd(snapshot);
      long before = matrix.bytes();
      try {
        int owner = matrix.addOwner(snapshot);
        assertThat(filters.put(owner, filter)).isNull();
        assertThat(before + needed).isLessThanOrEqualTo(matrix.byteBudget());
      } catch (RoutingBudgetExceededException e) {
        refused(e, before);
        assertThat(e.needed()).isEqualTo(needed);
      }
    }

    private void replace(int owner) {
      RandomFilter filter = new RandomFilter(random, CLASSES, random.nextInt(longestChain));
      long before = matrix.bytes();
      try {
        matrix.replace(owner, filter.snapshot());
        filters.put(owner, filter);
      } catch (RoutingBudgetExceededException e) {
        refused(e, before);
      }
    }

    private void apply(int owner) {
      FilterChanges changes = filters.get(owner).change(random.nextInt(40));
      long before = matrix.bytes();
      try {
        matrix.apply(owner, changes);
      } catch (RoutingBudgetExceededException e) {
        refused(e, before);
        matrix.removeOwner(owner); // the filter has moved on, the matrix has not
        filters.remove(owner);
      }
    }

    private void refused(RoutingBudgetExceededException e, long before) {
      assertThat(e.used()).isEqualTo(before).isEqualTo(matrix.bytes());
      assertThat(e.used() + e.needed()).isGreaterThan(e.budget());
      refused++;
    }

    private void check() {
      assertThat(matrix.bytes()).isBetween(0L, matrix.byteBudget());
      assertThat(matrix.owners()).isEqualTo(filters.size());
      assertThat(matrix.segments())
          .isEqualTo(filters.values().stream().mapToInt(RandomFilter::size).sum());
      long first = random.nextLong();
      long second = random.nextLong();
      OwnerSet firstExpected = expected(first);
      OwnerSet secondExpected = expected(second);
      assertThat(matrix.candidates(first)).isEqualTo(firstExpected);
      OwnerSet either = expected(first);
      either.addAll(secondExpected);
      assertThat(matrix.candidatesOfAny(first, second)).isEqualTo(either);
      firstExpected.retainAll(secondExpected);
      assertThat(matrix.candidatesOfAll(first, second)).isEqualTo(firstExpected);
    }

    private OwnerSet expected(long element) {
      OwnerSet owners = new OwnerSet();
      filters.forEach(
          (owner, filter) -> {
            if (filter.mightContain(element)) {
              owners.add(owner);
            }
          });
      return owners;
    }
  }
}
