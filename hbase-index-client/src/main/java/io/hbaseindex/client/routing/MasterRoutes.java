package io.hbaseindex.client.routing;

import com.google.protobuf.ByteString;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.publish.RouteAnswer;
import io.hbaseindex.core.publish.RoutePredicate;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the active master for routes. A master that does not answer in time, or not at all, is no
 * error: the caller then scans everything.
 */
final class MasterRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(MasterRoutes.class);

  private final AsyncConnection connection;
  private final long timeoutMillis;

  MasterRoutes(AsyncConnection connection, long timeoutMillis) {
    this.connection = connection;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Where rows may be; empty if the master did not say.
   *
   * @throws AccessDeniedException if the user may not read the table
   */
  Optional<RouteAnswer> route(TableName table, RoutePredicate predicate) throws IOException {
    byte[] request =
        RouteCodec.encode(new RouteCodec.RouteRequest(table.getNameAsString(), predicate));
    CompletableFuture<RouteResponse> call = call(request);
    try {
      byte[] answer = call.get(timeoutMillis, TimeUnit.MILLISECONDS).getAnswer().toByteArray();
      return Optional.of(RouteCodec.decodeAnswer(answer));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AccessDeniedException denied) {
        throw denied;
      }
      LOG.debug("No route for {}; all regions are scanned", table, e);
      return Optional.empty();
    } catch (TimeoutException | MalformedBlobException e) {
      LOG.debug("No route for {}; all regions are scanned", table, e);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Cannot scan " + table + ": interrupted while asking for a route", e);
    }
  }

  private CompletableFuture<RouteResponse> call(byte[] request) {
    AsyncAdmin admin =
        connection
            .getAdminBuilder()
            .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
            .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
            .setMaxAttempts(1)
            .build();
    RouteRequest message =
        RouteRequest.newBuilder().setRequest(ByteString.copyFrom(request)).build();
    return admin.coprocessorService(
        IndexMasterService::newStub,
        (IndexMasterService.Stub stub, RpcController controller, RpcCallback<RouteResponse> done) ->
            stub.route(controller, message, done));
  }
}
