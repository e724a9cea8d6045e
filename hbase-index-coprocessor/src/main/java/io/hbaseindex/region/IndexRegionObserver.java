package io.hbaseindex.region;

import com.google.protobuf.Service;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.query.PlainScanReason;
import io.hbaseindex.region.check.CheckedRegion;
import io.hbaseindex.region.check.IndexRegionEndpoint;
import io.hbaseindex.region.check.RegionAccess;
import io.hbaseindex.region.lifecycle.BackgroundWork;
import io.hbaseindex.region.lifecycle.RegionLifecycle;
import io.hbaseindex.region.metrics.IndexRegistry;
import io.hbaseindex.region.metrics.RegionMetrics;
import io.hbaseindex.region.metrics.TableMetrics;
import io.hbaseindex.region.publish.RegionPublishing;
import io.hbaseindex.region.scan.HiddenFamilyGuard;
import io.hbaseindex.region.scan.IndexedScans;
import io.hbaseindex.region.scan.ScanTraces;
import io.hbaseindex.region.write.BatchIndexer;
import io.hbaseindex.region.write.FilterFeed;
import io.hbaseindex.region.write.WritePath;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the local index of a region. Every hook hands over to the class that knows; nothing is
 * decided here.
 */
public final class IndexRegionObserver implements RegionCoprocessor, RegionObserver {
  private static final Logger LOG = LoggerFactory.getLogger(IndexRegionObserver.class);
  private static final long DEFAULT_ROW_LOCK_WAIT_MS = 5_000;

