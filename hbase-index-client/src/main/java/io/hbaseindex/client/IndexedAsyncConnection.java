/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import io.hbaseindex.client.routing.Routing;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.plan.ScanRouter;
import io.hbaseindex.client.routing.scan.AsyncScans;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.core.time.MachineClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncConnectionImpl;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The asynchronous sister of {@link IndexedConnection}: by code,
 *
 * <pre>{@code
 * AsyncConnection connection =
 *     IndexedAsyncConnection.wrap(ConnectionFactory.createAsyncConnection(conf).get());
 * }</pre>
 *
 * or by configuration,
 *
 * <pre>{@code
 * hbase.client.async.connection.impl = io.hbaseindex.client.IndexedAsyncConnection
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Public
public final class IndexedAsyncConnection implements AsyncConnection {
  private final AsyncConnection hbase;
  private final ScanRouter router;
  private final IndexedAsyncTables tables;
  private final RoutingBean bean;

  /** Wraps a connection, which is closed together with the result. */
  public static IndexedAsyncConnection wrap(AsyncConnection connection) {
    return connection instanceof IndexedAsyncConnection indexed
        ? indexed
        : new IndexedAsyncConnection(
            RoutingSettings.of(connection.getConfiguration()), connection, currentUser());
  }

  /** For HBase 2.5's ConnectionFactory, which calls this with what it would give to HBase's own. */
  public IndexedAsyncConnection(
      Configuration conf, ConnectionRegistry registry, String clusterId, User user) {
    // Settings first: if they are refused, there is no connection yet that would be left open.
    this(RoutingSettings.of(conf), new AsyncConnectionImpl(conf, registry, clusterId, user), user);
  }

  /** For HBase's ConnectionFactory from 2.6 on. */
  public IndexedAsyncConnection(
      Configuration conf,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    this(
        RoutingSettings.of(conf),
        SinceHBase26.connect(conf, registry, clusterId, user, attributes),
        user);
  }

  private IndexedAsyncConnection(RoutingSettings settings, AsyncConnection hbase, User user) {
    this.hbase = hbase;
    Configuration conf = hbase.getConfiguration();
    MachineClock clock = MachineClock.of(System::nanoTime, System::currentTimeMillis);
    this.router =
        ScanRouter.through(
            MasterConnection.beginningWith(
                hbase,
                () -> IndexedConnection.connect(IndexedConnection.plain(conf), user),
                clock::monotonicNanos),
            settings,
            clock);
    this.tables = new IndexedAsyncTables(conf, new AsyncScans(router, conf));
    this.bean = RoutingBean.show(router.counters(), "async");
  }

  /** A connection that HBase has made does not tell whose it is; most likely it is the caller's. */
  private static User currentUser() {
    try {
      return User.getCurrent();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot route scans: the current user is unknown", e);
    }
  }

  /** Decides where scans look, and counts it. */
  public Routing routing() {
    return router;
  }

  @Override
  public Configuration getConfiguration() {
    return hbase.getConfiguration();
  }

  @Override
  public AsyncTableBuilder<AdvancedScanResultConsumer> getTableBuilder(TableName name) {
    return tables.wrap(hbase.getTableBuilder(name));
  }

  @Override
  public AsyncTableBuilder<ScanResultConsumer> getTableBuilder(
      TableName name, ExecutorService pool) {
    return tables.wrap(hbase.getTableBuilder(name, pool), hbase.getTableBuilder(name), pool);
  }

  @Override
  public AsyncTableRegionLocator getRegionLocator(TableName name) {
    return hbase.getRegionLocator(name);
  }

  @Override
  public void clearRegionLocationCache() {
    hbase.clearRegionLocationCache();
  }

  @Override
  public AsyncAdminBuilder getAdminBuilder() {
    return hbase.getAdminBuilder();
  }

  @Override
  public AsyncAdminBuilder getAdminBuilder(ExecutorService pool) {
    return hbase.getAdminBuilder(pool);
  }

  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(TableName name) {
    return hbase.getBufferedMutatorBuilder(name);
  }

  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(
      TableName name, ExecutorService pool) {
    return hbase.getBufferedMutatorBuilder(name, pool);
  }

  @Override
  public CompletableFuture<Hbck> getHbck() {
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
  public void close() throws IOException {
    try (router;
        bean) {
      hbase.close();
    }
  }
}
