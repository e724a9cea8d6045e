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
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
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
  private Executor executor = Runnable::run;
  private int late;

  /** What a server does with a call. */
  private interface Server {
    List<Answer> read(List<Scan> parts) throws IOException;
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
        List.of());
  }

  /** Answers calls for as many parts as there are answers. */
  private Server answering(Answer... answers) {
    return parts -> {
      called.add(parts.stream().map(GatheredPartsTest::start).toList());
      return Arrays.asList(answers);
    };
  }

  private Piece.Opener opener(Scan scan, RoutePlan plan, Server server) {
    GatheredParts.Call call =
        new GatheredParts.Call() {
          @Override
          public List<Answer> read(List<Scan> parts) throws IOException {
            return server.read(parts);
          }

          @Override
          public void tookTooLong() {
            late++;
          }
        };
    return GatheredParts.of(
        scan,
        plan,
        (part, ahead) -> ordinary(part),
        new GatheredParts.Means(call, executor, 2, 10));
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
  void partsOfOneServer_comeByOneCall_othersByScans() throws IOException {
    Scan scan = new Scan();
    Piece.Opener opener =
        opener(
            scan, plan(FIRST, SECOND, THIRD), answering(answer(true, "a", "b"), answer(true, "i")));

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("a", "b");
    assertThat(rowsOf(opener.open(partOf(scan, SECOND), true))).containsExactly("by scan");
    assertThat(rowsOf(opener.open(partOf(scan, THIRD), true))).containsExactly("i");

    assertThat(called).containsExactly(List.of("", "h"));
    assertThat(scanned).containsExactly("[d limit -1");
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
  void firstPart_beginsTheCallsOfOtherServers_unlessThereIsALimit() throws IOException {
    RoutePlan plan = plan(FIRST, THIRD, SECOND, part("m", "r", "two"));
    Scan all = new Scan();
    Scan some = new Scan().setLimit(9);

    opener(all, plan, answering()).open(partOf(all, FIRST), false);
    opener(some, plan, answering()).open(partOf(some, FIRST), false);

    assertThat(called).containsExactly(List.of("d", "m"), List.of("", "h"), List.of("", "h"));
  }

  @Test
  void callThatFails_leavesAllPartsToScans() throws IOException {
    Scan scan = new Scan();
    Piece.Opener opener =
        opener(
            scan,
            plan(FIRST, THIRD),
            parts -> {
              throw new IOException("an older server");
            });

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("by scan");
    assertThat(rowsOf(opener.open(partOf(scan, THIRD), false))).containsExactly("by scan");
  }

  @Test
  void interruption_isNoReasonToScan_andTheNextAttemptGoesOn() throws IOException {
    Scan scan = new Scan();
    List<Runnable> begun = new ArrayList<>();
    executor = begun::add;
    Piece.Opener opener =
        opener(scan, plan(FIRST, THIRD), answering(answer(true, "a"), answer(true)));
    Piece piece = opener.open(partOf(scan, FIRST), false);

    Thread.currentThread().interrupt();
    assertThatThrownBy(piece::next).isInstanceOf(InterruptedIOException.class);

    assertThat(Thread.interrupted()).isFalse();
    assertThat(scanned).isEmpty();
    begun.get(0).run();
    assertThat(rowsOf(piece)).containsExactly("a");
  }

  @Test
  void serverThatDoesNotAnswer_isLeftToScans_andItsCallEnds() throws IOException {
    Scan scan = new Scan();
    List<Runnable> begun = new ArrayList<>();
    executor = begun::add;
    Piece.Opener opener = opener(scan, plan(FIRST, THIRD), answering());

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("by scan");
    assertThat(rowsOf(opener.open(partOf(scan, THIRD), true))).containsExactly("by scan");

    assertThat(late).isEqualTo(1);
    assertThat((FutureTask<?>) begun.get(0)).isCancelled();
  }

  @Test
  void withoutAThread_partsAreScanned() throws IOException {
    Scan scan = new Scan();
    executor =
        task -> {
          throw new RejectedExecutionException();
        };
    Piece.Opener opener = opener(scan, plan(FIRST, THIRD), answering());

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("by scan");

    assertThat(called).isEmpty();
  }

  @Test
  void scannerThatIsClosed_endsCallsOfPartsThatWereNeverOpened() throws IOException {
    Scan scan = new Scan();
    List<Runnable> begun = new ArrayList<>();
    executor = begun::add;
    RoutePlan plan = plan(FIRST, THIRD, SECOND, part("m", "r", "two"));
    Piece.Opener opener = opener(scan, plan, answering());
    Piece first = opener.open(partOf(scan, FIRST), false);

    first.close();
    opener.close();

    assertThat(begun).hasSize(2).allMatch(call -> ((FutureTask<?>) call).isCancelled());
  }

  @Test
  void restsOfParts_areBegunWhenTheCallIsThrough() throws IOException {
    Scan scan = new Scan();
    List<Runnable> begun = new ArrayList<>();
    executor = begun::add;
    Piece.Opener opener =
        opener(scan, plan(FIRST, THIRD), answering(answer(false, "a"), answer(false, "i")));
    Piece first = opener.open(partOf(scan, FIRST), false);
    opener.open(partOf(scan, THIRD), true);
    begun.get(0).run();

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
    Piece.Opener opener = opener(scan, plan(unknown, THIRD), answering());

    assertThat(rowsOf(opener.open(partOf(scan, FIRST), false))).containsExactly("by scan");
    assertThat(rowsOf(opener.open(partOf(scan, THIRD), false))).containsExactly("by scan");

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
