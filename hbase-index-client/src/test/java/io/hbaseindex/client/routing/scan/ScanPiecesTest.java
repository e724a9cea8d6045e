/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.plan.RoutePlans;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ScanPiecesTest {
  private static Candidate positive(String start, String end) {
    return candidate(start, end, null);
  }

  private static Candidate open(String start, String end) {
    return candidate(start, end, OpenReason.LAPSED);
  }

  private static Candidate candidate(String start, String end, OpenReason open) {
    return new Candidate(new RowRange(Bytes.toBytes(start), Bytes.toBytes(end)), "server", open);
  }

  private static List<String> pieces(Scan scan, Candidate... candidates) {
    RoutePlan plan =
        RoutePlans.routed(TableName.valueOf("t"), new RouteAnswer(List.of(candidates), 0, 0, 0), 0);
    return ScanPieces.of(scan, plan).stream().map(ScanPiecesTest::print).toList();
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
  void openNeighbours_stayTogether() {
    assertThat(
            pieces(
                new Scan(),
                open("", "d"),
                open("d", "h"),
                positive("h", "m"),
                open("m", "r"),
                open("w", "")))
        .containsExactly("[,h)", "[h,m)", "[m,r)", "[w,)");
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
