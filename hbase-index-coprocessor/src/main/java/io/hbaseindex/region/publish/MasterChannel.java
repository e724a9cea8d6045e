package io.hbaseindex.region.publish;

import com.google.protobuf.ByteString;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.publish.Push;
import io.hbaseindex.core.publish.PushReply;
import io.hbaseindex.core.wire.PushCodec;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.PushRequest;
import io.hbaseindex.protocol.IndexMasterProtos.PushResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to the active master of its own, with short timeouts and no retries: a push that
 * does not get through at once is better made anew, with all that has gathered since.
 */
final class MasterChannel implements PushTransport {
  private static final Logger LOG = LoggerFactory.getLogger(MasterChannel.class);

  private final Configuration conf;
  private final long timeoutMillis;
  private CompletableFuture<AsyncConnection> connection;
  private boolean closed;

  /**
   * @param timeoutMillis how long a push may take; its sender counts it as lost well before
   */
  MasterChannel(Configuration server, long timeoutMillis) {
    this.conf = new Configuration(server);
    this.timeoutMillis = timeoutMillis;
    // Whatever clients are told to use, this is a plain connection.
    conf.unset(ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL);
  }

  @Override
  public CompletableFuture<PushReply> send(Push push) {
    byte[] blob = PushCodec.encode(push);
    return connection().thenCompose(master -> call(master, blob)).thenApply(MasterChannel::decode);
  }

  private CompletableFuture<PushResponse> call(AsyncConnection master, byte[] blob) {
    AsyncAdmin admin =
        master
            .getAdminBuilder()
            .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
            .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
            .setMaxAttempts(1)
            .build();
    PushRequest request = PushRequest.newBuilder().setPush(ByteString.copyFrom(blob)).build();
    return admin.coprocessorService(
        IndexMasterService::newStub,
        (IndexMasterService.Stub stub, RpcController controller, RpcCallback<PushResponse> done) ->
            stub.push(controller, request, done));
  }

  private static PushReply decode(PushResponse response) {
    try {
      return PushCodec.decodeReply(response.getReply().toByteArray());
    } catch (MalformedBlobException e) {
      throw new CompletionException(e);
    }
  }

  private synchronized CompletableFuture<AsyncConnection> connection() {
    if (closed) {
      return CompletableFuture.failedFuture(new IOException("Cannot push: the server is stopping"));
    }
    if (connection == null || connection.isCompletedExceptionally()) {
      connection = ConnectionFactory.createAsyncConnection(conf);
    }
    return connection;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (connection != null) {
      connection.thenAccept(
          open -> {
            try {
              open.close();
            } catch (IOException e) {
              LOG.warn("Cannot close the connection to the master", e);
            }
          });
    }
  }
}
