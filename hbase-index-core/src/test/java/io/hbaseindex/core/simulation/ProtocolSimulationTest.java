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
    DoubleAdder precise = new DoubleAdder();
    LongAdder runs = new LongAdder();
    Seeds.forEach(
        SEEDS,
        seed -> {
          precise.add(Simulation.run(seed, STEPS).preciseShare());
          runs.increment();
        });
    // A protocol that leaves everything open would pass the checks above.
    assertThat(precise.sum() / runs.sum()).as("share of time spent precise").isGreaterThan(0.31);
  }
}
