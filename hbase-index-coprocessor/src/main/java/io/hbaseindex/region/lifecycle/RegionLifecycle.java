/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.region.context.IndexReadiness;
import io.hbaseindex.region.context.PostingClock;
import io.hbaseindex.region.context.PostingPages;
import io.hbaseindex.region.context.RegionPlan;
import io.hbaseindex.region.context.StalePostings;
import io.hbaseindex.region.lifecycle.background.BackgroundWork;
import io.hbaseindex.region.lifecycle.background.PacedTask;
import io.hbaseindex.region.lifecycle.ledger.LedgerRecord.Entry;
import io.hbaseindex.region.lifecycle.ledger.RegionLedger;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.write.LogMark;
import io.hbaseindex.region.write.LoggedBatches;
import io.hbaseindex.region.write.RowReindexer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a region's indexes, from before the region replays its log until after it has closed.
 * It decides which indexes are ready, and has the others built.
 *
 * <pre>
 *   opening    read the ledger; look at what is replayed; note files flushed on the way
 *   opened     compare ledger, files and definitions: what is built is ready, the rest is built in the background
 *   open       flushes and compactions change the files of the ledger; bulk loads make everything unbuilt
 *   closing    stop background work, note how far builds are; the ledger is not written
 *   closed     write the ledger, once and for the last time
 * </pre>
 *
 * <p>Splits, merges, clones and truncated tables need nothing special: their regions are new and
 * have no ledger. Nor does a crash: the files, the log and the ledger say together what is built.
 *
 * <p>An instance that is loaded into a region that was open without one never hears of the opening.
 * All its indexes then stay unready and it leaves the ledger alone, so that the next open finds
 * files that the ledger does not know.
 */
