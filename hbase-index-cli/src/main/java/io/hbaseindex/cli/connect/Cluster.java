/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.connect;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.exit.Failure;
import io.hbaseindex.cli.exit.RefusedCommandException;
import io.hbaseindex.cli.exit.UnreachableException;
import io.hbaseindex.client.IndexedConnection;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** Connects to a cluster, or says within seconds that there is none. */
@InterfaceAudience.Private
public final class Cluster {
  private Cluster() {}

  /**
   * A connection over which the active master has answered.
   *
   * @throws UnreachableException if that did not happen in time
   */
  public static Connection connect(ClusterOptions options) throws IOException {
    Configuration conf = options.configuration();
    FutureTask<Connection> attempt = new FutureTask<>(() -> connectAndAsk(conf));
    // A daemon of its own: HBase's client may hang on in some retry, and must not keep us.
    Thread thread = new Thread(attempt, "connect");
    thread.setDaemon(true);
    thread.start();
    try {
      return attempt.get(options.timeoutSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      throw unreachable(options, conf, "no answer within " + options.timeoutSeconds() + " s", e);
    } catch (ExecutionException e) {
      Failure failure = Failure.of(e.getCause());
      if (failure.exitCode() == ExitCode.REFUSED) {
        throw new RefusedCommandException(failure.message(), e.getCause());
      }
      throw unreachable(options, conf, reason(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot connect: interrupted");
    }
  }

  private static Connection connectAndAsk(Configuration conf) throws IOException {
    Connection connection = IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
    boolean answered = false;
    try (Admin admin = connection.getAdmin()) {
      admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER));
      answered = true;
    } finally {
      if (!answered) {
        connection.close();
      }
    }
    return connection;
  }

  private static UnreachableException unreachable(
      ClusterOptions options, Configuration conf, String reason, Throwable cause) {
    return new UnreachableException(
        "Cannot reach HBase: %s; tried %s; check that it runs there, or name another by --zookeeper or --config"
            .formatted(reason, options.describe(conf)),
        cause);
  }

  private static String reason(Throwable thrown) {
    Throwable deepest = thrown;
    for (int depth = 0; deepest.getCause() != null && depth < 20; depth++) {
      deepest = deepest.getCause();
    }
    return String.valueOf(deepest.getMessage() == null ? deepest : deepest.getMessage())
        .lines()
        .findFirst()
        .orElse("no reason given");
  }
}
