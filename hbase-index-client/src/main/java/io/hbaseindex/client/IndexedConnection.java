/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import io.hbaseindex.client.routing.Routing;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.plan.ScanRouter;
import io.hbaseindex.client.routing.scan.TableScans;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.core.time.MachineClock;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An HBase connection whose tables scan only the regions that may hold a row the scan asks for.
 * Results are those of HBase's own connection, in the same order. Everything but scans with a
 * filter on an indexed column is passed on untouched.
 *
 * <p>There are two ways to get one:
 *
 * <pre>{@code
 * Connection connection = IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
 * }</pre>
 *
 * or, with no change of code, in the client's {@code hbase-site.xml}:
 *
 * <pre>{@code
 * hbase.client.connection.impl = io.hbaseindex.client.IndexedConnection
 * }</pre>
 *
 * <p>The setting is meant for clients. Some of HBase's own tools and server parts cast a connection
 * to a private interface that nothing outside HBase can implement; do not set it for them.
 *
 * <p>{@link RoutingSettings} lists what can be configured, {@link #routing()} shows what happened.
 * Safe for use by many threads.
 */
@InterfaceAudience.Public
public final class IndexedConnection implements Connection {
  private static final String OWN_CLASS = IndexedConnection.class.getName();
  private static final long IDLE_SECONDS = 10;

  private final Connection hbase;
  private final Configuration conf;
  private final ThreadPoolExecutor readers;
  private final ScanRouter router;
  private final IndexedTables tables;
  private final RoutingBean bean;

  /** Wraps a connection, which is closed together with the result. */
  public static IndexedConnection wrap(Connection connection) {
    return connection instanceof IndexedConnection indexed
        ? indexed
        : new IndexedConnection(
            RoutingSettings.of(connection.getConfiguration()),
            connection,
            connection.getConfiguration(),
            userOf(connection),
            Map.of());
  }

  /**
   * For {@link ConnectionFactory} of HBase 2.5, which calls this with what it would give to HBase's
   * own.
   */
  public IndexedConnection(Configuration conf, ExecutorService pool, User user) throws IOException {
    // Settings first: if they are refused, there is no connection yet that would be left open.
    this(
        RoutingSettings.of(conf),
        ConnectionFactory.createConnection(plain(conf), pool, user),
        conf,
        user,
        Map.of());
  }

  /** For {@link ConnectionFactory} from HBase 2.6 on. */
  public IndexedConnection(
      Configuration conf, ExecutorService pool, User user, Map<String, byte[]> attributes)
      throws IOException {
    this(
        RoutingSettings.of(conf),
        SinceHBase26.connect(plain(conf), pool, user, attributes),
        conf,
        user,
        attributes);
  }

  private IndexedConnection(
      RoutingSettings settings,
      Connection hbase,
      Configuration conf,
      User user,
      Map<String, byte[]> attributes) {
    this.hbase = hbase;
    this.conf = conf;
    AtomicInteger serial = new AtomicInteger();
    this.readers =
        new ThreadPoolExecutor(
            0,
            settings.threads(),
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            // Hands over or refuses: what no thread is free for is not read ahead.
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "hbase-index-read-" + serial.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    MachineClock clock = MachineClock.of(System::nanoTime, System::currentTimeMillis);
    MasterConnection asking =
        new MasterConnection(() -> connect(plain(conf), user), clock::monotonicNanos);
    this.router = ScanRouter.through(asking, settings, clock);
    // Rows are read as this very connection would read them, or by it alone.
    boolean alike = user != null && attributes.isEmpty();
    Optional<MasterConnection> reading = alike ? Optional.of(asking) : Optional.empty();
    this.tables = new IndexedTables(conf, new TableScans(router, readers, conf, reading));
    this.bean = RoutingBean.show(router.counters(), "sync");
  }

  /** The configuration with which HBase makes its own connections and not this one again. */
  static Configuration plain(Configuration conf) {
    Configuration plain = new Configuration(conf);
    if (OWN_CLASS.equals(plain.get(ClusterConnection.HBASE_CLIENT_CONNECTION_IMPL))) {
      plain.unset(ClusterConnection.HBASE_CLIENT_CONNECTION_IMPL);
    }
    plain.unset(ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL);
    return plain;
  }

  /**
   * A connection of HBase's, by which the master is asked and first results are fetched. It is not
   * the user's own: HBase's synchronous connection has no calls with a timeout of their own, and
   * none that need no thread to wait for them.
   *
   * @param user whom to ask as; null for the user of this process
   */
  static CompletableFuture<AsyncConnection> connect(Configuration plain, User user) {
    return user == null
        ? ConnectionFactory.createAsyncConnection(plain)
        : ConnectionFactory.createAsyncConnection(plain, user);
  }

  private static User userOf(Connection connection) {
    return connection instanceof ClusterConnection known ? known.getUser() : null;
  }

  /** Decides where scans look, and counts it. */
  public Routing routing() {
    return router;
  }

  @Override
  public Configuration getConfiguration() {
    return conf;
  }

  @Override
  public Table getTable(TableName name) throws IOException {
    return tables.wrap(hbase.getTable(name));
  }

  @Override
  public Table getTable(TableName name, ExecutorService pool) throws IOException {
    return tables.wrap(hbase.getTable(name, pool));
  }

  @Override
  public TableBuilder getTableBuilder(TableName name, ExecutorService pool) {
    return tables.wrap(hbase.getTableBuilder(name, pool));
  }

  @Override
  public BufferedMutator getBufferedMutator(TableName name) throws IOException {
    return hbase.getBufferedMutator(name);
  }

  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams params) throws IOException {
    return hbase.getBufferedMutator(params);
  }

  @Override
  public RegionLocator getRegionLocator(TableName name) throws IOException {
    return hbase.getRegionLocator(name);
  }

  @Override
  public void clearRegionLocationCache() {
    hbase.clearRegionLocationCache();
  }

  @Override
  public Admin getAdmin() throws IOException {
    return hbase.getAdmin();
  }

  @Override
  public String getClusterId() {
    return hbase.getClusterId();
  }

  @Override
  public Hbck getHbck() throws IOException {
    return hbase.getHbck();
  }

  @Override
  public Hbck getHbck(ServerName master) throws IOException {
    return hbase.getHbck(master);
  }

  @Override
  public boolean isClosed() {
    return hbase.isClosed();
  }

  @Override
  public void abort(String why, Throwable error) {
    hbase.abort(why, error);
  }

  @Override
  public boolean isAborted() {
    return hbase.isAborted();
  }

  @Override
  public void close() throws IOException {
    try (router;
        bean) {
      readers.shutdown();
      hbase.close();
    }
  }
}
