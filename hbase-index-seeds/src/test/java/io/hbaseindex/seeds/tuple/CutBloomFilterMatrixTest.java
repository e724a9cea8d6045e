/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hbaseindex.core.filter.BloomShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CutBloomFilterMatrixTest extends TupleFilterContract {
  @Override
  TupleFilter random(SplittableRandom random) {
    return new CutBloomFilterMatrix(randomLayout(random), random.nextInt(1, 8), LIMIT);
  }

  /** Up to 16 attributes; those beyond the first few are kept affordable by more cuts. */
  static MatrixLayout randomLayout(SplittableRandom random) {
    boolean wide = random.nextInt(10) == 0;
    int attributes = wide ? random.nextInt(7, 17) : random.nextInt(1, 7);
    List<AttributeSet> cuts = new ArrayList<>();
    for (int i = random.nextInt(wide ? 60 : 5); i > 0; i--) {
      AttributeSet cut = someAttributes(attributes, random);
      if (cut.size() > 0) {
        cuts.add(cut);
      }
    }
    return wide
        ? MatrixLayout.within(1 << 17, random.doubles(attributes, 1, 5).toArray(), cuts)
        : MatrixLayout.ofAxes(random.longs(attributes, 1, 9).toArray(), cuts);
  }

  @Override
  TupleFilter sized(int attributes, int elements, double error) {
    BloomShape shape = BloomShape.forElements(elements, error);
    List<AttributeSet> cuts =
        attributes < 3 ? List.of() : List.of(AttributeSet.of(0, 1), AttributeSet.of(0, 2));
    return new CutBloomFilterMatrix(
        MatrixLayout.uniform(attributes, shape.bits(), cuts), shape.hashes(), LIMIT);
  }

  @Override
  TupleFilter limited(MemoryLimit limit) {
    return new CutBloomFilterMatrix(
        MatrixLayout.ofAxes(new long[] {5, 6, 7}, List.of(AttributeSet.of(0, 2))), 3, limit);
  }

  @Test
  void mightMatch_valuesRecombinedAcrossACut_alwaysPass() {
    TupleFilter filter = sized(3, 20, 0.05);
    SplittableRandom random = new SplittableRandom(3);
    List<long[]> tuples = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      tuples.add(random.longs(3).toArray());
      filter.insert(tuples.get(i));
    }

    for (int i = 1; i < 20; i++) {
      long[] mixed = {tuples.get(i - 1)[0], tuples.get(i)[1], tuples.get(i)[2]};
      assertThat(filter.mightContain(mixed)).isTrue();
    }
  }

  @Test
  void mightMatch_nothingGiven_tellsWhetherAnythingWasInserted() {
    PartialMatchFilter filter = (PartialMatchFilter) sized(3, 20, 0.05);

    assertThat(filter.mightMatch(AttributeSet.NONE, new long[3])).isFalse();
    filter.insert(new long[] {1, 2, 3});
    assertThat(filter.mightMatch(AttributeSet.NONE, new long[3])).isTrue();
  }

  @Test
  void insert_cellsBeyondTheIntRange_areFoundAgain() {
    long axis = 50_000;
    MatrixLayout layout = MatrixLayout.uniform(2, axis, List.of());
    CutBloomFilterMatrix filter = new CutBloomFilterMatrix(layout, 5, MemoryLimit.ofMebibytes(300));
    SplittableRandom random = new SplittableRandom(4);
    List<long[]> tuples = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      tuples.add(random.longs(2).toArray());
      filter.insert(tuples.get(i));
    }

    assertThat(filter.memoryBits()).isEqualTo((axis + 1) * (axis + 1)).isGreaterThan(1L << 31);
    assertThat(tuples).allMatch(filter::mightContain);
    for (int i = 1; i < tuples.size(); i++) {
      assertThat(filter.mightContain(new long[] {tuples.get(i)[0], tuples.get(i - 1)[1]}))
          .isFalse();
    }
  }

  @Test
  void create_withoutHashes_isRefused() {
    MatrixLayout layout = MatrixLayout.uniform(2, 3, List.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CutBloomFilterMatrix(layout, 0, LIMIT))
        .withMessageContaining("hashes was 0");
  }
}
