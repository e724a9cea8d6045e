/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.scan.GatheredParts.Answer;
import io.hbaseindex.core.route.RowRange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Parts of one server that come by one call, and what happens to those that do not. */
class GatheredPartsTest {
  private static final RoutePlan.Part FIRST = part("", "d", "one");
  private static final RoutePlan.Part SECOND = part("d", "h", "two");
  private static final RoutePlan.Part THIRD = part("h", "m", "one");

  private final List<String> scanned = new ArrayList<>();
  private final List<List<String>> called = new ArrayList<>();
  private int late;

  /** What a server does with a call. */
  private interface Server {
    CompletableFuture<List<Answer>> read(List<Scan> parts);
  }

  private static RoutePlan.Part part(String start, String end, String server) {
    return new RoutePlan.Part(
        new RowRange(Bytes.toBytes(start), Bytes.toBytes(end)),
        Optional.of(server),
        Optional.empty());
  }

  private static RoutePlan plan(RoutePlan.Part... parts) {
    return new RoutePlan(
        TableName.valueOf("t"),
        Optional.empty(),
        Optional.empty(),
        List.of(parts),
        0,
        parts.length,
        0,
        0,
        List.of(),
        false);
  }

  /** Answers calls for as many parts as there are answers. */
  private Server answering(Answer... answers) {
    return parts -> {
      called.add(parts.stream().map(GatheredPartsTest::start).toList());
      return CompletableFuture.completedFuture(Arrays.asList(answers));
    };
  }

  /** Has all calls wait for what a test completes them with. */
  private Server waiting(List<CompletableFuture<List<Answer>>> calls) {
    return parts -> {
      called.add(parts.stream().map(GatheredPartsTest::start).toList());
      CompletableFuture<List<Answer>> call = new CompletableFuture<>();
      calls.add(call);
      return call;
    };
  }

  private Piece.Opener opener(Scan scan, RoutePlan plan, Server server) {
    return gathered(scan, server)
        .map(
            parts -> {
              parts.route(plan);
              return (Piece.Opener) parts;
            })
        .orElse((part, ahead) -> ordinary(part));
  }

  private Optional<GatheredParts> gathered(Scan scan, Server server) {
    GatheredParts.Call call =
        new GatheredParts.Call() {
          @Override
          public CompletableFuture<List<Answer>> read(List<Scan> parts) {
            return server.read(parts);
          }

          @Override
          public void tookTooLong() {
            late++;
          }
        };
    return GatheredParts.of(
        scan, (part, ahead) -> ordinary(part), new GatheredParts.Means(call, 2, 10));
  }

  /** One row, named after its scan. */
  private Piece ordinary(Scan part) {
    scanned.add((part.includeStartRow() ? "[" : "(") + start(part) + " limit " + part.getLimit());
    List<Result> left = new ArrayList<>(List.of(row("by scan")));
    return new Piece() {
      @Override
      public Result next() {
        return left.isEmpty() ? null : left.remove(0);
      }

      @Override
      public boolean renewLease() {
        return true;
      }

      @Override
      public ScanMetrics metrics() {
        return null;
      }

      @Override
      public void close() {
        left.clear();
      }
    };
  }

  private static String start(Scan scan) {
    return Bytes.toString(scan.getStartRow());
  }

  private static Result row(String key) {
    Cell cell =
        CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
            .setRow(Bytes.toBytes(key))
            .setFamily(Bytes.toBytes("f"))
            .setQualifier(Bytes.toBytes("q"))
            .setTimestamp(1)
            .setType(Cell.Type.Put)
            .setValue(new byte[0])
            .build();
    return Result.create(List.of(cell));
  }

  private static Answer answer(boolean complete, String... rows) {
    return new Answer(Arrays.stream(rows).map(GatheredPartsTest::row).toList(), complete);
  }

