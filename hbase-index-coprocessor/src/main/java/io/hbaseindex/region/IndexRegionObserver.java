package io.hbaseindex.region;

import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.region.metrics.RegionMetrics;
import io.hbaseindex.region.metrics.TableMetrics;
import io.hbaseindex.region.write.BatchIndexer;
import io.hbaseindex.region.write.WritePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
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
  private volatile WritePath writePath;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
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
    boolean alreadyOpen = !env.getRegion().getStores().isEmpty();
    if (alreadyOpen) {
      guard.run("take over an open region", this::opened);
    }
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> ctx) {
    try {
      guard.run("open", this::opened);
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
      writePath = WritePath.of(indexes, EnvironmentEdgeManager::currentTime);
    }
  }

  private RegionIndexes contextOf(RegionPlan.Indexed indexed, SharedWriteOrder order) {
    Region region = env.getRegion();
    RegionMetrics metrics =
        new RegionMetrics(
            new TableMetrics(
                env.getMetricRegistryForRegionServer(),
                region.getTableDescriptor().getTableName()));
    return new RegionIndexes(
        region,
        indexed.definitions(),
        indexed.keys(),
        order.rowLocks(),
        order.clock(),
        indexId -> Optional.empty(),
        indexRow -> {},
        metrics);
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> ctx, boolean abortRequested) {
    SharedWriteOrder.forget(env);
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
    afterBatch();
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success) {
    afterBatch();
  }

  private void afterBatch() {
    WritePath open = writePath;
    if (open != null) {
      open.batchIndexer().afterBatch();
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
