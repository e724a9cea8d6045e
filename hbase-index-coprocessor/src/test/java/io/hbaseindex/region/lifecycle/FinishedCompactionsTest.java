/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FinishedCompactionsTest {

  private final FinishedCompactions compactions = new FinishedCompactions();

  @Test
  void areInPlace_nothingAwaited_doesNotLook() {
    assertThat(
            compactions.areInPlace(
                () -> {
                  throw new AssertionError("looked at the files");
                }))
        .isTrue();
  }

  @Test
  void areInPlace_untilTheLastInputIsGone() {
    compactions.await(List.of("f/1", "f/2"));
    compactions.await(List.of("g/1"));

    assertThat(compactions.areInPlace(() -> List.of("f/1", "f/2", "g/1"))).isFalse();
    assertThat(compactions.areInPlace(() -> List.of("f/3", "g/1"))).isFalse();
    assertThat(compactions.areInPlace(() -> List.of("f/3", "g/2"))).isTrue();
  }

  @Test
  void areInPlace_compactionNeverTakesEffect_givesUp() {
    compactions.await(List.of("f/1"));
    for (int look = 1; look < FinishedCompactions.MOST_LOOKS; look++) {
      assertThat(compactions.areInPlace(() -> List.of("f/1"))).isFalse();
    }
    assertThat(compactions.areInPlace(() -> List.of("f/1"))).isTrue();
  }

  @Test
  void await_anotherCompaction_waitsAnew() {
    compactions.await(List.of("f/1"));
    for (int look = 1; look < FinishedCompactions.MOST_LOOKS; look++) {
      compactions.areInPlace(() -> List.of("f/1"));
    }
    compactions.await(List.of("g/1"));

    assertThat(compactions.areInPlace(() -> List.of("f/1", "g/1"))).isFalse();
  }
}
