/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SaboteurTest {
  private static final int MOST_SEEDS = 4_000;
  private static final int STEPS = 2_000;

  @ParameterizedTest
  @EnumSource
  void brokenRule_simulationNotices(Saboteur saboteur) {
    for (long seed = 0; seed < MOST_SEEDS; seed++) {
      try {
        Simulation.run(seed, STEPS, saboteur.parts());
      } catch (SimViolation noticed) {
        if (noticed.law() == saboteur.broken()) {
          return;
        }
      }
    }
    fail("Nobody noticed %s in %s runs of %s steps", saboteur, MOST_SEEDS, STEPS);
  }
}
