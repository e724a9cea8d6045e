/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.plan.RoutePlans;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RouteFiguresTest {
  /** Four regions on two servers. */
  private static final List<HRegionLocation> REGIONS =
      List.of(region("", "d", 1), region("d", "h", 1), region("h", "m", 2), region("m", "", 2));

  @Test
  void everywhere_countsAllRegionsAndServers() {
    RouteFigures route = RouteFigures.everywhere("why", REGIONS, new Scan());

    assertThat(route.unrouted()).hasValue("why");
    assertThat(route.regions()).isEqualTo(4);
    assertThat(route.candidates()).isEqualTo(4);
    assertThat(route.skipped()).isZero();
    assertThat(route.servers()).isEqualTo(2);
    assertThat(route.isPrecise()).isFalse();
  }

  @Test
  void everywhere_scanWithBounds_countsRegionsWithinThem() {
    assertThat(regionsOf(scan("e", true, "f", false))).isEqualTo(1);
    assertThat(regionsOf(scan("e", true, "h", false))).isEqualTo(1);
    assertThat(regionsOf(scan("e", true, "h", true))).isEqualTo(2);
    assertThat(regionsOf(scan("", true, "d", false))).isEqualTo(1);
    assertThat(regionsOf(scan("d", true, "d", true))).isEqualTo(1);
    assertThat(regionsOf(scan("x", false, "", false))).isEqualTo(1);
    assertThat(regionsOf(scan("x", true, "b", true).setReversed(true))).isEqualTo(4);
    assertThat(regionsOf(scan("h", false, "b", true).setReversed(true))).isEqualTo(2);
  }

  @Test
  void of_positiveOpenAndSkipped() {
    RouteFigures route =
        RouteFigures.of(
            answer(
                new Candidate(range("d", "h"), "one", null),
                new Candidate(range("h", "m"), "two", OpenReason.LAPSED)),
            REGIONS,
            new Scan());

    assertThat(route.candidates()).isEqualTo(2);
    assertThat(route.skipped()).isEqualTo(2);
    assertThat(route.positive()).isEqualTo(1);
    assertThat(route.open()).isEqualTo(1);
    assertThat(route.openReasons()).isEqualTo(Map.of("LAPSED", 1));
    assertThat(route.candidateServers()).isEqualTo(2);
    assertThat(route.isPrecise()).isFalse();
  }

  @Test
  void of_severalRegionsOfOneServer_countsEachOfThem() {
    RouteFigures route =
        RouteFigures.of(
            answer(
                new Candidate(range("", "d"), "one", null),
                new Candidate(range("d", "h"), "one", null),
                new Candidate(range("h", ""), "two", OpenReason.ABSENT)),
            REGIONS,
            new Scan());

    assertThat(route.candidates()).isEqualTo(4);
    assertThat(route.positive()).isEqualTo(2);
    assertThat(route.open()).isEqualTo(2);
    assertThat(route.skipped()).isZero();
    assertThat(route.candidateServers()).isEqualTo(2);
  }

  @Test
  void of_allOnOneServer_skipsTheOther() {
    RouteFigures route =
        RouteFigures.of(answer(new Candidate(range("", "d"), "one", null)), REGIONS, new Scan());

    assertThat(route.skippedServers()).isEqualTo(1);
    assertThat(route.isPrecise()).isTrue();
  }

  @Test
  void of_candidatesOutsideTheScansBounds_doNotCount() {
    RouteFigures route =
        RouteFigures.of(
            answer(new Candidate(range("m", ""), "two", OpenReason.ABSENT)),
            REGIONS,
            scan("a", true, "c", true));

    assertThat(route.regions()).isEqualTo(1);
    assertThat(route.candidates()).isZero();
    assertThat(route.openReasons()).isEmpty();
  }

  private static int regionsOf(Scan scan) {
    return RouteFigures.everywhere("", REGIONS, scan).regions();
  }

  private static Scan scan(String start, boolean startIn, String stop, boolean stopIn) {
    return new Scan()
        .withStartRow(Bytes.toBytes(start), startIn)
        .withStopRow(Bytes.toBytes(stop), stopIn);
  }

  private static RoutePlan answer(Candidate... candidates) {
    return RoutePlans.routed(
        TableName.valueOf("t"),
        new RouteAnswer(List.of(candidates), 0, 0, 0),
        0,
        List.of("i(f:a)"));
  }

  private static RowRange range(String start, String end) {
    return new RowRange(Bytes.toBytes(start), Bytes.toBytes(end));
  }

  private static HRegionLocation region(String start, String end, int server) {
    return new HRegionLocation(
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(Bytes.toBytes(start))
            .setEndKey(Bytes.toBytes(end))
            .build(),
        ServerName.valueOf("host" + server, 1, 1));
  }
}
