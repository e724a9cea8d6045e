/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteCollector;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.route.ServerCollector;
import io.hbaseindex.core.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Regions that are excluded are told of together, and the answer is that of one by one. */
class TableLayoutTest {
  private final TableRoutes routes = new TableRoutes(new MatrixBudget(0));

  private RegionEntry region(int number, int from, int to) {
    RowRange range =
        new RowRange(
            from == 0 ? new byte[0] : new byte[] {(byte) from},
            to == 0 ? new byte[0] : new byte[] {(byte) to});
    return new RegionEntry(
        new RegionEntry.Key("s" + number % 3, number),
        new RegionIncarnation("t", "r" + number, 1, 1, range),
        routes);
  }

  @Test
  void verdicts_ofAnyLayout_areThoseOfTellingRegionByRegion() {
    Seeds.forEach(
        1_000,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          List<RegionEntry> regions = regions(random);
          RouteCollector expected = new RouteCollector();
          ServerCollector expectedServers = new ServerCollector();
          RouteCollector answer = new RouteCollector();
          ServerCollector servers = new ServerCollector();
          TableLayout layout = TableLayout.of(regions);
          TableLayout.Verdicts verdicts = layout.verdicts(answer);
          TableLayout.Verdicts verdictsOfServers = layout.verdicts(servers);
          for (int at = 0; at < regions.size(); at++) {
            RowRange range = regions.get(at).incarnation().range();
            String server = regions.get(at).key().server();
            if (random.nextInt(4) == 0) {
              OpenReason open = random.nextBoolean() ? null : OpenReason.LAPSED;
              verdicts.candidate(at, open);
              verdictsOfServers.candidate(at, open);
              expected.candidate(range, server, open);
              expectedServers.candidate(range, server, open);
            } else {
              expected.excluded(range, List.of(server));
              expectedServers.excluded(range, List.of(server));
            }
          }
          verdicts.end();
          verdictsOfServers.end();
          RouteAnswer told = answer.finish();
          assertThat(told).isEqualTo(expected.finish());
          assertThat(servers.finish()).isEqualTo(expectedServers.finish());
        });
  }

  /** In key order; some follow one another, others leave keys between them. */
  private List<RegionEntry> regions(SplittableRandom random) {
    List<RegionEntry> regions = new ArrayList<>();
    int from = random.nextInt(2);
    while (from < 100) {
      int to = from + 1 + random.nextInt(9);
      boolean last = random.nextInt(20) == 0;
      regions.add(region(regions.size(), from, last ? 0 : to));
      if (last) {
        return regions;
      }
      from = to + (random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0);
    }
    return regions;
  }

  @Test
  void from_key_isTheFirstRegionThatStartsThereOrBehind() {
    TableLayout layout = TableLayout.of(List.of(region(1, 0, 5), region(2, 5, 9), region(3, 9, 0)));
    assertThat(layout.from(new byte[0]).map(entry -> entry.key().region()))
        .containsExactly(1, 2, 3);
    assertThat(layout.from(new byte[] {5}).map(entry -> entry.key().region()))
        .containsExactly(2, 3);
    assertThat(layout.from(new byte[] {6}).map(entry -> entry.key().region())).containsExactly(3);
    assertThat(layout.from(new byte[] {10})).isEmpty();
  }
}
