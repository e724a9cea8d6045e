/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.plan.RoutePlans;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RoutedScannerTest {
  private final Map<String, FakeScanner> regions = new HashMap<>();
  private final List<String> opened = new ArrayList<>();
  private Error nextOpening;

  private RoutedScanner scanner(Scan scan, int parallelism) {
    List<Candidate> candidates =
        List.of(candidate("", "d"), candidate("d", "h"), candidate("h", ""));
    RoutePlan plan =
        RoutePlans.routed(
            TableName.valueOf("t"), new RouteAnswer(candidates, 0, 0, 0), 0, List.of());
    return new RoutedScanner(
        scan,
        () -> CompletableFuture.completedFuture(plan),
        WaitingParts.RegionEnds.UNKNOWN,
        (part, ahead) -> open(part),
        parallelism,
        PieceMetrics.of(scan));
  }

  private static Candidate candidate(String start, String end) {
    return new Candidate(new RowRange(Bytes.toBytes(start), Bytes.toBytes(end)), "server", null);
  }

  private Piece open(Scan part) {
    if (nextOpening != null) {
      Error error = nextOpening;
      nextOpening = null;
      throw error;
    }
    String start = Bytes.toString(part.getStartRow());
    opened.add(start);
    return new Piece.Direct(regions.get(start));
  }

  private static List<String> rest(RoutedScanner scanner) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Result result = scanner.next(); result != null; result = scanner.next()) {
      rows.add(Bytes.toString(result.getRow()));
    }
    return rows;
  }

  @Test
  void partThatCouldNotBeOpened_isNotSkipped() throws IOException {
    regions.put("", FakeScanner.of(FakeScanner.row("a")));
    regions.put("d", FakeScanner.of(FakeScanner.row("e")));
    regions.put("h", FakeScanner.of(FakeScanner.row("i")));
    RoutedScanner scanner = scanner(new Scan(), 1);
    scanner.next();
    nextOpening = new OutOfMemoryError("unable to create native thread");

    assertThatThrownBy(scanner::next).isInstanceOf(OutOfMemoryError.class);

    assertThat(rest(scanner)).containsExactly("e", "i");
  }

  @Test
  void limitReached_lastRowComplete_nobodyIsAskedForMore() throws IOException {
    FakeScanner first = FakeScanner.of(FakeScanner.row("a"), FakeScanner.row("b"));
    FakeScanner second = FakeScanner.of(FakeScanner.row("e"));
    regions.put("", first);
    regions.put("d", second);
    RoutedScanner scanner = scanner(new Scan().setLimit(2), 2);

    assertThat(rest(scanner)).containsExactly("a", "b");

    assertThat(first.asked).isEqualTo(2);
    assertThat(second.asked).isZero();
    assertThat(first.closed).isTrue();
    assertThat(second.closed).isTrue();
    assertThat(opened).containsExactly("", "d");
  }

  @Test
  void limitReached_lastRowMayGoOn_itsRestIsGiven() throws IOException {
    regions.put(
        "",
        FakeScanner.of(
            FakeScanner.row("a", true), FakeScanner.row("a", false), FakeScanner.row("b")));
    regions.put("d", FakeScanner.of());
    RoutedScanner scanner = scanner(new Scan().setLimit(1), 2);

    assertThat(rest(scanner)).containsExactly("a", "a");
  }
}
