/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import com.google.protobuf.Service;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.metrics.ShownGauges;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.time.MachineClock;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a share of the filters in a region of the {@linkplain HoldersTable holders' table}: region
 * servers push to it, clients ask it where rows may be.
 *
 * <p>It answers from when the region is online until it closes, and is trusted only while the
 * session of its server lives: nobody else can have the region open then.
 *
 * <p>It is marked as one of HBase's core coprocessors because it needs its server's session with
 * ZooKeeper, and to know who may read a table.
 */
@CoreCoprocessor
@InterfaceAudience.LimitedPrivate("Configuration")
public final class FilterHolderEndpoint extends FilterService
    implements RegionCoprocessor, RegionObserver {
  private static final Logger LOG = LoggerFactory.getLogger(FilterHolderEndpoint.class);
  private static final int HEAP_SHARE = 8;
  private static final String SHARED = FilterHolderEndpoint.class.getName();

  /** What the holders of a server have in common: the memory of their filters, and the watch. */
  private record Shared(HolderWatch watch, MatrixBudget memory, ShownGauges gauges, int users) {
    Shared with(int more) {
      return new Shared(watch, memory, gauges, users + more);
    }
  }

  private final MachineClock clock = MachineClock.of(System::nanoTime, System::currentTimeMillis);
  private RegionCoprocessorEnvironment env;
  private RegionServerServices server;
  private Configuration conf;
  private LeaseTerms terms;
  private TableFacts.Descriptors descriptors;
  private HolderWatch watch;
  private MatrixBudget serverMemory;
  private volatile MatrixBudget memory;
  private final Runnable follower = this::followLayout;
  private volatile boolean closing;
  private volatile Consumer<String> mourner = name -> {};

  public FilterHolderEndpoint() {
    super(false);
  }

  @Override
  // Raw as HBase declares it; deprecated but the only way to the server's services in HBase 2.
  @SuppressWarnings({"rawtypes", "deprecation"})
  public void start(CoprocessorEnvironment environment) {
    env = (RegionCoprocessorEnvironment) environment;
    server = ((HasRegionServerServices) env).getRegionServerServices();
    conf = server.getConfiguration();
    terms = IndexMasterEndpoint.leaseTerms(conf);
    descriptors = new TableFacts.Recent(server.getTableDescriptors()::get, clock::monotonicNanos);
    Shared shared = acquireShared();
    watch = shared.watch();
    serverMemory = shared.memory();
    watch.whenChanged(follower);
  }

  private Shared acquireShared() {
    return (Shared)
        env.getSharedData()
            .compute(
                SHARED + server.getServerName(),
                (key, known) -> known == null ? newShared() : ((Shared) known).with(1));
  }

  private Shared newShared() {
    MatrixBudget bytes = new MatrixBudget(bytesOfServer());
    ShownGauges gauges =
        new ShownGauges(IndexRegistry.ofHolders())
            .show("filterBytes", bytes::used)
            .show("filterByteLimit", bytes::limit);
    return new Shared(newWatch(), bytes, gauges, 1);
  }

  private long bytesOfServer() {
    return conf.getLong(
        IndexSettings.HOLDER_FILTER_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  private HolderWatch newWatch() {
    ZKWatcher zooKeeper = server.getZooKeeper();
    String servers = zooKeeper.getZNodePaths().rsZNode;
    HolderWatch made =
        new HolderWatch(
            () -> zooKeeper.getRecoverableZooKeeper().getZooKeeper(),
            new HolderWatch.Nodes(
                servers + "/" + server.getServerName(),
                HoldersTable.node(zooKeeper.getZNodePaths().baseZNode),
                Optional.of(servers)),
            clock,
            terms);
    made.start(terms.heartbeatNanos());
    return made;
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment environment) {
    end();
    watch.forget(follower);
    env.getSharedData()
        .computeIfPresent(
            SHARED + server.getServerName(),
            (key, known) -> {
              Shared left = ((Shared) known).with(-1);
              if (left.users() > 0) {
                return left;
              }
              left.watch().close();
              left.gauges().close();
              return null;
            });
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  /** From here on another server may soon have the region: nobody is trusted any more. */
  @Override
  public void preClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean aborted) {
    end();
  }

  private void end() {
    closing = true;
    holdNothing();
  }

  private void followLayout() {
    if (!closing) {
      watch.layout().ifPresent(this::follow);
    }
  }

  @Override
  HolderLayout layout() throws IOException {
    if (closing) {
      throw new DoNotRetryIOException("Cannot hold filters: the region closes; ask again later");
    }
    return watch
        .layout()
        .orElseThrow(
            () ->
                new IOException(
                    "Cannot hold filters: ZooKeeper has not yet said where they are kept"));
  }

  @Override
  boolean isEnding() {
    return closing;
  }

  @Override
  FilterDesk newDesk(HolderLayout layout) {
    memory = serverMemory.share();
    FilterRegistry registry =
        FilterRegistry.ofHolder(
            new SecureRandom().nextLong(),
            clock,
            terms,
            RegistryLimits.ofBytes(memory.limit()),
            memory,
            watch::isOnline,
            now -> !closing && watch.isCertain(now, layout.version()));
    mourner = registry::serverExpired;
    watch.whenGone(mourner);
    LOG.info(
        "Holding filters in {}, by {}; all holders of this server up to {} bytes",
        env.getRegionInfo(),
        layout.text(),
        memory.limit());
    return new FilterDesk(
        registry,
        server.getServerName() + "/" + env.getRegionInfo().getEncodedName(),
        access(),
        new TableFacts(descriptors, conf),
        new MasterMetrics(IndexRegistry.ofHolders()),
        CallLimits.ofPriorityHandlers(conf),
        terms,
        clock::monotonicNanos);
  }

  private MasterAccess access() {
    try {
      return new MasterAccess(
          conf,
          server.getAccessChecker(),
          table -> IndexMasterEndpoint.indexed(descriptors.get(table)));
    } catch (IOException e) {
      throw new IllegalStateException("Cannot tell who this process runs as", e);
    }
  }

  @Override
  void dropped() {
    watch.forget(mourner);
    memory.close();
  }

  @Override
  HolderLayout change(Optional<User> sender, HolderLayout next) throws IOException {
    throw new DoNotRetryIOException(
        "Cannot change where filters are kept here; ask the active master to do it");
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(this);
  }
}
