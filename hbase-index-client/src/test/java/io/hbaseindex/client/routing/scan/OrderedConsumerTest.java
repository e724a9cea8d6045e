/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.client.routing.plan.RoutePlans;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class OrderedConsumerTest {
  private static final TableName TABLE = TableName.valueOf("t");

  /** What the user's consumer was told, in order. */
  private final List<String> told = new ArrayList<>();

  /** The parts that were scanned, each with who receives it. */
  private final List<Scan> scanned = new ArrayList<>();

  private final List<AdvancedScanResultConsumer> parts = new ArrayList<>();
  private final Scripted controller = new Scripted();
  private Consumer<AdvancedScanResultConsumer.ScanController> reaction = at -> {};
  private Throwable refusal;
  private final Configuration conf = new Configuration(false);
  private ScanMetrics shown;
  private int parallelism = 1;

  private OrderedConsumer start(Scan scan, String... ranges) {
    return start(scan, plan(ranges));
  }

  private OrderedConsumer start(Scan scan, RoutePlan plan) {
    OrderedConsumer ordered =
        new OrderedConsumer(
            table(), scan, new Telling(), OrderedConsumerTest::endOfRegion, parallelism);
    ordered.start(plan);
    return ordered;
  }

  /** Regions of the table begin at b, d, f and so on. */
  private static CompletableFuture<byte[]> endOfRegion(byte[] row) {
    int first = row.length == 0 ? 'a' - 1 : row[0];
    return CompletableFuture.completedFuture(
        first >= 'h' ? new byte[0] : new byte[] {(byte) (first + 2 - (first % 2))});
  }

  /** A plan of regions of their own, each given as "start-end". */
  private static RoutePlan plan(String... ranges) {
    List<Candidate> candidates =
        Stream.of(ranges)
            .map(range -> range.split("-"))
            .map(ends -> new RowRange(Bytes.toBytes(ends[0]), Bytes.toBytes(ends[1])))
            .map(range -> new Candidate(range, "server", null))
            .toList();
    return RoutePlans.routed(
        TABLE, new RouteAnswer(candidates, 0, candidates.size(), 0), 0, List.of());
  }

  private static Result row(String key) {
    return Result.create(cells(key));
  }

  private static Result beginningOf(String key) {
    return Result.create(cells(key), null, false, true);
  }

  private static List<Cell> cells(String key) {
    return List.of(
        new KeyValue(
            Bytes.toBytes(key), Bytes.toBytes("f"), Bytes.toBytes("q"), Bytes.toBytes("v")));
  }

  private void give(int part, Result... results) {
    parts.get(part).onNext(results, controller);
  }

  @Test
  void parts_areScannedOneAfterAnother_andTheEndIsToldOnce() {
    start(new Scan(), "b-d", "f-h");
    assertThat(scanned).hasSize(1);
    assertThat(Bytes.toString(scanned.get(0).getStartRow())).isEqualTo("b");

    give(0, row("b1"), row("b2"));
    parts.get(0).onComplete();
    assertThat(scanned).hasSize(2);
    assertThat(Bytes.toString(scanned.get(1).getStartRow())).isEqualTo("f");
    give(1, row("f1"));
    assertThat(told).containsExactly("next b1 b2", "next f1");

    parts.get(1).onComplete();
    assertThat(told).containsExactly("next b1 b2", "next f1", "end");
    assertThat(scanned).hasSize(2);
  }

  @Test
  void planWithoutParts_endsAtOnce() {
    start(new Scan());

    assertThat(told).containsExactly("end");
    assertThat(scanned).isEmpty();
  }

  @Test
  void consumerThatHasEnough_endsThePartAndAllAfterIt() {
    start(new Scan(), "b-d", "f-h");
    reaction = AdvancedScanResultConsumer.ScanController::terminate;

    give(0, row("b1"));
    assertThat(controller.calls).containsExactly("terminate");
    parts.get(0).onComplete();

    assertThat(scanned).hasSize(1);
    assertThat(told).containsExactly("next b1", "end");
  }

  @Test
  void consumerThatHasEnoughAtAHeartbeat_endsAllLikewise() {
    start(new Scan(), "b-d", "f-h");
    reaction = AdvancedScanResultConsumer.ScanController::terminate;

    parts.get(0).onHeartbeat(controller);
    parts.get(0).onComplete();

    assertThat(controller.calls).containsExactly("terminate");
    assertThat(scanned).hasSize(1);
    assertThat(told).containsExactly("heartbeat", "end");
  }

  @Test
  void consumerThatSuspends_isToldNothing_untilItResumes() {
    start(new Scan(), "b-d");
    List<AdvancedScanResultConsumer.ScanResumer> resumers = new ArrayList<>();
    reaction = at -> resumers.add(at.suspend());

    give(0, row("b1"));
    give(0, row("b2"));
    parts.get(0).onComplete();
    assertThat(told).containsExactly("next b1");
    resumers.get(0).resume();
    assertThat(told).containsExactly("next b1", "next b2");
    resumers.get(0).resume();
    assertThat(told).as("resumed before").containsExactly("next b1", "next b2");

    resumers.get(1).resume();
    assertThat(told).containsExactly("next b1", "next b2", "end");
  }

  @Test
  void consumerThatResumesWhileItIsCalled_isToldOn() {
    start(new Scan(), "b-d");
    reaction = at -> at.suspend().resume();

    give(0, row("b1"));
    give(0, row("b2"));
    parts.get(0).onComplete();

    assertThat(told).containsExactly("next b1", "next b2", "end");
  }

  @Test
  void controller_takesOneThing_whileItsCallLasts() {
    start(new Scan(), "b-d");
    List<AdvancedScanResultConsumer.ScanController> controllers = new ArrayList<>();
    reaction =
        at -> {
          controllers.add(at);
          at.suspend();
          assertThatThrownBy(at::terminate).isInstanceOf(IllegalStateException.class);
        };

    give(0, row("b1"));

    assertThatThrownBy(controllers.get(0)::suspend).isInstanceOf(IllegalStateException.class);
    assertThat(told).containsExactly("next b1");
  }

  @Test
  void cursor_isThatOfThePart_ifTheScanAsksForIt() {
    start(new Scan().setNeedCursorResult(true), "b-d");
    List<Optional<Cursor>> cursors = new ArrayList<>();
    reaction = at -> cursors.add(at.cursor());

    parts.get(0).onHeartbeat(controller);

    assertThat(cursors).containsExactly(controller.cursor);
    assertThat(controller.calls).containsExactly("cursor");
  }

  // ---- several parts at a time ----

  @Test
  void severalParts_areReadAtATime_andGivenInOrder() {
    parallelism = 2;
    start(new Scan(), "b-d", "f-h", "j-l");
    assertThat(scanned).as("begun at once").hasSize(2);

    give(1, row("f1"));
    parts.get(1).onHeartbeat(controller);
    parts.get(1).onComplete();
    assertThat(told).as("the part before has not ended").isEmpty();
    give(0, row("b1"));
    assertThat(told).containsExactly("next b1");
    parts.get(0).onComplete();
    assertThat(told).containsExactly("next b1", "next f1", "heartbeat");
    assertThat(scanned).hasSize(3);

    give(2, row("j1"));
    parts.get(2).onComplete();
    assertThat(told).containsExactly("next b1", "next f1", "heartbeat", "next j1", "end");
  }

  @Test
  void heartbeatsInARow_ofAPartThatWaits_areToldOnce() {
    parallelism = 2;
    start(new Scan(), "b-d", "f-h");

    parts.get(1).onHeartbeat(controller);
    parts.get(1).onHeartbeat(controller);
    parts.get(0).onComplete();

    assertThat(told).containsExactly("heartbeat");
  }

  @Test
  void errorOfALaterPart_isToldWhenItsTurnComes() {
    parallelism = 2;
    start(new Scan(), "b-d", "f-h");

    give(1, row("f1"));
    parts.get(1).onError(new IOException("gone"));
    assertThat(told).isEmpty();
    give(0, row("b1"));
    parts.get(0).onComplete();

    assertThat(told).containsExactly("next b1", "next f1", "error gone");
  }

  @Test
  void limit_boundsThePartsAtATime_andWhatIsGiven() {
    parallelism = 3;
    start(new Scan().setLimit(2), "b-d", "f-h", "j-l");
    assertThat(scanned).as("no more parts than rows are wanted").hasSize(2);
    assertThat(scanned).allMatch(part -> part.getLimit() == 2);

    give(1, row("f1"), row("f2"));
    give(0, row("b1"));
    parts.get(0).onComplete();

    assertThat(told).containsExactly("next b1", "next f1", "end");
    assertThat(scanned).hasSize(2);
  }

  @Test
  void consumerThatHasEnough_endsWhatIsReadAhead() {
    parallelism = 2;
    start(new Scan(), "b-d", "f-h");
    reaction = AdvancedScanResultConsumer.ScanController::terminate;

    give(0, row("b1"));
    assertThat(told).containsExactly("next b1", "end");
    assertThat(controller.calls).containsExactly("terminate");
    Scripted ahead = new Scripted();
    parts.get(1).onNext(new Result[] {row("f1")}, ahead);

    assertThat(ahead.calls).containsExactly("terminate");
    assertThat(told).containsExactly("next b1", "end");
  }

  @Test
  void partThatWaitsWithMuch_isSuspended_untilHalfOfItIsTaken() {
    parallelism = 2;
    long one = Result.getTotalSizeOfCells(row("f1"));
    start(new Scan().setMaxResultSize(one), "b-d", "f-h"); // room for two such answers
    Scripted second = new Scripted();

    give(1, row("f1"));
    assertThat(controller.calls).isEmpty();
    parts.get(1).onNext(new Result[] {row("f2")}, second);
    assertThat(second.calls).containsExactly("suspend");

    parts.get(0).onComplete();
    assertThat(told).containsExactly("next f1", "next f2");
    assertThat(second.resumed).isEqualTo(1);
  }

  /** Whoever sets the size of answers to nothing means that there is no bound. */
  @Test
  void partWithoutRoom_isNeverLeftSuspended_withNothingToSay() {
    parallelism = 2;
    conf.setLong(HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY, -1);
    start(new Scan(), "b-d", "f-h");
    give(0, row("b1"));
    assertThat(controller.calls).isEmpty();

    Scripted second = new Scripted();
    parts.get(1).onNext(new Result[] {row("f1")}, second);
    parts.get(0).onComplete();
    assertThat(told).containsExactly("next b1", "next f1");
    assertThat(second.resumed).isEqualTo(second.calls.size());
  }

  /** What HBase throws when a part is to go on must not leave the consumer without an end. */
  @Test
  void partThatCannotGoOn_isAnErrorOfTheScan() {
    parallelism = 2;
    start(new Scan().setMaxResultSize(1), "b-d", "f-h");
    Scripted second = new Scripted();
    second.refusal = new IllegalStateException("closed");
    parts.get(1).onNext(new Result[] {row("f1")}, second);
    assertThat(second.calls).containsExactly("suspend");

    parts.get(0).onComplete();
    assertThat(told).containsExactly("error closed");
  }

  @Test
  void partThatCannotBeEnded_doesNotKeepTheEndFromTheConsumer() {
    parallelism = 2;
    start(new Scan().setMaxResultSize(1), "b-d", "f-h");
    Scripted second = new Scripted();
    second.refusal = new IllegalStateException("closed");
    parts.get(1).onNext(new Result[] {row("f1")}, second);

    parts.get(0).onError(new IOException("gone"));
    assertThat(told).containsExactly("error gone");
  }

  @Test
  void suspendedPart_thatNobodyWantsAnyMore_isNotLeftSuspended() {
    parallelism = 2;
    start(new Scan().setMaxResultSize(1), "b-d", "f-h");
    Scripted second = new Scripted();
    parts.get(1).onNext(new Result[] {row("f1")}, second);
    assertThat(second.calls).containsExactly("suspend");

    parts.get(0).onError(new IOException("gone"));

    assertThat(told).containsExactly("error gone");
    assertThat(second.resumed).isEqualTo(1);
  }

  @Test
  void keysThatNobodyKnowsTheRegionsOf_areCutAtRegions() {
    parallelism = 3;
    start(
        new Scan().withStopRow(Bytes.toBytes("g")),
        RoutePlans.everywhere(TABLE, UnroutedReason.MASTER_SLOW));

    assertThat(scanned)
        .extracting(part -> Bytes.toString(part.getStartRow()))
        .containsExactly("", "b", "d");
    parts.get(0).onComplete();
    assertThat(scanned).hasSize(4);
    assertThat(Bytes.toString(scanned.get(3).getStopRow())).isEqualTo("g");
    parts.subList(1, 4).forEach(AdvancedScanResultConsumer::onComplete);
    assertThat(told).containsExactly("end");
  }

  @Test
  void error_isToldOnce_andEndsTheScan() {
    start(new Scan(), "b-d", "f-h");

    parts.get(0).onError(new IOException("gone"));
    assertThat(told).containsExactly("error gone");
    parts.get(0).onError(new IOException("again"));
    assertThat(told).containsExactly("error gone");
    assertThat(scanned).hasSize(1);
  }

  @Test
  void errorAfterTheEnd_isNotTold() {
    OrderedConsumer ordered = start(new Scan());

    ordered.fail(new IOException("late"));

    assertThat(told).containsExactly("end");
  }

  @Test
  void endAfterAnError_isNotTold() {
    start(new Scan(), "b-d");
    parts.get(0).onError(new IOException("gone"));

    parts.get(0).onComplete();

    assertThat(told).containsExactly("error gone");
  }

  @Test
  void partThatCannotBeBegun_isAnError() {
    refusal = new IllegalStateException("closed");

    start(new Scan(), "b-d", "f-h");

    assertThat(told).containsExactly("error closed");
  }

  @Test
  void partThatCannotBeBegunForAnError_isAnErrorOfTheScan() {
    refusal = new AssertionError("broken");

    start(new Scan(), "b-d", "f-h");

    assertThat(told).containsExactly("error broken");
  }

  @Test
  void laterPartThatCannotBeBegunForAnError_isAnErrorOfTheScan() {
    start(new Scan(), "b-d", "f-h");
    refusal = new AssertionError("broken");

    parts.get(0).onComplete();

    assertThat(told).containsExactly("error broken");
  }

  @Test
  void consumerThatThrows_isToldSo_andTheScanIsOver() {
    start(new Scan(), "b-d", "f-h");
    reaction =
        at -> {
          throw new IllegalStateException("consumer's own");
        };

    give(0, row("b1"));
    assertThat(told).containsExactly("next b1", "error consumer's own");
    assertThat(controller.calls).containsExactly("terminate");
    parts.get(0).onComplete();

    assertThat(scanned).hasSize(1);
    assertThat(told).containsExactly("next b1", "error consumer's own");
  }

  @Test
  void consumerThatThrowsAtAHeartbeat_afterItHadEnough_isToldSo() {
    start(new Scan(), "b-d", "f-h");
    reaction =
        at -> {
          at.terminate();
          throw new AssertionError("consumer's own");
        };

    parts.get(0).onHeartbeat(controller);
    parts.get(0).onComplete();

    assertThat(told).containsExactly("heartbeat", "error consumer's own");
    assertThat(scanned).hasSize(1);
  }

  @Test
  void limit_isWhatIsLeftOfIt_andEndsTheScanWhenReached() {
    start(new Scan().setLimit(3), "b-d", "f-h", "j-l");
    assertThat(scanned.get(0).getLimit()).isEqualTo(3);

    give(0, row("b1"), row("b2"));
    parts.get(0).onComplete();
    assertThat(scanned.get(1).getLimit()).isEqualTo(1);
    give(1, row("f1"));
    parts.get(1).onComplete();

    assertThat(scanned).hasSize(2);
    assertThat(told).containsExactly("next b1 b2", "next f1", "end");
  }

  @Test
  void rowInSeveralResults_countsOnce_andNotOnIntoTheNextPart() {
    start(new Scan().setLimit(3), "b-d", "f-h");

    give(0, beginningOf("b1"));
    give(0, row("b1"));
    parts.get(0).onComplete();

    assertThat(scanned.get(1).getLimit()).isEqualTo(2);
  }

  @Test
  void figures_areOneSetForAllParts_gatheredWheneverAPartSpeaks() {
    start(new Scan().setScanMetricsEnabled(true), "b-d", "f-h");
    assertThat(shown).as("shown before the first result").isNotNull();
    ScanMetrics first = new ScanMetrics();
    parts.get(0).onScanMetricsCreated(first);

    first.countOfRPCcalls.addAndGet(1);
    give(0, row("b1"));
    assertThat(shown.countOfRPCcalls.get()).isEqualTo(1);
    first.countOfRPCcalls.addAndGet(2);
    parts.get(0).onHeartbeat(controller);
    assertThat(shown.countOfRPCcalls.get()).isEqualTo(3);
    first.countOfRPCcalls.addAndGet(4);
    parts.get(0).onComplete();
    assertThat(shown.countOfRPCcalls.get()).isEqualTo(7);

    ScanMetrics second = new ScanMetrics();
    parts.get(1).onScanMetricsCreated(second);
    second.countOfRPCcalls.addAndGet(8);
    parts.get(1).onError(new IOException("gone"));
    assertThat(shown.countOfRPCcalls.get()).isEqualTo(15);
  }

  @Test
  void figuresThatNobodyAskedFor_areNotShown() {
    start(new Scan(), "b-d");
    assertThat(shown).isNull();
  }

  @SuppressWarnings("unchecked")
  private AsyncTable<AdvancedScanResultConsumer> table() {
    return (AsyncTable<AdvancedScanResultConsumer>)
        Proxy.newProxyInstance(
            AsyncTable.class.getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getName")) {
                return TABLE;
              }
              if (method.getName().equals("getConfiguration")) {
                return conf;
              }
              assertThat(method.getName()).isEqualTo("scan");
              if (refusal != null) {
                throw refusal;
              }
              scanned.add((Scan) arguments[0]);
              parts.add((AdvancedScanResultConsumer) arguments[1]);
              return null;
            });
  }

  /** The user's consumer. */
  private final class Telling implements AdvancedScanResultConsumer {
    @Override
    public void onScanMetricsCreated(ScanMetrics metrics) {
      shown = metrics;
    }

    @Override
    public void onNext(Result[] results, ScanController at) {
      StringBuilder text = new StringBuilder("next");
      for (Result result : results) {
        text.append(' ').append(Bytes.toString(result.getRow()));
      }
      told.add(text.toString());
      reaction.accept(at);
    }

    @Override
    public void onHeartbeat(ScanController at) {
      told.add("heartbeat");
      reaction.accept(at);
    }

    @Override
    public void onError(Throwable error) {
      told.add("error " + error.getMessage());
    }

    @Override
    public void onComplete() {
      told.add("end");
    }
  }

  /** HBase's controller of a part. */
  private static final class Scripted implements AdvancedScanResultConsumer.ScanController {
    private final List<String> calls = new ArrayList<>();
    private final Optional<Cursor> cursor = Optional.empty();
    private int resumed;
    private RuntimeException refusal;

    @Override
    public AdvancedScanResultConsumer.ScanResumer suspend() {
      calls.add("suspend");
      return () -> {
        resumed++;
        if (refusal != null) {
          throw refusal;
        }
      };
    }

    @Override
    public void terminate() {
      if (calls.contains("terminate")) {
        throw new IllegalStateException("HBase's controller is told once");
      }
      calls.add("terminate");
    }

    @Override
    public Optional<Cursor> cursor() {
      calls.add("cursor");
      return cursor;
    }
  }
}