  private static List<String> rowsOf(Piece piece) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Result next = piece.next(); next != null; next = piece.next()) {
      rows.add(Bytes.toString(next.getRow()));
    }
    return rows;
  }

  private static Scan partOf(Scan scan, RoutePlan.Part part) {
    return ScanBounds.within(scan, part.range()).orElseThrow();
  }

  @Test
  void partsOfOneServer_comeByOneCall() throws IOException {
    Scan scan = new Scan();
    Piece.Opener opener =
        opener(
            scan,
            plan(FIRST, SECOND, THIRD),
            parts ->
                answering(
                        parts.size() == 2
                            ? new Answer[] {answer(true, "a", "b"), answer(true, "i")}
                            : new Answer[] {answer(true, "e")})
                    .read(parts));

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("a", "b");
    assertThat(rowsOf(opener.open(partOf(scan, SECOND), true))).containsExactly("e");
    assertThat(rowsOf(opener.open(partOf(scan, THIRD), true))).containsExactly("i");

    assertThat(called).containsExactly(List.of("", "h"), List.of("d"));
    assertThat(scanned).isEmpty();
  }

  @Test
  void r5_route_takesOfAGuessWhatItNames_andForgetsTheRest() throws IOException {
    Scan scan = new Scan();
    GatheredParts parts =
        gathered(
                scan,
                asked ->
                    answering(
                            asked.stream()
                                .map(part -> answer(true, start(part) + "1"))
                                .toArray(Answer[]::new))
                        .read(asked))
            .orElseThrow();

    assertThat(parts.guess(plan(FIRST, SECOND))).isTrue();
    assertThat(called).containsExactly(List.of(""), List.of("d"));
    parts.route(plan(SECOND, THIRD));

    assertThat(called).as("what was not guessed").last().isEqualTo(List.of("h"));
    assertThat(rowsOf(parts.open(partOf(scan, SECOND), false))).containsExactly("d1");
    assertThat(rowsOf(parts.open(partOf(scan, THIRD), true))).containsExactly("h1");
    assertThat(called).as("nothing is read twice").hasSize(3);
    assertThat(rowsOf(parts.open(partOf(scan, FIRST), false)))
        .as("nobody opens it; if somebody did, its guessed results would be gone")
        .containsExactly("by scan");
  }

  @Test
  void r5_guessedRegion_thatWasSplitSince_isReadAnew() throws IOException {
    Scan scan = new Scan();
    GatheredParts parts = gathered(scan, answering(answer(true, "stale"))).orElseThrow();
    parts.guess(plan(FIRST));
    RoutePlan.Part daughter = part("", "b", "one");

    parts.route(plan(daughter));

    assertThat(called).hasSize(2);
    assertThat(rowsOf(parts.open(partOf(scan, FIRST), false))).containsExactly("by scan");
  }

  @Test
  void r5_boundsThatDifferInWhatTheyInclude_areNotTheSame() throws IOException {
    Scan scan = new Scan().withStopRow(Bytes.toBytes("d"), true);
    GatheredParts parts = gathered(scan, answering(answer(true, "a"))).orElseThrow();
    parts.guess(plan(FIRST)); // up to d, excluded

    parts.route(plan(part("", "h", "one"))); // up to d, included

    assertThat(called).hasSize(2);
  }

  @Test
  void guess_behindTheRouteOrTheEnd_beginsNothing() {
    GatheredParts routed = gathered(new Scan(), answering(answer(true))).orElseThrow();
    GatheredParts closed = gathered(new Scan(), answering(answer(true))).orElseThrow();
    routed.route(plan());
    closed.close();

    assertThat(routed.guess(plan(FIRST))).isFalse();
    assertThat(closed.guess(plan(FIRST))).isFalse();
    closed.route(plan(FIRST));

    assertThat(called).isEmpty();
  }

  @Test
  void guessOfMoreParts_thanAreReadAtOnce_isNotFollowed() {
    GatheredParts parts = gathered(new Scan(), answering()).orElseThrow();

    assertThat(parts.guess(plan(FIRST, SECOND, THIRD))).isFalse();

    assertThat(called).isEmpty();
  }

  @Test
  void answerWithAllRowsThatAreLeftToGive_isEnough() throws IOException {
    Scan scan = new Scan().setLimit(5);
    Piece.Opener opener = opener(scan, plan(FIRST), answering(answer(false, "a", "b")));

    assertThat(rowsOf(opener.open(partOf(scan, FIRST).setLimit(2), false)))
        .containsExactly("a", "b");

    assertThat(scanned).isEmpty();
  }

  @Test
  void answers_comeInAnyCase() {
    Scan scan = new Scan();
    GatheredParts failing =
        gathered(scan, asked -> CompletableFuture.failedFuture(new IOException("older")))
            .orElseThrow();
    failing.route(plan(FIRST));
    GatheredParts silent = gathered(scan, waiting(new ArrayList<>())).orElseThrow();
    silent.route(plan(FIRST));

    assertThat(failing.answer(partOf(scan, FIRST)).orElseThrow().join()).isEqualTo(Answer.NOTHING);
    assertThat(silent.answer(partOf(scan, FIRST)).orElseThrow().join()).isEqualTo(Answer.NOTHING);
    assertThat(late).isEqualTo(1);
    assertThat(failing.answer(partOf(scan, SECOND))).isEmpty();
  }

  @Test
  void partThatIsNotComplete_goesOnBehindItsLastRow_withWhatIsLeftOfTheLimit() throws IOException {
    Scan scan = new Scan().setLimit(5);
    Piece.Opener opener =
        opener(scan, plan(FIRST, THIRD), answering(answer(false, "a", "b"), answer(false)));

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false)))
        .containsExactly("a", "b", "by scan");
    assertThat(rowsOf(opener.open(partOf(scan, THIRD).setLimit(2), true)))
        .containsExactly("by scan");

    assertThat(scanned).containsExactly("(b limit 3", "[h limit 2");
  }

  @Test
  void route_beginsTheCallsOfAllServers_unlessThereIsALimit() {
    RoutePlan plan = plan(FIRST, THIRD, SECOND, part("m", "r", "two"));
    Scan all = new Scan();
    Scan some = new Scan().setLimit(9);

    opener(all, plan, answering());
    opener(some, plan, answering());

    assertThat(called).containsExactly(List.of("", "h"), List.of("d", "m"), List.of("", "h"));
  }

  @Test
  void callThatFails_leavesAllPartsToScans() throws IOException {
    Scan scan = new Scan();
    Piece.Opener opener =
        opener(
            scan,
            plan(FIRST, THIRD),
            parts -> CompletableFuture.failedFuture(new IOException("an older server")));

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("by scan");
    assertThat(rowsOf(opener.open(partOf(scan, THIRD), false))).containsExactly("by scan");
  }

  @Test
  void interruption_isNoReasonToScan_andTheNextAttemptGoesOn() throws IOException {
    Scan scan = new Scan();
    List<CompletableFuture<List<Answer>>> begun = new ArrayList<>();
    Piece.Opener opener = opener(scan, plan(FIRST, THIRD), waiting(begun));
    Piece piece = opener.open(partOf(scan, FIRST), false);

    Thread.currentThread().interrupt();
    assertThatThrownBy(piece::next).isInstanceOf(InterruptedIOException.class);

    assertThat(Thread.interrupted()).isFalse();
    assertThat(scanned).isEmpty();
    begun.get(0).complete(List.of(answer(true, "a"), answer(true)));
    assertThat(rowsOf(piece)).containsExactly("a");
  }

  @Test
  void serverThatDoesNotAnswer_isLeftToScans_andItsCallEnds() throws IOException {
    Scan scan = new Scan();
    List<CompletableFuture<List<Answer>>> begun = new ArrayList<>();
    Piece.Opener opener = opener(scan, plan(FIRST, THIRD), waiting(begun));

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("by scan");
    assertThat(rowsOf(opener.open(partOf(scan, THIRD), true))).containsExactly("by scan");

    assertThat(late).isEqualTo(1);
    assertThat(begun.get(0)).isCancelled();
  }

  @Test
  void scannerThatIsClosed_endsCallsOfPartsThatWereNeverOpened() throws IOException {
    Scan scan = new Scan();
    List<CompletableFuture<List<Answer>>> begun = new ArrayList<>();
    RoutePlan plan = plan(FIRST, THIRD, SECOND, part("m", "r", "two"));
    Piece.Opener opener = opener(scan, plan, waiting(begun));
    Piece first = opener.open(partOf(scan, FIRST), false);

    first.close();
    opener.close();

    assertThat(begun).hasSize(2).allMatch(CompletableFuture::isCancelled);
  }

  @Test
  void restsOfParts_areBegunWhenTheCallIsThrough() throws IOException {
    Scan scan = new Scan();
    List<CompletableFuture<List<Answer>>> begun = new ArrayList<>();
    Piece.Opener opener = opener(scan, plan(FIRST, THIRD), waiting(begun));
    Piece first = opener.open(partOf(scan, FIRST), false);
    opener.open(partOf(scan, THIRD), true);
    begun.get(0).complete(List.of(answer(false, "a"), answer(false, "i")));

    assertThat(first.next()).isNotNull();

    assertThat(scanned).containsExactly("(a limit -1", "(i limit -1");
  }

  @Test
  void limitBelowTheNumberOfParts_doesNotReadMoreThanIsWanted() throws IOException {
    Scan scan = new Scan().setLimit(1);
    Piece.Opener opener = opener(scan, plan(FIRST, THIRD), answering());

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("by scan");

    assertThat(called).isEmpty();
  }

  @Test
  void partsThatNobodyAnnounced_areScanned() throws IOException {
    Scan scan = new Scan();
    RoutePlan.Part unknown =
        new RoutePlan.Part(FIRST.range(), Optional.empty(), Optional.of("absent"));
    Piece.Opener opener = opener(scan, plan(unknown), answering());

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("by scan");

    assertThat(called).isEmpty();
  }

  @Test
  void reversedScan_isOrdinary() throws IOException {
    Scan scan = new Scan().setReversed(true);
    Piece.Opener opener = opener(scan, plan(FIRST, THIRD), answering());

    assertThat(rowsOf(opener.open(new Scan(), false))).containsExactly("by scan");

    assertThat(called).isEmpty();
  }
}
