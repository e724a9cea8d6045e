/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.hbaseindex.common.table.TableShape;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import io.hbaseindex.protocol.IndexRegionProtos.RelayedQuestion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistriesImpl;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Clients' questions reach the master through a region, a few at a time, about its table only. */
class MasterRelayTest {
  private static final RouteResponse ANSWER =
      RouteResponse.newBuilder().setAnswer(ByteString.copyFromUtf8("answer")).build();

  private final MetricRegistry metrics =
      new MetricRegistriesImpl()
          .create(new MetricRegistryInfo("relay", "relay", "relay", "relay", false));
  private final Master master = new Master();
  private final TableDescriptor people =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("people"))
          .setColumnFamily(
              ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                  .setMaxVersions(3)
                  .build())
          .setValue("secret", "of the administrator")
          .setValue("hbaseindex.index.by_email", "columns=f:email")
          .build();

  @Test
  void route_aboutTheRegionsTable_isAnsweredByTheMaster() throws IOException {
    master.route.complete(ANSWER);

    ByteString answer = relay().answer(RelayedQuestion.ROUTE, question("people"));

    assertThat(RouteResponse.parseFrom(answer)).isEqualTo(ANSWER);
  }

  @Test
  void route_aboutAnotherTable_isRefusedUnasked() {
    assertThatThrownBy(() -> relay().answer(RelayedQuestion.ROUTE, question("salaries")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Cannot ask the master about salaries");
    assertThat(master.asked).isEmpty();
  }

  @Test
  void filters_aboutAnotherTable_areRefusedUnasked() {
    ByteString request =
        FiltersRequest.newBuilder().setTable("salaries").setMaxBytes(1).build().toByteString();

    assertThatThrownBy(() -> relay().answer(RelayedQuestion.FILTERS, request))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Cannot ask the master about salaries");
  }

  @Test
  void filters_largerThanTheServerCanSpare_areAskedForUpToItsLimit() throws IOException {
    ByteString request =
        FiltersRequest.newBuilder()
            .setTable("people")
            .setMaxBytes(Long.MAX_VALUE)
            .build()
            .toByteString();

    relay().answer(RelayedQuestion.FILTERS, request);

    assertThat(master.filters.getMaxBytes()).isEqualTo(TableRelay.MOST_FILTER_BYTES);
  }

  @Test
  void damagedQuestion_isRefused() {
    ByteString garbage = ByteString.copyFrom(new byte[] {1, 2, 3});

    assertThatThrownBy(() -> relay().answer(RelayedQuestion.ROUTE, garbage))
        .isInstanceOf(IOException.class);
    assertThat(master.asked).isEmpty();
  }

  @Test
  void table_tellsWhatRoutingNeedsAndNothingElse() throws Exception {
    ByteString answer = relay().answer(RelayedQuestion.TABLE, ByteString.EMPTY);

    TableDescriptor told = TableDescriptorBuilder.parseFrom(answer.toByteArray());
    assertThat(TableShape.of(told)).isEqualTo(TableShape.of(people));
    assertThat(told.getValue("hbaseindex.index.by_email")).isEqualTo("columns=f:email");
    assertThat(told.getValue("secret")).isNull();
  }

  @Test
  void moreQuestionsThanAllowed_areRefusedAtOnce_andOthersGoOnAfterwards() throws Exception {
    MasterRelay relay =
        new MasterRelay(
            holder -> master, () -> HolderLayout.MASTER, TimeUnit.MINUTES.toNanos(1), metrics());
    List<CompletableFuture<RouteResponse>> waiting = new ArrayList<>();
    master.arrivals = new CountDownLatch(MasterRelay.MOST_AT_ONCE);
    for (int i = 0; i < MasterRelay.MOST_AT_ONCE; i++) {
      waiting.add(inThread(() -> relay.route("t", RouteRequest.getDefaultInstance())));
    }
    assertThat(master.arrivals.await(1, TimeUnit.MINUTES)).isTrue();

    assertThatThrownBy(() -> relay.route("t", RouteRequest.getDefaultInstance()))
        .isInstanceOf(CallQueueTooBigException.class)
        .hasMessageContaining("under way; ask again later");

    master.route.complete(ANSWER);
    for (CompletableFuture<RouteResponse> answer : waiting) {
      assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo(ANSWER);
    }
    assertThat(relay.route("t", RouteRequest.getDefaultInstance())).isEqualTo(ANSWER);
    assertThat(metrics.counter("publishQuestionsRefused").getCount()).isOne();
  }

  @Test
  void masterThatIsBusy_isNoFailure_andMayBeAskedAgain() {
    master.route.completeExceptionally(
        new RetriesExhaustedException("twice", new CallQueueTooBigException("too many")));

    assertThatThrownBy(() -> relay().answer(RelayedQuestion.ROUTE, question("people")))
        .isInstanceOf(CallQueueTooBigException.class)
        .hasMessageContaining("it was busy; ask again later");
  }

  @Test
  void masterThatDoesNotAnswer_isWaitedForNoLongerThanAllowed() {
    MasterRelay relay = new MasterRelay(holder -> master, () -> HolderLayout.MASTER, 1, metrics());

    assertThatThrownBy(() -> relay.route("t", RouteRequest.getDefaultInstance()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("too slow");
  }

  private static <T> CompletableFuture<T> inThread(Callable<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(task.call());
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  private PublishMetrics metrics() {
    return new PublishMetrics(metrics);
  }

  private TableRelay relay() {
    return new TableRelay(
        people,
        new MasterRelay(
            holder -> master, () -> HolderLayout.MASTER, TimeUnit.MINUTES.toNanos(1), metrics()));
  }

  private static ByteString question(String table) {
    RoutePredicate predicate = new RoutePredicate.Element(new IndexCoverage(1, 1, 1, 0), 42);
    byte[] blob = RouteCodec.encode(new RouteCodec.RouteRequest(table, predicate));
    return RouteRequest.newBuilder().setRequest(ByteString.copyFrom(blob)).build().toByteString();
  }

  /** A master whose answer comes when the test says so. */
  private static final class Master implements PushTransport {
    private final CompletableFuture<RouteResponse> route = new CompletableFuture<>();
    private final List<RouteRequest> asked = new ArrayList<>();
    private FiltersRequest filters;
    private CountDownLatch arrivals = new CountDownLatch(0);

    @Override
    public CompletableFuture<PushReply> send(Push push) {
      return CompletableFuture.failedFuture(new IOException("nobody pushes here"));
    }

    @Override
    public synchronized CompletableFuture<RouteResponse> route(RouteRequest request) {
      asked.add(request);
      arrivals.countDown();
      return route;
    }

    @Override
    public CompletableFuture<FiltersResponse> filters(FiltersRequest request) {
      filters = request;
      return CompletableFuture.completedFuture(FiltersResponse.getDefaultInstance());
    }

    @Override
    public void close() {}
  }
}
