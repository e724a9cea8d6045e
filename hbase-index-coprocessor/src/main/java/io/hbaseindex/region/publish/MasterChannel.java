/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import com.google.protobuf.ByteString;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.common.holders.PriorityControllers;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.core.wire.PushCodec;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.PushRequest;
import io.hbaseindex.protocol.IndexMasterProtos.PushResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * A connection to the active master of its own, with short timeouts and no retries: a push that
 * does not get through at once is better made anew, with all that has gathered since.
 */
final class MasterChannel implements PushTransport {
  private final int holder;
  private final long timeoutMillis;
  private final PublishMetrics metrics;
  private final MasterConnection connection;

  private MasterChannel(
      int holder, MasterConnection connection, long timeoutMillis, PublishMetrics metrics) {
    this.holder = holder;
    this.connection = connection;
    this.timeoutMillis = timeoutMillis;
    this.metrics = metrics;
  }

  /**
   * Makes channels to holders, given their numbers. One connection serves all but the master.
   *
   * @param timeoutMillis how long a push may take; its sender counts it as lost well before
   * @param nanoClock a monotonic clock
   */
  static IntFunction<PushTransport> channels(
      Configuration server, long timeoutMillis, PublishMetrics metrics, LongSupplier nanoClock) {
    MasterConnection toMaster = connection(new Configuration(server), nanoClock);
    MasterConnection toRegions = connection(PriorityControllers.in(server), nanoClock);
    return holder ->
        new MasterChannel(holder, isMaster(holder) ? toMaster : toRegions, timeoutMillis, metrics);
  }

  private static MasterConnection connection(Configuration conf, LongSupplier nanoClock) {
    // Whatever clients are told to use, this is a plain connection.
    conf.unset(ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL);
    return new MasterConnection(() -> ConnectionFactory.createAsyncConnection(conf), nanoClock);
  }

  private static boolean isMaster(int holder) {
    return holder == ShardPlace.MASTER;
  }

  @Override
  public CompletableFuture<PushReply> send(Push push) {
    byte[] blob = PushCodec.encode(push);
    metrics.sent(blob.length);
    return push(blob)
        .thenApply(MasterChannel::decode)
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(named(failure)));
  }

  /** Distinguishes permanent failures, which somebody has to mend, from transient ones. */
  private static Throwable named(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownProtocolException) {
        return new PushRefusedException(
            "Cannot publish filters: the active master has no IndexMasterEndpoint; add it to "
                + CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY
                + " there, or set "
                + IndexSettings.PUBLISH_ENABLED
                + " to false here",
            cause);
      }
      if (cause instanceof AccessDeniedException) {
        return new PushRefusedException(
            "Cannot publish filters: the active master refused this server's user; run all servers"
                + " of the cluster as the same user",
            cause);
      }
    }
    return failure;
  }

  private CompletableFuture<PushResponse> push(byte[] blob) {
    PushRequest request = PushRequest.newBuilder().setPush(ByteString.copyFrom(blob)).build();
    return call((stub, controller, done) -> stub.push(controller, request, done));
  }

  @Override
  public CompletableFuture<RouteResponse> route(RouteRequest request) {
    return call((stub, controller, done) -> stub.route(controller, request, done));
  }

  @Override
  public CompletableFuture<FiltersResponse> filters(FiltersRequest request) {
    return call((stub, controller, done) -> stub.filters(controller, request, done));
  }

  private <T> CompletableFuture<T> call(ServiceCaller<IndexMasterService.Stub, T> method) {
    return connection.call(
        made -> isMaster(holder) ? callMaster(made, method) : callRegion(made, method));
  }

  private <T> CompletableFuture<T> callMaster(
      AsyncConnection made, ServiceCaller<IndexMasterService.Stub, T> method) {
    return made.getAdminBuilder()
        .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setMaxAttempts(1)
        .build()
        .coprocessorService(IndexMasterService::newStub, method);
  }

  private <T> CompletableFuture<T> callRegion(
      AsyncConnection made, ServiceCaller<IndexMasterService.Stub, T> method) {
    return made.getTableBuilder(HoldersTable.NAME)
        .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setMaxAttempts(1)
        .build()
        .coprocessorService(IndexMasterService::newStub, method, HoldersTable.rowOf(holder));
  }

  private static PushReply decode(PushResponse response) {
    if (!response.hasReply()) {
      throw new CompletionException(
          new PushHeldUpException(TimeUnit.MICROSECONDS.toNanos(response.getPauseMicros())));
    }
    try {
      return PushCodec.decodeReply(response.getReply().toByteArray());
    } catch (MalformedBlobException e) {
      throw new CompletionException(e);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
