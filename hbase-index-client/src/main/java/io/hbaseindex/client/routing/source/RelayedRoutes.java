/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import io.hbaseindex.protocol.IndexRegionProtos.IndexRegionService;
import io.hbaseindex.protocol.IndexRegionProtos.RelayRequest;
import io.hbaseindex.protocol.IndexRegionProtos.RelayResponse;
import io.hbaseindex.protocol.IndexRegionProtos.RelayedQuestion;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;

/**
 * Asks the master through a region of the table, whose server asks in its own name: on a cluster
 * with access control HBase lets only administrators call a master's services, while a region lets
 * everybody ask who may read the table.
 */
final class RelayedRoutes implements RouteSource {
  /** One more than is needed, so that the first call after a region has moved finds it. */
  private static final int ATTEMPTS = 2;

  /** Long enough to meet different regions, whatever the keys look like. */
  private static final int KEY_BYTES = 4;

  private final AsyncConnection connection;
  private final RoutingSettings settings;

  RelayedRoutes(AsyncConnection connection, RoutingSettings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  @Override
  public CompletableFuture<TableDescriptor> descriptor(TableName table) {
    return ask(table, RelayedQuestion.TABLE, ByteString.EMPTY, settings.timeoutMillis())
        .thenApply(
            bytes -> {
              try {
                return TableDescriptorBuilder.parseFrom(bytes.toByteArray());
              } catch (DeserializationException e) {
                throw new CompletionException(e);
              }
            });
  }

  @Override
  public CompletableFuture<Answer> route(TableName table, RoutePredicate predicate) {
    return ask(
            table,
            RelayedQuestion.ROUTE,
            RouteMessages.request(table, predicate).toByteString(),
            settings.timeoutMillis())
        .thenApply(bytes -> RouteMessages.read(parsed(() -> RouteResponse.parseFrom(bytes))));
  }

  @Override
  public CompletableFuture<Filters> filters(
      TableName table, Set<RegionCopy.Version> known, long maxBytes) {
    return ask(
            table,
            RelayedQuestion.FILTERS,
            FilterMessages.request(table, known, maxBytes).toByteString(),
            settings.filtersTimeoutMillis())
        .thenApply(
            bytes -> FilterMessages.read(parsed(() -> FiltersResponse.parseFrom(bytes)), maxBytes));
  }

  private CompletableFuture<ByteString> ask(
      TableName table, RelayedQuestion question, ByteString request, long timeoutMillis) {
    RelayRequest message =
        RelayRequest.newBuilder().setQuestion(question).setRequest(request).build();
    return connection
        .getTableBuilder(table)
        .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setMaxAttempts(ATTEMPTS)
        .build()
        .<IndexRegionService.Stub, RelayResponse>coprocessorService(
            IndexRegionService::newStub,
            (IndexRegionService.Stub stub,
                RpcController controller,
                RpcCallback<RelayResponse> done) -> stub.relay(controller, message, done),
            anyRow())
        .thenApply(RelayResponse::getResponse);
  }

  /** Any region will do; not always the same one, or its server would answer for all. */
  private static byte[] anyRow() {
    byte[] row = new byte[KEY_BYTES];
    ThreadLocalRandom.current().nextBytes(row);
    return row;
  }

  /** Reads a message that the master has sent. */
  private interface Parsing<T> {
    T parse() throws InvalidProtocolBufferException;
  }

  private static <T> T parsed(Parsing<T> message) {
    try {
      return message.parse();
    } catch (InvalidProtocolBufferException e) {
      throw new CompletionException(e);
    }
  }
}