@InterfaceAudience.Private
public final class RegionLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(RegionLifecycle.class);

  private final HRegion region;
  private final IndexRowKeys keys;
  private final IndexSet indexes;
  private final IndexMetrics metrics;
  private final RegionLedger ledger;
  private final IndexStates states = new IndexStates();
  private final StaleWorker staleWorker;
  private final StaleSweep sweep;
  private final IndexBuilder builder;
  private final PacedTask buildTask;
  private final PacedTask staleTask;
  private final PacedTask sweepTask;
  private final PacedTask compactTask;
  private final PacedTask ledgerTask;
  private final BulkLoads bulkLoads = new BulkLoads();
  private final FinishedCompactions compactions = new FinishedCompactions();
  private volatile RowReindexer reindexer;
  private volatile PostingClock postingClock;
  private ReplayCheck replayCheck;
  private volatile Runnable whenDistrusted = () -> {};

  private RegionLifecycle(
      HRegion region,
      RegionPlan.Indexed plan,
      RegionLedger ledger,
      BackgroundWork work,
      BooleanSupplier online,
      IndexMetrics metrics) {
    this.region = region;
    this.keys = plan.keys();
    this.indexes = new IndexSet(plan.definitions().definitions());
    this.metrics = metrics;
    this.ledger = ledger;
    String name = region.getRegionInfo().getRegionNameAsString();
    staleWorker = new StaleWorker(this::endIfStale, metrics);
    staleTask =
        work.task("Ending stale postings of " + name, online, staleWorker, (e, millis) -> {});
    staleWorker.wakeBy(staleTask::wake);
    PostingPages postings = new PostingPages(region, keys.all());
    sweep = new StaleSweep(postings.first(), postings::from, this::endIfStale, metrics);
    sweepTask =
        work.task(
            "Sweeping stale postings of " + name,
            () -> online.getAsBoolean() && inPlace(),
            sweep,
            (e, millis) -> {});
    RowDiscovery rows = new RowDiscovery(region, indexes.families());
    builder = new IndexBuilder(rows, this::reindex, ledger, states, metrics);
    buildTask = work.task("Building indexes of " + name, online, builder, builder::failed);
    compactTask =
        work.task("Compacting postings of " + name, online, this::compact, (e, millis) -> {});
    ledgerTask =
        work.task("Writing the ledger of " + name, online, this::catchUp, (e, millis) -> {});
    ledger.whenBehind(ledgerTask::wake);
    indexes
        .ids()
        .forEach(id -> states.set(id, IndexState.waiting("the region has not opened yet")));
    plan.unsupported().forEach((index, why) -> states.set(index.id(), IndexState.unsupported(why)));
  }

  /**
   * The lifecycle of a region that is about to open.
   *
   * @param online whether the server serves the region. Background work waits for it: a region that
   *     is being opened has yet to decide the number of its first write, and must neither be
   *     written to nor compacted before it has
   */
  public static RegionLifecycle of(
      HRegion region,
      RegionPlan.Indexed plan,
      RegionLedger ledger,
      BackgroundWork work,
      BooleanSupplier online,
      IndexMetrics metrics) {
    return new RegionLifecycle(region, plan, ledger, work, online, metrics);
  }

  public IndexReadiness readiness() {
    return states;
  }

  public IndexStates states() {
    return states;
  }

  public StalePostings stalePostings() {
    return new StalePostings() {
      @Override
      public void offer(byte[] indexRow) {
        staleWorker.offer(indexRow);
      }

      @Override
      public void expectAfterCompaction() {
        sweep.metHiddenPosting();
      }
    };
  }

  /** How many postings wait to be looked at again. */
  public int stalePostingsWaiting() {
    return staleWorker.waiting();
  }

  /**
   * Sets what is run whenever the indexes are about to stop telling the whole truth, before they
   * do.
   */
  public void whenDistrusted(Runnable action) {
    whenDistrusted = action;
  }

  // ---- opening ----

  /** Before the region opens its stores. */
  public void opening() {
    ledger.load();
  }

  /** Before an entry of the log is replayed. */
  public void replaying(WALKey key, WALEdit edit) {
    if (replayCheck == null) {
      replayCheck = new ReplayCheck(indexes.byFamily(), flushedUpTo(), thinnedFamilies());
    }
    replayCheck
        .doubtedBy(edit, key.getSequenceId(), LogMark.read(key), indexes.versions())
        .forEach(ledger::doubt);
    if (LogMark.isAfterLoss(key)) {
      ledger.doubt("the log holds writes that knew nothing of one that it holds too");
    }
  }

  /**
   * When the region is open and before anybody writes to it.
   *
   * @param writer what background work writes with
   * @param clock the timestamps of the region's postings
   */
  public void opened(RowReindexer writer, PostingClock clock) {
    joined(writer, clock);
    RegionLedger.Findings found = ledger.reconcile(fingerprints(), StoreFileNames.allOf(region));
    found.doubt().ifPresent(why -> LOG.info("{}: indexes are rebuilt, {}", region, why));
    Map<Integer, Integer> unbuilt = new TreeMap<>(fingerprints());
    byte[] checkpoint = null;
    long certainAfter = Long.MIN_VALUE;
    for (Map.Entry<Integer, Entry> trusted : found.trusted().entrySet()) {
      if (trusted.getValue().isBuilt()) {
        unbuilt.remove(trusted.getKey());
        states.set(
            trusted.getKey(),
            IndexState.ready(
                "built before the region opened", 0, trusted.getValue().certainAfter()));
      } else {
        checkpoint = smaller(checkpoint, trusted.getValue().checkpoint().orElseThrow());
        certainAfter = Math.max(certainAfter, trusted.getValue().certainAfter());
      }
    }
    if (!unbuilt.isEmpty()) {
      boolean resumable = found.trusted().keySet().containsAll(unbuilt.keySet());
      if (resumable) {
        builder.start(unbuilt, checkpoint, certainAfter, reason(found));
      } else {
        builder.startOver(unbuilt, clock.latest(), reason(found));
      }
      buildTask.wake();
    }
    if (found.isDistrusted()) {
      metrics.increment(IndexCounter.LEDGERS_DISTRUSTED);
      sweepSoon();
    }
    if (!found.dropped().isEmpty()) {
      LOG.info(
          "{}: postings of the dropped indexes {} are compacted away", region, found.dropped());
      compactTask.wake();
    }
  }

  /**
   * When the region was open before there was an observer. Writes that had begun by then are not
   * indexed, so nothing is built before an operator asks for it or the region opens again.
   *
   * @param writer what background work writes with
   * @param clock the timestamps of the region's postings
   */
  public void joined(RowReindexer writer, PostingClock clock) {
    reindexer = writer;
    postingClock = clock;
  }

  private Map<Integer, Integer> fingerprints() {
    return indexes.fingerprints(region.getTableDescriptor());
  }

  private static String reason(RegionLedger.Findings found) {
    return found
        .doubt()
        .orElse(
            found.doubtedIndexes().isEmpty()
                ? "it is new to this region, its definition, TTL or VERSIONS have changed, or the"
                    + " region lost a write before it was opened"
                : "the log holds changes that bypassed it, or versions that were dropped in memory");
  }

  private static byte[] smaller(byte[] left, byte[] right) {
    return left == null || Arrays.compareUnsigned(left, right) > 0 ? right : left;
  }

  private PacedTask.Outcome compact() throws IOException {
    region.requestCompaction(
        IndexFamily.bytes(),
        "postings of dropped indexes",
        Store.NO_PRIORITY,
        true,
        CompactionLifeCycleTracker.DUMMY);
    return PacedTask.Outcome.done(0);
  }

  private PacedTask.Outcome catchUp() throws IOException {
    ledger.catchUp();
    return PacedTask.Outcome.done(0);
  }

  // ---- open ----

  /** Has the ledger know of batches that were given to the log (P14). */
  public LoggedBatches loggedBatches() {
    return new LoggedBatches() {
      @Override
      public void begun(Object batch) {
        ledger.logged(batch);
      }

      @Override
      public void applied(Object batch) {
        ledger.settled(batch);
      }

      @Override
      public void lost(Object batch) {
        LOG.warn(
            "{}: a write failed after it was given to the log; the indexes are right, and are"
                + " built anew when the region opens next",
            region);
        ledger.forsake();
        ledger.settled(batch);
      }
    };
  }

  /** When a flush has made a store file, which the region does not use yet. */
  public void storeFlushed(Store store, StoreFile file) {
    ledger.fileAdded(StoreFileNames.of(store, file));
  }

  /** When all families of a flush are flushed. */
  public void flushed() {
    ledger.synchronize(StoreFileNames.allOf(region));
  }

  /** What a compaction reads instead of {@code scanner}. */
  public InternalScanner compacting(Store store, InternalScanner scanner, ScanType type) {
    if (!IndexFamily.is(store.getColumnFamilyDescriptor().getName())) {
      return scanner;
    }
    boolean dropsDead = type == ScanType.COMPACT_DROP_DELETES;
    return new CleaningScanner(
        scanner,
        new PostingCleaner(keys, indexes.ids(), dropsDead, region.getSmallestReadPoint(), metrics));
  }

  /** When a compaction has made a store file, which the region does not use yet. */
  public void compacted(Store store, StoreFile result, CompactionRequest request) {
    List<String> inputs = new ArrayList<>();
    request.getFiles().forEach(file -> inputs.add(StoreFileNames.of(store, file)));
    ledger.filesReplaced(inputs, StoreFileNames.of(store, result));
    if (request.isMajor()
        && concernsIndexes(List.of(store.getColumnFamilyDescriptor().getName()))) {
      sweepBehind(inputs);
    }
  }

  /** Ends the postings of what a major compaction of data has dropped, when it has. */
  private void sweepBehind(Collection<String> compactedFiles) {
    if (indexes.collectStalePostings(region.getTableDescriptor())
        || sweep.mayHaveHiddenPostings()) {
      compactions.await(compactedFiles);
      sweepSoon();
    }
  }

  /**
   * Before files are bulk loaded (P9). Files of the hidden family, as restores of backups bring
   * them, are taken off the list: they hold postings of another region or of another time, and the
   * indexes are built from the loaded data in any case.
   *
   * @param familyPaths families and files, as HBase is going to load them
   * @throws IOException if they must not be
   */
  public void bulkLoadAnnounced(List<Pair<byte[], String>> familyPaths) throws IOException {
    int announced = familyPaths.size();
    if (familyPaths.removeIf(file -> IndexFamily.is(file.getFirst()))) {
      LOG.info(
          "{}: {} files of family {} are not loaded, its indexes are built here",
          region,
          announced - familyPaths.size(),
          IndexFamily.NAME);
    }
    if (concernsIndexes(familyPaths.stream().map(Pair::getFirst).toList())) {
      try {
        distrust("files are about to be bulk loaded");
      } finally {
        // Not only after the load: its end is not announced if another coprocessor refuses it.
        buildAnew("files were to be bulk loaded");
      }
    }
  }

  /** Before bulk-loaded files are put in place. */
  public void bulkLoadCommitting(byte[] family) throws IOException {
    if (concernsIndexes(List.of(family))) {
      // The builds end with the same step that keeps others from beginning. Telling the master and
      // the ledger comes after it, since it may take a lease: no index becomes ready meanwhile, and
      // no file is put in place before this returns.
      bulkLoads.committing(() -> builder.abandon("files are being bulk loaded"));
      spreadDistrust();
    }
  }

  /** When a bulk-loaded file is in place. */
  public void bulkLoadCommitted(byte[] family, Path file) {
    ledger.fileAdded(StoreFileNames.of(Bytes.toString(family), file));
  }

  /** After a bulk load, whatever became of it. */
  public void bulkLoadEnded(Collection<byte[]> families) {
    bulkLoads.ended();
    if (concernsIndexes(families)) {
      buildAnew("files were bulk loaded");
    }
  }

  private boolean concernsIndexes(Collection<byte[]> families) {
    Set<byte[]> indexed = indexes.families();
    return families.stream().anyMatch(indexed::contains);
  }

  /** Distrusts everything that is built and builds it anew, as an operator may ask for. */
  public void rebuild() throws IOException {
    try {
      distrust("a rebuild was asked for");
    } finally {
      buildAnew("a rebuild was asked for");
      sweepSoon();
    }
  }

  /** Makes all indexes unready, first for scans and then durably. */
  private void distrust(String why) throws IOException {
    builder.abandon(why);
    spreadDistrust();
  }

  /** Makes indexes that scans no longer use unready for the master, and durably. */
  private void spreadDistrust() throws IOException {
    whenDistrusted.run();
    ledger.forgetAll();
  }

  private void buildAnew(String why) {
    bulkLoads.unlessCommitting(() -> builder.startOver(fingerprints(), postingClock.latest(), why));
    buildTask.wake();
  }

  // ---- closing ----

  /** Before the region flushes for the last time. */
  public void closing() {
    buildTask.stop();
    staleTask.stop();
    sweepTask.stop();
    compactTask.stop();
    ledgerTask.stop();
    ledger.closing();
    builder.checkpoint();
    ledger.synchronize(StoreFileNames.allOf(region));
  }

  /**
   * When the region is closed.
   *
   * @param aborted whether it was given up without a flush
   */
  public void closed(boolean aborted) {
    if (aborted) {
      ledger.abandon();
    } else {
      ledger.close();
    }
  }

  // ---- background work ----

  private boolean inPlace() {
    return compactions.areInPlace(() -> StoreFileNames.allOf(region));
  }

  private void sweepSoon() {
    sweep.start();
    sweepTask.wake();
  }

  private RowIndexing.Obstacles reindex(List<byte[]> rows, Set<Integer> indexIds)
      throws IOException {
    return new RowIndexing(reindexer).index(rows, indexIds);
  }

  private long endIfStale(List<byte[]> indexRows) throws IOException {
    return new RowIndexing(reindexer).endIfStale(indexRows, keys, indexes);
  }

  private List<byte[]> thinnedFamilies() {
    return region.getStores().stream()
        .filter(
            store ->
                MemoryCompaction.dropsVersions(
                    store.getColumnFamilyDescriptor(), store.getReadOnlyConfiguration()))
        .map(store -> store.getColumnFamilyDescriptor().getName())
        .toList();
  }

  private Map<byte[], Long> flushedUpTo() {
    Map<byte[], Long> flushed = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Store store : region.getStores()) {
      store
          .getMaxSequenceId()
          .ifPresent(id -> flushed.put(store.getColumnFamilyDescriptor().getName(), id));
    }
    return flushed;
  }
}
