/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.client.routing.plan.RoutePlans;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class WaitingPartsTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private static Candidate positive(String start, String end) {
    return candidate(start, end, null);
  }

  private static Candidate open(String start, String end) {
    return candidate(start, end, OpenReason.LAPSED);
  }

  private static Candidate candidate(String start, String end, OpenReason open) {
    return new Candidate(range(start, end), "server", open);
  }

  private static RowRange range(String start, String end) {
    return new RowRange(Bytes.toBytes(start), Bytes.toBytes(end));
  }

  private static List<String> pieces(Scan scan, Candidate... candidates) {
    RoutePlan plan =
        RoutePlans.routed(TABLE, new RouteAnswer(List.of(candidates), 0, 0, 0), 0, List.of());
    return pieces(scan, plan, row -> CompletableFuture.failedFuture(new IOException("not asked")));
  }

  private static List<String> pieces(Scan scan, RoutePlan plan, WaitingParts.RegionEnds regions) {
    List<String> pieces = new ArrayList<>();
    for (WaitingParts parts = new WaitingParts(scan, plan, regions); !parts.isEmpty(); ) {
      Scan first = parts.first().join();
      assertThat(parts.first().join()).as("first until it is removed").isSameAs(first);
      pieces.add(print(first));
      parts.removeFirst();
    }
    return pieces;
  }

  /** Regions that end at d, h and m, and the last one. */
  private static CompletableFuture<byte[]> endOf(byte[] row) {
    return CompletableFuture.completedFuture(
        Stream.of("d", "h", "m")
            .map(Bytes::toBytes)
            .filter(end -> Bytes.compareTo(row, end) < 0)
            .findFirst()
            .orElse(new byte[0]));
  }

  private static String print(Scan scan) {
    return (scan.includeStartRow() ? "[" : "(")
        + Bytes.toString(scan.getStartRow())
        + ","
        + Bytes.toString(scan.getStopRow())
        + (scan.includeStopRow() ? "]" : ")");
  }

  @Test
  void positiveNeighbours_arePartsOfTheirOwn() {
    assertThat(pieces(new Scan(), positive("", "d"), positive("d", "h"), positive("r", "")))
        .containsExactly("[,d)", "[d,h)", "[r,)");
  }

  @Test
  void openNeighbours_arePartsOfTheirOwn() {
    assertThat(
            pieces(
                new Scan(),
                open("", "d"),
                open("d", "h"),
                positive("h", "m"),
                open("m", "r"),
                open("w", "")))
        .containsExactly("[,d)", "[d,h)", "[h,m)", "[m,r)", "[w,)");
  }

  @Test
  void everywhere_forWantOfARoute_isCutAtTheRegions() {
    RoutePlan busy = RoutePlans.everywhere(TABLE, UnroutedReason.MASTER_BUSY);

    assertThat(pieces(new Scan(), busy, WaitingPartsTest::endOf))
        .containsExactly("[,d)", "[d,h)", "[h,m)", "[m,)");
    Scan some =
        new Scan().withStartRow(Bytes.toBytes("c"), false).withStopRow(Bytes.toBytes("h"), true);
    assertThat(pieces(some, busy, WaitingPartsTest::endOf))
        .containsExactly("(c,d)", "[d,h)", "[h,h]");
    Scan one = new Scan().withStartRow(Bytes.toBytes("e")).withStopRow(Bytes.toBytes("g"));
    assertThat(pieces(one, busy, WaitingPartsTest::endOf)).containsExactly("[e,g)");
  }

  @Test
  void keysThatNobodyAnnounced_areCutAtTheRegions_andOthersAreNot() {
    RoutePlan plan =
        RoutePlans.routed(
            TABLE,
            new RouteAnswer(
                List.of(
                    new Candidate(range("", "f"), null, OpenReason.ABSENT),
                    open("f", "p"),
                    new Candidate(range("p", ""), null, OpenReason.ABSENT)),
                0,
                0,
                0),
            0,
            List.of());

    assertThat(pieces(new Scan(), plan, WaitingPartsTest::endOf))
        .containsExactly("[,d)", "[d,f)", "[f,p)", "[p,)");
  }

  @Test
  void everywhere_whereNoRouteIsWanted_staysWhole() {
    RoutePlan plan = RoutePlans.everywhere(TABLE, UnroutedReason.NO_VALUE_FIXED);

    assertThat(pieces(new Scan(), plan, WaitingPartsTest::endOf)).containsExactly("[,)");
  }

  @Test
  void everywhere_whereAnIndexServesARange_isCutAtTheRegions() {
    RoutePlan plan = RoutePlans.everywhere(TABLE, UnroutedReason.RANGE_ASKED);

    assertThat(pieces(new Scan(), plan, WaitingPartsTest::endOf)).hasSizeGreaterThan(1);
  }

  @Test
  void boundariesThatCannotBeRead_leaveTheRestWhole() {
    RoutePlan busy = RoutePlans.everywhere(TABLE, UnroutedReason.MASTER_BUSY);

    assertThat(
            pieces(
                new Scan(),
                busy,
                row ->
                    row.length == 0
                        ? endOf(row)
                        : CompletableFuture.failedFuture(new IOException("no meta"))))
        .containsExactly("[,d)", "[d,)");
  }

  @Test
  void boundariesThatMakeNoSense_cutNothing() {
    RoutePlan busy = RoutePlans.everywhere(TABLE, UnroutedReason.MASTER_BUSY);

    assertThat(
            pieces(
                new Scan().withStartRow(Bytes.toBytes("e")),
                busy,
                row -> CompletableFuture.completedFuture(Bytes.toBytes("e"))))
        .containsExactly("[e,)");
  }

  @Test
  void scanBounds_areKept() {
    Scan scan =
        new Scan().withStartRow(Bytes.toBytes("c"), false).withStopRow(Bytes.toBytes("p"), true);

    assertThat(pieces(scan, positive("", "d"), positive("m", "r"), positive("w", "")))
        .containsExactly("(c,d)", "[m,p]");
  }

  @Test
  void scanThatEndsWhereARegionBegins_andIncludesThatRow_readsIt() {
    Scan scan = new Scan().withStopRow(Bytes.toBytes("m"), true);

    assertThat(pieces(scan, positive("h", "m"), positive("m", "r")))
        .containsExactly("[h,m)", "[m,m]");
    assertThat(pieces(new Scan().withStopRow(Bytes.toBytes("m")), positive("m", "r"))).isEmpty();
  }

  @Test
  void scanThatStartsAfterTheFirstRowOfARegion_staysSo() {
    Scan scan = new Scan().withStartRow(Bytes.toBytes("m"), false);

    assertThat(pieces(scan, positive("h", "m"), positive("m", "r"))).containsExactly("(m,r)");
  }

  @Test
  void nothingLeft_hasNoParts() {
    assertThat(pieces(new Scan())).isEmpty();
  }
}
