/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.Seeds;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class ProtocolSimulationTest {
  private static final int SEEDS = 2_000;
  private static final int STEPS = 2_000;

  @Test
  void anyFaults_noAcknowledgedWriteIsExcludedAndAllBecomePreciseAgain() {
    assertThat(preciseShare(SimParts.DEPLOYED)).isGreaterThan(0.3);
  }

  @Test
  void anyFaultsOfManyHolders_noAcknowledgedWriteIsExcludedAndAllBecomePreciseAgain() {
    assertThat(preciseShare(SimParts.SHARDED)).isGreaterThan(0.2);
  }

  /** A protocol that leaves everything open would not break the law. */
  private static double preciseShare(SimParts parts) {
    DoubleAdder precise = new DoubleAdder();
    LongAdder runs = new LongAdder();
    LongAdder excludedByBounds = new LongAdder();
    Seeds.forEach(
        SEEDS,
        seed -> {
          Simulation.Result result = Simulation.run(seed, STEPS, parts);
          precise.add(result.preciseShare());
          excludedByBounds.add(result.excludedByBounds());
          runs.increment();
        });
    assertThat(excludedByBounds.sum()).isGreaterThan(SEEDS);
    return precise.sum() / runs.sum();
  }
}
