/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.ColumnRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  @Test
  void counters_areAddedUp() {
    Explanation explanation =
        explanation(
            visit("a", "s1", Map.of("candidates", 3L, "rowsRead", 5L)),
            visit("b", "s1", Map.of("candidates", 4L)));

    assertThat(explanation.counters()).isEqualTo(Map.of("candidates", 7L, "rowsRead", 5L));
    assertThat(explanation.counted("candidates")).isEqualTo(7);
    assertThat(explanation.counted("unheard of")).isZero();
    assertThat(explanation.serversVisited()).isEqualTo(1);
  }

  @Test
  void indexes_usedHereAndNotThere() {
    Explanation explanation =
        explanation(
            visit("a", "s1", Map.of(), new RegionVisit.Choice("i", true, "lookup")),
            visit("b", "s2", Map.of(), new RegionVisit.Choice("i", true, "lookup")),
            visit("c", "s2", Map.of(), new RegionVisit.Choice("i", false, "not ready")));

    assertThat(explanation.indexes())
        .containsExactly(new Explanation.IndexUse("i", 2, Map.of("lookup", 2, "not ready", 1)));
  }

  @Test
  void accesses_areAddedUp_estimatesOfThoseThatKnow() {
    RegionVisit.Access read = new RegionVisit.Access("lookup i", OptionalLong.of(7), false, 5);
    RegionVisit.Access leftOut = new RegionVisit.Access("lookup i", OptionalLong.of(90), true, 0);
    RegionVisit.Access unknown = new RegionVisit.Access("lookup i", OptionalLong.empty(), false, 3);
    Explanation explanation =
        explanation(
            visit("a", "s1", Map.of(), List.of(read)),
            visit("b", "s1", Map.of(), List.of(leftOut)),
            visit("c", "s2", Map.of(), List.of(unknown)));

    assertThat(explanation.accesses())
        .containsExactly(new Explanation.AccessSum("lookup i", 97, 1, 2, 1, 8));
  }

  @Test
  void advice_ofRowsReadInVain_andOfWholeRegions() {
    Map<String, Long> few = Map.of("scansJumped", 1L, "postingsRead", 10L, "rowsRead", 10L);
    Map<String, Long> many = Map.of("scansJumped", 1L, "postingsRead", 2L, "rowsRead", 11L);
    Map<String, Long> ordered = Map.of("scansJumped", 1L, "scansOrdered", 1L, "rowsRead", 11L);

    assertThat(explanation(visit("a", "s1", few)).advice()).isEmpty();
    assertThat(explanation(visit("a", "s1", many)).advice()).isPresent();
    assertThat(explanation(visit("a", "s1", ordered)).advice()).isEmpty();
    assertThat(explanation(visit("a", "s1", Map.of("scansPlain", 1L))).advice()).isPresent();
  }

  private static Explanation explanation(RegionVisit... visits) {
    return new Explanation(
        TableName.valueOf("t"),
        Optional.empty(),
        new RouteFigures(Optional.empty(), 3, 3, 0, 3, Map.of(), 1, 1, List.of(), false),
        List.of(visits),
        0,
        new Explanation.Times(Duration.ZERO, Duration.ZERO, Duration.ZERO),
        Optional.of(new IndexAdvice(List.of(ColumnRef.of("f", "city")), Map.of())));
  }

  private static RegionVisit visit(
      String region, String server, Map<String, Long> counters, RegionVisit.Choice... choices) {
    return visit(region, server, counters, List.of(), choices);
  }

  private static RegionVisit visit(
      String region,
      String server,
      Map<String, Long> counters,
      List<RegionVisit.Access> accesses,
      RegionVisit.Choice... choices) {
    return new RegionVisit(
        region,
        new byte[0],
        server,
        "",
        List.of(choices),
        accesses,
        counters,
        Duration.ZERO,
        Duration.ZERO);
  }
}
