/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region;

import com.google.protobuf.Service;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.region.endpoint.IndexRegionEndpoint;
import io.hbaseindex.region.lifecycle.RegionLifecycle;
import io.hbaseindex.region.scan.IndexedScans;
import io.hbaseindex.region.write.BatchIndexer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Keeps the local index of a region. Every hook hands over to the class that knows; nothing is
 * decided here.
 *
 * <p>It is marked as one of HBase's core coprocessors because it needs its server's connection to
 * ZooKeeper, to know where filters are kept.
 */
@CoreCoprocessor
@InterfaceAudience.LimitedPrivate("Configuration")
public final class IndexRegionObserver implements RegionCoprocessor, RegionObserver {
  private RegionCoprocessorEnvironment env;
  private HookGuard guard;

  /**
   * Empty if the observer could not start: the region is then open, scans plainly, refuses writes.
   */
  private Optional<ObservedRegion> observed = Optional.empty();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(
        new IndexRegionEndpoint(
            () -> observed.map(ObservedRegion::checked).orElseThrow(() -> notStarted("answer"))));
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment environment) {
    env = (RegionCoprocessorEnvironment) environment;
    guard = new HookGuard(env.getRegionInfo().getRegionNameAsString());
    // Whatever leaves this method makes HBase abort the server, and the next one that opens the
    // region, and so on. Without it the write hooks refuse work, as long as there is no write path.
    guard.attempt("start", () -> observed = Optional.of(ObservedRegion.of(env, this)));
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment environment) {
    observed.ifPresent(region -> guard.attempt("stop", () -> region.stop(this)));
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> ctx) throws IOException {
    if (observed.isPresent()) {
      guard.run("open", observed.get()::opening);
    }
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
    // HBase would swallow an error. The write hooks refuse work as long as there is no write path.
    observed.ifPresent(region -> guard.attempt("open", region::opened));
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> ctx, Scan scan)
      throws IOException {
    guard.run("scan", () -> HiddenFamilyGuard.hideFrom(scan, families()));
    Optional<IndexedScans> scans = scans();
    if (scans.isPresent()) {
      guard.run("scan", () -> scans.get().beforeOpen(scan));
    } else if (observed.isPresent()) {
      observed.get().traces().countsOf(scan).plainScan(PlainScanReason.REGION_NOT_INDEXED);
    }
  }

  private Optional<IndexedScans> scans() {
    return observed.flatMap(ObservedRegion::scans);
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> ctx, Scan scan, RegionScanner scanner)
      throws IOException {
    Optional<IndexedScans> scans = scans();
    RegionScanner opened =
        scans.isEmpty() ? scanner : guard.get("scan", () -> scans.get().afterOpen(scan, scanner));
    return observed.isEmpty() ? opened : observed.get().answering(scan, opened);
  }

  @Override
  public boolean postScannerFilterRow(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      InternalScanner scanner,
      Cell currentRow,
      boolean hasMore)
      throws IOException {
    Optional<IndexedScans> scans = scans();
    return scans.isEmpty()
        ? hasMore
        : guard.get("scan", () -> scans.get().afterRefusedRow(scanner, hasMore));
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
  public void preFlush(
      ObserverContext<RegionCoprocessorEnvironment> ctx, FlushLifeCycleTracker tracker) {
    observed.ifPresent(region -> guard.attempt("flush", region::flushing));
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> ctx, FlushLifeCycleTracker tracker)
      throws IOException {
    onLifecycle("flush", RegionLifecycle::flushed);
    observed.ifPresent(region -> guard.attempt("flush", region::filesChanged));
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
        () -> lifecycle().map(r -> r.compacting(store, scanner, scanType)).orElse(scanner));
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
    observed.ifPresent(region -> guard.attempt("compact", region::filesChanged));
    if (request.isMajor() && IndexFamily.is(store.getColumnFamilyDescriptor().getName())) {
      observed.ifPresent(region -> guard.attempt("compact", region::postingsCompacted));
    }
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> ctx, List<Pair<byte[], String>> familyPaths)
      throws IOException {
    observed.ifPresent(r -> guard.attempt("bulk load", r::awaitEndOfEarlierTrust));
    onLifecycle("bulk load", region -> region.bulkLoadAnnounced(familyPaths));
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
  public void preClose(ObserverContext<RegionCoprocessorEnvironment> ctx, boolean abortRequested) {
    // Any error here would make HBase abort the server. What is left undone costs time: the ledger
    // does not match at the next open, and whoever opens the region waits until trust has ended.
    guard.attempt("close", () -> lifecycle().ifPresent(RegionLifecycle::closing));
    guard.attempt("close", () -> observed.ifPresent(r -> r.stopPublishing(abortRequested)));
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> ctx, boolean abortRequested) {
    guard.attempt("close", () -> observed.ifPresent(region -> region.closed(abortRequested)));
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
    Optional<RegionLifecycle> lifecycle = lifecycle();
    if (lifecycle.isPresent()) {
      guard.run(what, () -> step.run(lifecycle.get()));
    }
  }

  private Optional<RegionLifecycle> lifecycle() {
    return observed.flatMap(ObservedRegion::lifecycle);
  }

  /** Also if it is not known: then the write hooks refuse. */
  private boolean isIndexed() {
    return observed.map(ObservedRegion::isIndexed).orElse(true);
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
    if (isIndexed()) {
      List<Cell> cells = cellPairs.stream().map(Pair::getSecond).toList();
      guard.run("write", () -> batchIndexer().computed(mutation, cells));
    }
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    if (isIndexed()) {
      guard.run("write", () -> batchIndexer().beforeBatch(batch));
    }
  }

  @Override
  public void preWALAppend(
      ObserverContext<RegionCoprocessorEnvironment> ctx, WALKey key, WALEdit edit)
      throws IOException {
    if (isIndexed()) {
      guard.run("write", () -> batchIndexer().beforeLogAppend(key, edit.getCells()));
    }
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      MiniBatchOperationInProgress<Mutation> batch) {
    afterWrite(BatchIndexer::afterApply);
    observed.ifPresent(r -> guard.attempt("finish a write", r::awaitEndOfEarlierTrust));
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
    guard.attempt(
        "finish a write", () -> observed.flatMap(ObservedRegion::batchIndexer).ifPresent(step));
  }

  private BatchIndexer batchIndexer() throws IOException {
    return observed
        .flatMap(ObservedRegion::batchIndexer)
        .orElseThrow(() -> new IOException(notStarted("write").getMessage()));
  }

  private IllegalStateException notStarted(String what) {
    return new IllegalStateException(
        "Cannot %s in region %s: its index failed to start when the region opened; see the server's log, then move the region"
            .formatted(what, env.getRegionInfo().getRegionNameAsString()));
  }
}
