/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.filter.InsertableFilter;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SearchFormulasTest {
  private static final BloomShape PAPER = new BloomShape(2048, 5);

  @Test
  void formulas_paperSetting_giveTheKnownRates() {
    SearchFormulas formulas = new SearchFormulas(PAPER, 1000);

    assertThat(formulas.distinct()).isCloseTo(0.635, within(0.001));
    assertThat(formulas.repeatable()).isCloseTo(0.634, within(0.001));
    assertThat(formulas.minimumHash()).isCloseTo(0.471, within(0.001));
    assertThat(formulas.comparisons()).isCloseTo(2.0, within(0.01));
  }

  @ParameterizedTest
  @EnumSource
  void formula_anyKind_isWhatItsFilterDoes(SearchFilterKind kind) {
    BloomShape shape = new BloomShape(900, 3);
    int keys = 200;
    long wrong = 0;
    for (int set = 0; set < 50; set++) {
      SplittableRandom random = new SplittableRandom(set);
      InsertableFilter filter = kind.create(shape);
      random.longs(keys).forEach(filter::insert);
      wrong += random.longs(2_000).filter(filter::mightContain).count();
    }

    double formula = kind.formula(shape, keys);
    assertThat(wrong / 100_000.0).isCloseTo(formula, within(0.06 * formula));
  }

  @Test
  void publishedTable_averages_areThePrintedOnes() {
    assertThat(PublishedTable.NEW.average()).isEqualTo(35.8);
    assertThat(PublishedTable.RANDOM.average()).isEqualTo(38.5);
    assertThat(PublishedTable.BLOOM.average()).isEqualTo(39.5);
  }
}
