/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import com.google.protobuf.ByteString;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.protocol.IndexRegionProtos.IndexRegionService;
import io.hbaseindex.protocol.IndexRegionProtos.RelayRequest;
import io.hbaseindex.protocol.IndexRegionProtos.RelayResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.AsyncConnection;

/**
 * Asks the master through a region of the table, whose server asks in its own name: on a cluster
 * with access control HBase lets only administrators call a master's services, while a region lets
 * everybody ask who may read the table.
 */
final class RelayedRoutes implements RouteSource {
  /** One more than is needed, so that the first call after a region has moved finds it. */
  private static final int ATTEMPTS = 2;

  private final MasterConnection connection;
  private final RouteTime time;

  /** Any region will do; not always the same one, or its server would answer for all. */
  private final SpreadRows rows;

  RelayedRoutes(MasterConnection connection, RouteTime time, LongSupplier nanoClock) {
    this.connection = connection;
    this.time = time;
    this.rows = new SpreadRows(nanoClock);
  }

  @Override
  public <T> CompletableFuture<T> ask(RouteQuestion<T> question) {
    return connection
        .call(
            made ->
                rows.pick(made, question.table()).thenCompose(row -> relay(made, question, row)))
        .thenApply(answer -> read(question, answer));
  }

  private CompletableFuture<ByteString> relay(
      AsyncConnection made, RouteQuestion<?> question, byte[] row) {
    RelayRequest message =
        RelayRequest.newBuilder()
            .setQuestion(question.relayed())
            .setRequest(question.request())
            .build();
    long timeoutMillis = time.millis(question);
    return made.getTableBuilder(question.table())
        .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setMaxAttempts(ATTEMPTS)
        .build()
        .<IndexRegionService.Stub, RelayResponse>coprocessorService(
            IndexRegionService::newStub,
            (IndexRegionService.Stub stub,
                RpcController controller,
                RpcCallback<RelayResponse> done) -> stub.relay(controller, message, done),
            row)
        .thenApply(RelayResponse::getResponse);
  }

  private static <T> T read(RouteQuestion<T> question, ByteString answer) {
    try {
      return question.read(answer);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }
}
