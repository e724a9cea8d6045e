/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.master;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection through which the active master is asked, made when it is first needed.
 *
 * <p>HBase's asynchronous client keeps the address of a master until it cannot be reached. A master
 * that has come back as a backup on its old port can be reached and refuses every call, so the
 * client would never look for the active one again. A connection that is refused in this way is
 * replaced by a new one, which looks the active master up.
 *
 * <p>A master that is active and still starting refuses calls in the same way. Connections are
 * therefore replaced once in {@value #RENEWAL_PAUSE_SECONDS} s at most, and no more than two are
 * open at a time: the present one, and the one before, through which calls may still be under way.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class MasterConnection implements Closeable {
  static final int RENEWAL_PAUSE_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(MasterConnection.class);
  private static final int MOST_CAUSES = 20;

  private final Supplier<CompletableFuture<AsyncConnection>> maker;
  private final LongSupplier nanoClock;
  private CompletableFuture<AsyncConnection> current;

  /** Whether somebody else closes the present connection. */
  private boolean lent;

  private CompletableFuture<AsyncConnection> former;
  private boolean renewed;
  private long renewedAtNanos;
  private boolean closed;

  /**
   * @param maker makes connections
   * @param nanoClock a monotonic clock
   */
  public MasterConnection(
      Supplier<CompletableFuture<AsyncConnection>> maker, LongSupplier nanoClock) {
    this.maker = maker;
    this.nanoClock = nanoClock;
  }

  /**
   * Begins with a connection of somebody else's, who closes it.
   *
   * @param maker makes the connections after it
   * @param nanoClock a monotonic clock
   */
  public static MasterConnection beginningWith(
      AsyncConnection others,
      Supplier<CompletableFuture<AsyncConnection>> maker,
      LongSupplier nanoClock) {
    MasterConnection connection = new MasterConnection(maker, nanoClock);
    connection.current = CompletableFuture.completedFuture(others);
    connection.lent = true;
    return connection;
  }

  /** Makes a call through the connection; the call itself is what may reach a wrong master. */
  public <T> CompletableFuture<T> call(Function<AsyncConnection, CompletableFuture<T>> call) {
    return get()
        .thenCompose(
            connection ->
                call.apply(connection)
                    .whenComplete(
                        (answer, error) -> {
                          if (isRefusalOfInactiveMaster(error)) {
                            renew(connection);
                          }
                        }));
  }

  /** Whether the call has reached a master that is not active, or not yet. */
  public static boolean isRefusalOfInactiveMaster(Throwable error) {
    return isCausedBy(ServerNotRunningYetException.class, error);
  }

  /** Whether the call was refused by a server that had no room for it, and may be made again. */
  public static boolean isRefusalOfBusyServer(Throwable error) {
    return isCausedBy(CallQueueTooBigException.class, error);
  }

  /** HBase wraps what a server said in what its own attempts came to. */
  private static boolean isCausedBy(Class<? extends IOException> type, Throwable error) {
    Throwable cause = error;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      if (type.isInstance(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private synchronized CompletableFuture<AsyncConnection> get() {
    if (closed) {
      return CompletableFuture.failedFuture(
          new IOException("Cannot ask the master: the connection is closed"));
    }
    // One that could not be made is tried again.
    if (current == null || current.isCompletedExceptionally()) {
      current = maker.get();
    }
    return current;
  }

  private synchronized void renew(AsyncConnection refused) {
    long now = nanoClock.getAsLong();
    boolean tooSoon =
        renewed && now - renewedAtNanos < TimeUnit.SECONDS.toNanos(RENEWAL_PAUSE_SECONDS);
    if (closed || tooSoon || !isPresent(refused)) {
      return;
    }
    LOG.info("The master that was asked is not active: connecting anew to find the active one");
    renewed = true;
    renewedAtNanos = now;
    closeWhenMade(former);
    former = lent ? null : current;
    lent = false;
    current = maker.get();
  }

  /** Others that were refused through the same connection may have been faster. */
  private boolean isPresent(AsyncConnection connection) {
    return !current.isCompletedExceptionally() && current.getNow(null) == connection;
  }

  @Override
  public synchronized void close() {
    closed = true;
    closeWhenMade(former);
    closeWhenMade(lent ? null : current);
  }

  private static void closeWhenMade(CompletableFuture<AsyncConnection> connection) {
    if (connection == null) {
      return;
    }
    connection.thenAccept(
        made -> {
          try {
            made.close();
          } catch (IOException e) {
            LOG.warn("Cannot close a connection to the master", e);
          }
        });
  }
}
