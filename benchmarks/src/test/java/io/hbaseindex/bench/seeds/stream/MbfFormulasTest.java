/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hbaseindex.bench.seeds.stream.DistinctStream.Errors;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import org.junit.jupiter.api.Test;

class MbfFormulasTest {
  private final MbfParameters parameters = MbfParameters.forErrors(200, 10, 1.0 / 64, 1.0 / 64);
  private final MbfFormulas formulas = new MbfFormulas(parameters);

  @Test
  void formulas_atTheOptimum_giveTheErrorsAskedFor() {
    assertThat(formulas.windowError(200)).isCloseTo(1.0 / 64, within(1e-4));
    assertThat(formulas.bitError(2_000)).isCloseTo(1.0 / 64, within(1e-4));
    assertThat(formulas.anyWindowError(200, 10)).isCloseTo(0.1457, within(1e-3));
  }

  @Test
  void measure_smallStream_followsTheFormulas() {
    Errors errors = new DistinctStream(parameters, 1).measure(history -> {});

    assertThat(errors.presentBelow().wrong()).isZero();
    assertThat(errors.presentAbove().value())
        .isCloseTo(formulas.anyWindowError(200, 10), within(0.02));
    assertThat(errors.passedBits().value()).isCloseTo(formulas.bitError(2_000), within(0.005));
  }
}
