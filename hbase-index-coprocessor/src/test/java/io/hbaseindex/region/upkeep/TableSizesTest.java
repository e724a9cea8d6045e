/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TableSizesTest {
  private long now = 3;
  private CompletableFuture<Map<String, Integer>> answer = new CompletableFuture<>();
  private final TableSizes sizes = new TableSizes(() -> answer, () -> now);

  private void ask() {
    assertThat(sizes.look()).isEqualTo(UpkeepTask.Need.FILE);
    sizes.run();
    assertThat(sizes.look()).isEqualTo(UpkeepTask.Need.NOTHING);
  }

  @Test
  void regionsOf_isWhatWasLastToldAndIsAskedForOnceAMinute() {
    ask();
    assertThat(sizes.regionsOf("t")).isZero();
    answer.complete(Map.of("t", 7));
    assertThat(sizes.regionsOf("t")).isEqualTo(7);
    assertThat(sizes.regionsOf("u")).isZero();

    now += TableSizes.ASK_NANOS;
    answer = CompletableFuture.completedFuture(Map.of("t", 8, "u", 1));
    ask();
    assertThat(sizes.regionsOf("t")).isEqualTo(8);
    assertThat(sizes.regionsOf("u")).isEqualTo(1);
  }

  @Test
  void run_masterDoesNotAnswer_keepsWhatItKnew() {
    answer = CompletableFuture.completedFuture(Map.of("t", 7));
    ask();
    now += TableSizes.ASK_NANOS;
    answer = CompletableFuture.failedFuture(new IOException("no master"));
    ask();
    assertThat(sizes.regionsOf("t")).isEqualTo(7);
  }
}
