/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrintedTest {
  @Test
  void serversRegionsTimesAndWidths_mayDiffer() {
    assertThat(
            Printed.matches(
                List.of("37f6f1e9add432e8c0d83b57edc33171  host:16020  ready in 3 ms"),
                List.of("2978ef68424a5c3093397487a8ef52ac localhost:34655   ready in 12.5 ms ")))
        .isTrue();
  }

  @Test
  void anythingElse_mayNot() {
    assertThat(Printed.matches(List.of("2 rows"), List.of("3 rows"))).isFalse();
    assertThat(Printed.matches(List.of("2 rows"), List.of())).isFalse();
    assertThat(Printed.matches(List.of("2 rows"), List.of("2 rows", "and more"))).isFalse();
  }

  @Test
  void progress_isLeftOut() {
    assertThat(
            Printed.matches(
                List.of("Created."), List.of("alter: 1 of 4 regions", "build: 0 rows", "Created.")))
        .isTrue();
    assertThat(Printed.matches(List.of("Created."), List.of("alter: failed", "Created.")))
        .isFalse();
  }

  @Test
  void linesThatAreLeftOut_mayBeAnyNumber() {
    assertThat(Printed.matches(List.of("a", "…", "z"), List.of("a", "z"))).isTrue();
    assertThat(Printed.matches(List.of("a", "…", "z"), List.of("a", "b", "c", "z"))).isTrue();
    assertThat(Printed.matches(List.of("a", "…", "z"), List.of("a", "b", "c"))).isFalse();
  }
}
