/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ScaleSimulationTest {
  @Test
  void run_smallCluster_allRegionsArePreciseAndNoWriteIsMissed() {
    ScaleResult result = run("--servers=3 --regions=2 --values=500 --batches=20 --seconds=3");

    assertThat(result.samples().get(result.samples().size() - 1).precise()).isEqualTo(6);
    assertThat(result.routed()).isPositive();
    assertThat(result.missed()).isZero();
    assertThat(result.traffic().waits().getTotalCount()).isGreaterThan(50);
    assertThat(result.traffic().refused).isZero();
    assertThat(result.named()).isLessThan(2);
    assertThat(result.serverBytes()).isPositive();
    assertThat(result.holderBytes()).isPositive();
  }

  @Test
  void run_holdersShareTheValues_regionsArePreciseAtAllOfThem() {
    ScaleResult result =
        run("--servers=3 --regions=2 --values=500 --batches=20 --seconds=3 --holders=3");

    assertThat(result.samples().get(result.samples().size() - 1).precise()).isEqualTo(6);
    assertThat(result.missed()).isZero();
    assertThat(result.openReasons()).isEmpty();
  }

  @Test
  void run_holderChanges_regionsAreOpenAndThenPreciseAgain() {
    ScaleResult result =
        run("--servers=3 --regions=2 --values=500 --batches=20 --seconds=15 --holder-change=1");

    assertThat(result.samples()).anyMatch(s -> s.second() > 11 && s.precise() == 0);
    assertThat(result.preciseAgain()).isPresent();
    assertThat(result.preciseAgain().getAsDouble()).isGreaterThan(2);
    assertThat(result.missed()).isZero();
  }

  @Test
  void run_serverRestarts_itsRegionsBecomePreciseAgain() {
    ScaleResult result =
        run(
            "--servers=3 --regions=2 --values=500 --batches=20 --seconds=16 --restarts=1"
                + " --rebuild-rate=250");

    assertThat(result.samples()).anyMatch(s -> s.second() > 18 && s.precise() == 4);
    assertThat(result.samples().get(result.samples().size() - 1).precise()).isEqualTo(6);
    assertThat(result.missed()).isZero();
  }

  @Test
  void run_gateOfOnePlaceAndSlowProcessors_pushesAreRefusedUnlessTheyMayWait() {
    String slow = "--servers=10 --regions=1 --values=500 --batches=50 --seconds=3 --rpc-us=2000";

    assertThat(run(slow + " --push-places=1").traffic().refused).isPositive();
    assertThat(
            run(slow + " --push-places=1 --gate-queue=100 --gate-wait-ms=1000").traffic().refused)
        .isZero();
  }

  @Test
  void csv_hasOneLinePerSample() {
    ScaleResult result = run("--servers=1 --regions=1 --values=100 --batches=1 --seconds=1");

    assertThat(result.csv().lines()).hasSize(1 + result.samples().size());
    assertThat(result.csv()).startsWith("second,precise,");
  }

  private static ScaleResult run(String options) {
    ScaleSettings settings = new ScaleSettings();
    new CommandLine(CommandSpec.forAnnotatedObject(settings)).parseArgs(options.split(" "));
    settings.check();
    return new ScaleSimulation(settings, (second, precise) -> {}).run();
  }
}
