/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import static io.hbaseindex.seeds.tuple.TupleFilterContract.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The matrices against their definition: every answer, right or wrong, must be the one that sets of
 * recorded positions give. This catches cells that overlap, which the contract cannot see.
 */
class MatrixModelTest {
  private static final int HASHES = 3;

  @Test
  void cutMatrix_anyCuts_answersAsTheKeptCombinationsDo() {
    Seeds.forEach(
        300,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int attributes = random.nextInt(1, 6);
          long[] axes = random.longs(attributes, 1, 9).toArray();
          List<AttributeSet> cuts =
              random
                  .ints(random.nextInt(4), 1, 1 << attributes)
                  .mapToObj(AttributeSet::new)
                  .toList();
          Model model = new Model(axes, cuts);
          CutBloomFilterMatrix filter =
              new CutBloomFilterMatrix(MatrixLayout.ofAxes(axes, cuts), HASHES, LIMIT);

          assertSameAnswers(random, model, List.of(filter));
        });
  }

  @Test
  void matricesWithoutCuts_ofEqualAxes_answerAlike() {
    Seeds.forEach(
        100,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int attributes = random.nextInt(1, 5);
          long axis = random.nextLong(1, 9);
          long[] axes = new long[attributes];
          Arrays.fill(axes, axis);

          assertSameAnswers(
              random,
              new Model(axes, List.of()),
              List.of(
                  new CutBloomFilterMatrix(
                      MatrixLayout.uniform(attributes, axis, List.of()), HASHES, LIMIT),
                  new BloomFilterMatrix(attributes, axis, HASHES, LIMIT),
                  new CartesianBloomFilter(attributes, axis, HASHES, LIMIT)));
        });
  }

  private static void assertSameAnswers(
      SplittableRandom random, Model model, List<? extends PartialMatchFilter> filters) {
    int attributes = model.axes.length;
    List<long[]> inserted = new ArrayList<>();
    for (int left = random.nextInt(8); left >= 0; left--) {
      long[] tuple = TupleFilterContract.tuple(attributes, 30, random);
      inserted.add(tuple);
      model.insert(tuple);
      filters.forEach(filter -> filter.insert(tuple));
    }
    for (int i = 0; i < 50; i++) {
      long[] values = TupleFilterContract.recombined(inserted, random);
      AttributeSet given = TupleFilterContract.someAttributes(attributes, random);
      for (PartialMatchFilter filter : filters) {
        assertThat(filter.mightMatch(given, values))
            .as("given %s, %s", given, filter.getClass().getSimpleName())
            .isEqualTo(model.mightMatch(given, values));
      }
    }
  }

  /** Remembers, for each hash function, which positions occurred together. */
  private record Model(long[] axes, List<AttributeSet> cuts, List<Set<List<Long>>> recorded) {
    Model(long[] axes, List<AttributeSet> cuts) {
      this(axes, cuts, new ArrayList<>());
      for (int hash = 0; hash < HASHES; hash++) {
        recorded.add(new HashSet<>());
      }
    }

    void insert(long[] tuple) {
      for (int hash = 0; hash < HASHES; hash++) {
        for (int bits = 0; bits < 1 << axes.length; bits++) {
          recorded.get(hash).add(positions(new AttributeSet(bits), tuple, hash));
        }
      }
    }

    boolean mightMatch(AttributeSet given, long[] values) {
      for (int bits = 0; bits < 1 << axes.length; bits++) {
        AttributeSet combination = new AttributeSet(bits);
        boolean kept = cuts.stream().noneMatch(combination::containsAll);
        if (kept && given.containsAll(combination) && !holds(combination, values)) {
          return false;
        }
      }
      return true;
    }

    private boolean holds(AttributeSet combination, long[] values) {
      for (int hash = 0; hash < HASHES; hash++) {
        List<Long> cell = positions(combination, values, hash);
        // Hash functions share the bit matrix, so a cell may have been set by another one.
        if (recorded.stream().noneMatch(set -> set.contains(cell))) {
          return false;
        }
      }
      return true;
    }

    private List<Long> positions(AttributeSet combination, long[] values, int hash) {
      List<Long> cell = new ArrayList<>();
      for (int attribute = 0; attribute < axes.length; attribute++) {
        cell.add(
            combination.contains(attribute)
                ? BitMixer.position(values[attribute], hash, axes[attribute])
                : -1L);
      }
      return cell;
    }
  }
}
