/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.RpcChannel;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import io.hbaseindex.protocol.IndexRegionProtos.RelayRequest;
import io.hbaseindex.protocol.IndexRegionProtos.RelayResponse;
import io.hbaseindex.protocol.IndexRegionProtos.RelayedQuestion;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RelayedRoutesTest {
  private static final TableName TABLE = TableName.valueOf("people");
  private static final long TIMEOUT_MILLIS = 1_234;
  private static final long FILTERS_TIMEOUT_MILLIS = 56_789;

  /** What the builder of the table was told, and which table and row were asked. */
  private final Map<String, Object> built = new TreeMap<>();

  private final Map<String, Integer> rows = new TreeMap<>();
  private List<String> startKeys = List.of("");
  private int boundariesRead;
  private IOException boundariesFailure;
  private long now;
  private RelayRequest sent;
  private ByteString answer = ByteString.EMPTY;
  private IOException failure;
  private final RelayedRoutes routes =
      new RelayedRoutes(
          MasterConnection.beginningWith(
              fake(AsyncConnection.class, this::connection),
              () -> CompletableFuture.failedFuture(new IOException("no other")),
              () -> 0),
          new RouteTime(settings(), () -> now),
          () -> now);

  private static RoutingSettings settings() {
    Configuration conf = new Configuration(false);
    conf.setLong(RoutingSettings.TIMEOUT_MS, TIMEOUT_MILLIS);
    conf.setLong(RoutingSettings.FIRST_TIMEOUT_MS, 0);
    conf.setLong(RoutingSettings.FILTERS_TIMEOUT_MS, FILTERS_TIMEOUT_MILLIS);
    return RoutingSettings.of(conf);
  }

  @Test
  void descriptor_isAskedForWithoutAMessage_andRead() {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    answer = ByteString.copyFrom(TableDescriptorBuilder.toByteArray(table));

    assertThat(routes.ask(new RouteQuestion.Descriptor(TABLE)).join()).isEqualTo(table);
    assertThat(sent.getQuestion()).isEqualTo(RelayedQuestion.TABLE);
    assertThat(sent.getRequest().isEmpty()).isTrue();
    assertThat(built)
        .containsEntry("table", TABLE)
        .containsEntry("setRpcTimeout", TIMEOUT_MILLIS)
        .containsEntry("setOperationTimeout", TIMEOUT_MILLIS)
        .containsEntry("setMaxAttempts", 2);
  }

  @Test
  void route_isAskedForByItsPredicate_andRead() throws Exception {
    RoutePredicate predicate = new RoutePredicate.Element(new IndexCoverage(3, 1, 7, 0), 42);
    answer =
        RouteResponse.newBuilder()
            .setAnswer(ByteString.copyFrom(RouteCodec.encode(RouteAnswer.unknownTable())))
            .setShape(99)
            .setCellsMayHide(true)
            .build()
            .toByteString();

    RouteReply reply = routes.ask(new RouteQuestion.Route(TABLE, predicate)).join();

    assertThat(reply.route()).isEqualTo(RouteAnswer.unknownTable());
    assertThat(reply.shape()).hasValue(99);
    assertThat(reply.cellsMayHide()).isTrue();
    assertThat(sent.getQuestion()).isEqualTo(RelayedQuestion.ROUTE);
    assertThat(
            RouteCodec.decodeRequest(
                RouteRequest.parseFrom(sent.getRequest()).getRequest().toByteArray()))
        .isEqualTo(new RouteCodec.RouteRequest("people", predicate));
    assertThat(built).containsEntry("setRpcTimeout", TIMEOUT_MILLIS);
  }

  @Test
  void filters_mayTakeTheirOwnTime() throws Exception {
    answer = FiltersResponse.newBuilder().setComplete(true).setShape(5).build().toByteString();

    FiltersReply reply = routes.ask(new RouteQuestion.Filters(TABLE, Set.of(), 1_000)).join();

    assertThat(reply.complete()).isTrue();
    assertThat(reply.shape()).hasValue(5);
    assertThat(sent.getQuestion()).isEqualTo(RelayedQuestion.FILTERS);
    assertThat(FiltersRequest.parseFrom(sent.getRequest()).getMaxBytes()).isEqualTo(1_000);
    assertThat(built)
        .containsEntry("setRpcTimeout", FILTERS_TIMEOUT_MILLIS)
        .containsEntry("setOperationTimeout", FILTERS_TIMEOUT_MILLIS);
  }

  @Test
  void regions_areAskedEquallyOften_howeverCloseTheirKeys() {
    startKeys = List.of("", "user1000", "user1001", "user1002", "user1003");

    ask(5_000);

    assertThat(rows).containsOnlyKeys(startKeys);
    assertThat(rows.values()).allMatch(asked -> asked > 800 && asked < 1_200);
    assertThat(boundariesRead).isOne();
  }

  @Test
  void boundaries_areReadAgainAfterAWhile() {
    ask(1);
    startKeys = List.of("", "m");
    now = TimeUnit.MINUTES.toNanos(10) - 1;
    ask(100);
    assertThat(rows).containsOnlyKeys("");

    now++;
    ask(100);
    assertThat(rows).containsOnlyKeys("", "m");
    assertThat(boundariesRead).isEqualTo(2);
  }

  @Test
  void boundariesThatCannotBeRead_leaveTheFirstRegion_andAreReadNextTime() {
    startKeys = List.of("", "m");
    boundariesFailure = new IOException("no meta");
    ask(10);
    assertThat(rows).containsOnlyKeys("");

    boundariesFailure = null;
    ask(100);
    assertThat(rows).containsOnlyKeys("", "m");
  }

  private void ask(int times) {
    answer =
        ByteString.copyFrom(
            TableDescriptorBuilder.toByteArray(TableDescriptorBuilder.newBuilder(TABLE).build()));
    for (int i = 0; i < times; i++) {
      routes.ask(new RouteQuestion.Descriptor(TABLE)).join();
    }
  }

  @Test
  void failureOfTheRegion_isTheAnswers() {
    failure = new IOException("not served");

    assertThatThrownBy(() -> routes.ask(new RouteQuestion.Descriptor(TABLE)).join())
        .hasRootCause(failure);
  }

  @Test
  void answerThatCannotBeRead_isAnError() {
    answer = ByteString.copyFrom(Bytes.toBytes("garbage"));

    assertThat(routes.ask(new RouteQuestion.Descriptor(TABLE))).isCompletedExceptionally();
    assertThat(routes.ask(new RouteQuestion.Filters(TABLE, Set.of(), 1)))
        .isCompletedExceptionally();
    answer =
        RouteResponse.newBuilder()
            .setAnswer(ByteString.copyFrom(Bytes.toBytes("garbage")))
            .build()
            .toByteString();
    assertThat(
            routes.ask(
                new RouteQuestion.Route(
                    TABLE, new RoutePredicate.Element(new IndexCoverage(3, 1, 7, 0), 42))))
        .isCompletedExceptionally();
  }

  private Object connection(String method, Object[] arguments) {
    if (method.equals("getRegionLocator")) {
      assertThat(arguments).containsExactly(TABLE);
      return fake(AsyncTableRegionLocator.class, this::locator);
    }
    assertThat(method).isEqualTo("getTableBuilder");
    built.put("table", arguments[0]);
    AsyncTableBuilder<?>[] builder = new AsyncTableBuilder<?>[1];
    builder[0] =
        fake(
            AsyncTableBuilder.class,
            (name, values) -> {
              if (name.equals("build")) {
                return fake(AsyncTable.class, this::table);
              }
              boolean time = values.length == 2;
              built.put(name, time ? ((TimeUnit) values[1]).toMillis((Long) values[0]) : values[0]);
              return builder[0];
            });
    return builder[0];
  }

  private Object locator(String method, Object[] arguments) {
    assertThat(method).isEqualTo("getStartKeys");
    boundariesRead++;
    return boundariesFailure == null
        ? CompletableFuture.completedFuture(startKeys.stream().map(Bytes::toBytes).toList())
        : CompletableFuture.failedFuture(boundariesFailure);
  }

  // The types of a generic method's arguments.
  @SuppressWarnings("unchecked")
  private Object table(String method, Object[] arguments) {
    assertThat(method).isEqualTo("coprocessorService");
    rows.merge(Bytes.toStringBinary((byte[]) arguments[2]), 1, Integer::sum);
    if (failure != null) {
      return CompletableFuture.failedFuture(failure);
    }
    CompletableFuture<Object> relayed = new CompletableFuture<>();
    RpcChannel channel =
        (called, controller, request, prototype, done) -> {
          sent = (RelayRequest) request;
          done.run(RelayResponse.newBuilder().setResponse(answer).build());
        };
    Object stub = ((Function<RpcChannel, Object>) arguments[0]).apply(channel);
    ((ServiceCaller<Object, Object>) arguments[1]).call(stub, null, relayed::complete);
    return relayed;
  }

  /** What a fake does when it is called. */
  private interface Doing {
    Object call(String method, Object[] arguments) throws Exception;
  }

  private static <T> T fake(Class<T> type, Doing doing) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> doing.call(method.getName(), arguments)));
  }
}
