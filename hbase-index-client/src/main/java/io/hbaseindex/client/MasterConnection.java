/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;

/**
 * The connection through which the master is asked for routes, made when the first scan needs one.
 * It is not the user's own: HBase's synchronous connection has no calls with a timeout of their
 * own.
 */
final class MasterConnection implements Closeable {
  private final Configuration conf;
  private final User user;
  private CompletableFuture<AsyncConnection> connection;
  private boolean closed;

  /**
   * @param user whom to ask as; null for the user of this process
   */
  MasterConnection(Configuration conf, User user) {
    this.conf = conf;
    this.user = user;
  }

  /** The connection, made if there is none. */
  synchronized CompletableFuture<AsyncConnection> get() {
    if (closed) {
      return CompletableFuture.failedFuture(
          new IOException("Cannot ask the master: the connection is closed"));
    }
    if (connection == null || connection.isCompletedExceptionally()) {
      connection =
          user == null
              ? ConnectionFactory.createAsyncConnection(conf)
              : ConnectionFactory.createAsyncConnection(conf, user);
    }
    return connection;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (connection != null && connection.isDone() && !connection.isCompletedExceptionally()) {
      connection.join().close();
    } else if (connection != null) {
      // Still being made: it is closed as soon as it is there.
      connection.whenComplete((made, error) -> closeUnasked(made));
    }
  }

  private static void closeUnasked(AsyncConnection made) {
    if (made != null) {
      try {
        made.close();
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot close a connection to the master", e);
      }
    }
  }
}