  private RegionCoprocessorEnvironment env;
  private HookGuard guard;
  private RegionPlan plan;
  private RegionMetrics metrics;
  private ScanTraces traces;
  private BackgroundWork background;
  private Optional<RegionLifecycle> lifecycle = Optional.empty();
  private volatile CheckedRegion checked;
  private volatile Optional<RegionPublishing> publishing = Optional.empty();
  private volatile WritePath writePath;
  private volatile IndexedScans scans;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(new IndexRegionEndpoint(() -> checked));
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment environment) throws IOException {
    env = (RegionCoprocessorEnvironment) environment;
    String name = env.getRegionInfo().getRegionNameAsString();
    guard = new HookGuard(name);
    plan = RegionPlan.of(env.getRegion().getTableDescriptor(), env.getRegionInfo());
    if (plan instanceof RegionPlan.Unindexed unindexed && unindexed.fault()) {
      LOG.error("Region {} opens without its indexes: {}", name, unindexed.reason());
    }
    metrics =
        new RegionMetrics(
            new TableMetrics(IndexRegistry.ofServer(), env.getRegionInfo().getTable()));
    HRegion region = (HRegion) env.getRegion();
    background =
        BackgroundWork.acquire(
            env.getSharedData(), env.getServerName().getServerName(), serverConfiguration());
    if (plan instanceof RegionPlan.Indexed indexed) {
      lifecycle =
          Optional.of(RegionLifecycle.of(region, indexed, background, this::isOnline, metrics));
    }
    traces = new ScanTraces(metrics, EnvironmentEdgeManager::currentTime);
    checked = new CheckedRegion(name, RegionAccess.of(env), plan, metrics, traces, lifecycle);
    boolean alreadyOpen = !env.getRegion().getStores().isEmpty();
    if (alreadyOpen) {
      guard.run("take over an open region", this::opened);
    }
  }

  private boolean isOnline() {
    return env.getOnlineRegions().getRegion(env.getRegionInfo().getEncodedName()) != null;
  }

  /**
   * The server's own configuration object, which it reloads in place; the region's may be a frozen
   * copy.
   */
  private Supplier<Configuration> serverConfiguration() {
    return env.getOnlineRegions() instanceof Server server
        ? server::getConfiguration
        : env::getConfiguration;
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment environment) {
    stopPublishing(true);
    if (background != null) {
      background.release();
    }
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> ctx) throws IOException {
    onLifecycle("open", RegionLifecycle::opening);
  }

  @Override
  public void preWALRestore(
      ObserverContext<? extends RegionCoprocessorEnvironment> ctx,
      RegionInfo info,
      WALKey key,
      WALEdit edit)
      throws IOException {
    onLifecycle("replay", region -> region.replaying(key, edit));
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> ctx) {
    try {
      guard.run("open", this::opened);
      onLifecycle("open", region -> region.opened(writePath.reindexer()));
    } catch (IOException e) {
      // HBase would swallow it. The write hooks refuse work as long as there is no write path.
      LOG.error("Cannot start indexing region {}; its writes fail", env.getRegionInfo(), e);
    }
  }

  private void opened() throws IOException {
    if (plan instanceof RegionPlan.Indexed indexed && writePath == null) {
      SharedWriteOrder order =
          SharedWriteOrder.of(
              env,
              EnvironmentEdgeManager::currentTime,
              env.getConfiguration()
                  .getLong(IndexSettings.ROW_LOCK_WAIT_MS, DEFAULT_ROW_LOCK_WAIT_MS));
      RegionIndexes indexes = contextOf(indexed, order);
      publishing = publish(indexes);
      FilterFeed feed = publishing.map(p -> (FilterFeed) p).orElse(FilterFeed.NONE);
      writePath = WritePath.of(indexes, feed, EnvironmentEdgeManager::currentTime);
      // Unlike the environment's configuration, the region's follows a reload of the server's.
      scans =
          new IndexedScans(indexes, traces, ((HRegion) env.getRegion()).getReadOnlyConfiguration());
      checked.opened(indexes, writePath);
      publishing.ifPresent(
          region -> checked.relaying(region.relay(env.getRegion().getTableDescriptor())));
    }
  }

  private Optional<RegionPublishing> publish(RegionIndexes indexes) throws IOException {
    if (!RegionPublishing.isEnabled(env.getConfiguration())) {
      return Optional.empty();
    }
    RegionPublishing started = RegionPublishing.of(env, serverConfiguration().get(), indexes);
    lifecycle.ifPresent(region -> region.whenDistrusted(started::invalidate));
    return Optional.of(started);
  }

  private RegionIndexes contextOf(RegionPlan.Indexed indexed, SharedWriteOrder order) {
    RegionLifecycle states = lifecycle.orElseThrow();
    return new RegionIndexes(
        env.getRegion(),
        indexed.definitions(),
        indexed.keys(),
        order.rowLocks(),
        order.clock(),
        states.readiness(),
        states.stalePostings(),
        metrics);
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> ctx, Scan scan)
      throws IOException {
    guard.run("scan", () -> HiddenFamilyGuard.hideFrom(scan, families()));
    IndexedScans open = scans;
    if (open != null) {
      guard.run("scan", () -> open.beforeOpen(scan));
    } else {
      traces.countsOf(scan).plainScan(PlainScanReason.REGION_NOT_INDEXED);
    }
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> ctx, Scan scan, RegionScanner scanner)
      throws IOException {
    IndexedScans open = scans;
    return open == null ? scanner : guard.get("scan", () -> open.afterOpen(scan, scanner));
  }

  @Override
  public boolean postScannerFilterRow(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      InternalScanner scanner,
      Cell currentRow,
      boolean hasMore)
      throws IOException {
    IndexedScans open = scans;
    return open == null ? hasMore : guard.get("scan", () -> open.afterRefusedRow(scanner, hasMore));
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> ctx, Get get, List<Cell> result)
      throws IOException {
    guard.run("get", () -> HiddenFamilyGuard.hideFrom(get, families()));
  }

  @Override
  public boolean preExists(
      ObserverContext<RegionCoprocessorEnvironment> ctx, Get get, boolean exists)
      throws IOException {
    guard.run("get", () -> HiddenFamilyGuard.hideFrom(get, families()));
    return exists;
  }

  private int families() {
    return env.getRegion().getTableDescriptor().getColumnFamilyCount();
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      Store store,
      StoreFile file,
      FlushLifeCycleTracker tracker)
      throws IOException {
    onLifecycle("flush", region -> region.storeFlushed(store, file));
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> ctx, FlushLifeCycleTracker tracker)
      throws IOException {
    onLifecycle("flush", RegionLifecycle::flushed);
  }

  @Override
  public InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      Store store,
      InternalScanner scanner,
      ScanType scanType,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    return guard.get(
        "compact",
        () -> lifecycle.map(r -> r.compacting(store, scanner, scanType)).orElse(scanner));
  }

  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      Store store,
      StoreFile result,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    onLifecycle("compact", region -> region.compacted(store, result, request));
    if (request.isMajor() && IndexFamily.is(store.getColumnFamilyDescriptor().getName())) {
      guard.run("compact", () -> publishing.ifPresent(RegionPublishing::compacted));
    }
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> ctx, List<Pair<byte[], String>> familyPaths)
      throws IOException {
    onLifecycle("bulk load", region -> region.bulkLoadAnnounced(familiesOf(familyPaths)));
  }

  @Override
  public void preCommitStoreFile(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      byte[] family,
      List<Pair<Path, Path>> pairs)
      throws IOException {
    onLifecycle("bulk load", region -> region.bulkLoadCommitting(family));
  }

  @Override
  public void postCommitStoreFile(
      ObserverContext<RegionCoprocessorEnvironment> ctx, byte[] family, Path source, Path target)
      throws IOException {
    onLifecycle("bulk load", region -> region.bulkLoadCommitted(family, target));
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      List<Pair<byte[], String>> familyPaths,
      Map<byte[], List<Path>> finalPaths)
      throws IOException {
    onLifecycle("bulk load", region -> region.bulkLoadEnded(familiesOf(familyPaths)));
  }

  @Override
  public void preClose(ObserverContext<RegionCoprocessorEnvironment> ctx, boolean abortRequested)
      throws IOException {
    onLifecycle("close", RegionLifecycle::closing);
    guard.run("close", () -> stopPublishing(abortRequested));
  }

  private void stopPublishing(boolean aborted) {
    Optional<RegionPublishing> running = publishing;
    publishing = Optional.empty();
    running.ifPresent(region -> region.close(aborted));
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> ctx, boolean abortRequested) {
    lifecycle.ifPresent(region -> region.closed(abortRequested));
    SharedWriteOrder.forget(env);
  }

  private static List<byte[]> familiesOf(List<Pair<byte[], String>> familyPaths) {
    return familyPaths.stream().map(Pair::getFirst).toList();
  }

  /** What a hook has the lifecycle do, if the region keeps an index. */
  @FunctionalInterface
  private interface LifecycleStep {
    void run(RegionLifecycle region) throws IOException;
  }

  private void onLifecycle(String what, LifecycleStep step) throws IOException {
    if (lifecycle.isPresent()) {
      guard.run(what, () -> step.run(lifecycle.get()));
    }
  }

  @Override
  public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      Mutation mutation,
      List<Pair<Cell, Cell>> cellPairs)
      throws IOException {
    computed(mutation, cellPairs);
    return cellPairs;
  }

  @Override
  public List<Pair<Cell, Cell>> postAppendBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      Mutation mutation,
      List<Pair<Cell, Cell>> cellPairs)
      throws IOException {
    computed(mutation, cellPairs);
    return cellPairs;
  }

  private void computed(Mutation mutation, List<Pair<Cell, Cell>> cellPairs) throws IOException {
    if (plan instanceof RegionPlan.Indexed) {
      List<Cell> cells = cellPairs.stream().map(Pair::getSecond).toList();
      guard.run("write", () -> batchIndexer().computed(mutation, cells));
    }
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    if (plan instanceof RegionPlan.Indexed) {
      guard.run("write", () -> batchIndexer().beforeBatch(batch));
    }
  }

  @Override
  public void preWALAppend(
      ObserverContext<RegionCoprocessorEnvironment> ctx, WALKey key, WALEdit edit)
      throws IOException {
    if (plan instanceof RegionPlan.Indexed) {
      guard.run("write", () -> batchIndexer().beforeLogAppend(key, edit.getCells()));
    }
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      MiniBatchOperationInProgress<Mutation> batch) {
    afterWrite(BatchIndexer::afterApply);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success) {
    afterWrite(indexer -> indexer.afterBatch(success));
  }

  /**
   * The batch is written: an exception could not take it back, but would be taken for a failure.
   */
  private void afterWrite(Consumer<BatchIndexer> step) {
    WritePath open = writePath;
    if (open != null) {
      try {
        step.accept(open.batchIndexer());
      } catch (RuntimeException e) {
        LOG.error("Cannot finish a write of region {}", env.getRegionInfo(), e);
      }
    }
  }

  private BatchIndexer batchIndexer() throws IOException {
    WritePath open = writePath;
    if (open == null) {
      throw new IOException(
          "Cannot write in region %s: its index failed to start when the region opened; see the server's log, then move the region"
              .formatted(env.getRegionInfo().getRegionNameAsString()));
    }
    return open.batchIndexer();
  }
}
