/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OwnerSetTest {
  @Test
  void newSet_isEmpty() {
    OwnerSet set = new OwnerSet();
    assertThat(set.isEmpty()).isTrue();
    assertThat(set.size()).isZero();
    assertThat(set.contains(0)).isFalse();
    assertThat(set.contains(1_000_000)).isFalse();
  }

  @Test
  void add_beyondItsRoom_grows() {
    OwnerSet set = setOf(0, 63, 64, 100_000);
    assertThat(set.toArray()).containsExactly(0, 63, 64, 100_000);
    assertThat(set).hasToString("[0, 63, 64, 100000]");
  }

  @Test
  void retainAll_shorterSet_dropsWhatLiesBeyondIt() {
    OwnerSet set = setOf(1, 2, 1000);
    set.retainAll(setOf(2, 3));
    assertThat(set.toArray()).containsExactly(2);
  }

  @Test
  void addAll_longerSet_grows() {
    OwnerSet set = setOf(1);
    set.addAll(setOf(1, 1000));
    assertThat(set.toArray()).containsExactly(1, 1000);
  }

  @Test
  void equals_sameOwnersWithDifferentRoom_isTrue() {
    OwnerSet roomy = new OwnerSet(10_000);
    roomy.add(5);
    assertThat(roomy).isEqualTo(setOf(5)).hasSameHashCodeAs(setOf(5));
    assertThat(roomy).isNotEqualTo(setOf(6));
  }

  @Test
  void operations_random_agreeWithSortedSets() {
    Seeds.forEach(
        200,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          TreeSet<Integer> expected = new TreeSet<>();
          OwnerSet set = new OwnerSet();
          for (int step = 0; step < 20; step++) {
            TreeSet<Integer> others = new TreeSet<>();
            for (int i = random.nextInt(50); i > 0; i--) {
              others.add(random.nextInt(300));
            }
            OwnerSet other = setOf(others.stream().mapToInt(Integer::intValue).toArray());
            if (random.nextInt(3) > 0) {
              expected.addAll(others);
              set.addAll(other);
            } else {
              expected.retainAll(others);
              set.retainAll(other);
            }
            List<Integer> listed = new ArrayList<>();
            set.forEach(listed::add);
            assertThat(listed).containsExactlyElementsOf(expected);
            assertThat(set.size()).isEqualTo(expected.size());
            assertThat(set.isEmpty()).isEqualTo(expected.isEmpty());
            for (int owner = 0; owner < 320; owner++) {
              assertThat(set.contains(owner)).isEqualTo(expected.contains(owner));
            }
          }
          set.clear();
          assertThat(set.isEmpty()).isTrue();
        });
  }

  private static OwnerSet setOf(int... owners) {
    OwnerSet set = new OwnerSet();
    for (int owner : owners) {
      set.add(owner);
    }
    return set;
  }
}
