/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.region.context.FilterFeed;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.context.RowLocks;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.WriteRefusal;
import io.hbaseindex.region.write.plan.IndexedColumns;
import io.hbaseindex.region.write.plan.PostingPlan;
import io.hbaseindex.region.write.plan.RowChange;
import io.hbaseindex.region.write.plan.RowPostings;
import io.hbaseindex.region.write.plan.RowVersions;
import io.hbaseindex.region.write.plan.UnindexableRowException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Adds to every batch of an indexed region the postings it calls for, so that data and postings
 * share one log edit, one sequence id and one fate.
 *
 * <p>The hooks of one batch run on one thread, in this order: {@link #computed} for each increment
 * and append, {@link #beforeBatch}, {@link #beforeLogAppend}, {@link #afterApply}, {@link
 * #afterBatch}. Row locks are taken in {@code beforeBatch}, after HBase's own and inside its update
 * lock, and released in {@code afterApply}, when the cells are in the memstore and before the wait
 * for the master. A batch that fails on the way does not come there and releases them in {@code
 * afterBatch}. HBase may skip that hook too when another coprocessor fails; the next batch of the
 * thread then releases them.
 */
@InterfaceAudience.Private
public final class BatchIndexer {
  private static final byte[] HIDDEN = IndexFamily.bytes();

  private final RegionIndexes region;
  private final IndexedColumns columns;
  private final MutationRules rules;
  private final StoredRows storedRows;
  private final List<RowPostings> indexes;
  private final RowReindexer reindexer;
  private final PostingReader postingReader;
  private final FilterFeed feed;
  private final LongSupplier wallClockMillis;
  private final LoggedBatches logged;
  private final ThreadLocal<BatchInFlight> inFlight = new ThreadLocal<>();
  private volatile LogMark logMark;

  BatchIndexer(
      RegionIndexes region,
      IndexedColumns columns,
      StoredRows storedRows,
      List<RowPostings> indexes,
      RowReindexer reindexer,
      FilterFeed feed,
      LongSupplier wallClockMillis,
      LoggedBatches logged) {
    this.region = region;
    this.feed = feed;
    this.columns = columns;
    this.rules = new MutationRules(region.region().getTableDescriptor());
    this.storedRows = storedRows;
    this.indexes = indexes;
    this.reindexer = reindexer;
    this.logMark = new LogMark(region.definitions().definitions());
    this.postingReader = new PostingReader(region.region());
    this.wallClockMillis = wallClockMillis;
    this.logged = logged;
  }

  /** Takes note of the cells that an increment or append comes to. */
  public void computed(Mutation mutation, List<Cell> cells) {
    BatchInFlight batch = inFlight.get();
    if (batch == null) {
      batch = new BatchInFlight();
      inFlight.set(batch);
    }
    batch.addComputed(mutation, cells);
  }

  /** Locks the rows, reads what they hold, and adds the postings. */
  public void beforeBatch(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    BatchInFlight previous = inFlight.get();
    noteIfLost(previous);
    BatchInFlight current = BatchInFlight.after(previous);
    inFlight.set(current);
    boolean done = false;
    try {
      RowReindexer.Request request = reindexer.current();
      if (request == null) {
        index(batch, current);
      } else {
        reindex(batch, current, request);
      }
      done = true;
    } catch (WriteRefusedException e) {
      throw refusal(e.reason(), e);
    } catch (UnindexableRowException e) {
      if (reindexer.current() != null) {
        throw e;
      }
      throw refusal(e.reason(), e);
    } finally {
      if (!done) {
        afterBatch(false);
      }
    }
  }

  /** Counts a refusal, and puts it in words of HBase: clients need not know our classes. */
  private DoNotRetryIOException refusal(WriteRefusal reason, IOException why) {
    region.metrics().refusedWrite(reason);
    return new DoNotRetryIOException(why.getMessage(), why);
  }

  private void index(MiniBatchOperationInProgress<Mutation> batch, BatchInFlight current)
      throws IOException {
    BatchChanges changes = BatchChanges.gather(batch, columns, rules, current);
    if (changes.isEmpty()) {
      current.setFilterStep(feed.beginUnindexed());
      return;
    }
    current.hold(lock(changes.rows()));
    // Before the rows are read: a posting never says more than was stored at its timestamp.
    long timestamp = region.clock().tick();
    PostingPlan plan = new PostingPlan();
    long now = wallClockMillis.getAsLong();
    try (StoredRows.Cursor stored = storedRows.open()) {
      for (RowChange change : changes.changes()) {
        plan(change, stored, plan, now);
      }
    }
    attach(plan, timestamp, batch, changes.firstIndexedOperation(), current);
    current.setFilterStep(filterStep(plan));
  }

  /**
   * Tells the filter what starts and what ends. What a row's stored versions call for need not be
   * what its postings say, for example where values have expired, or while an index is being built;
   * a filter that follows postings has to go by the postings themselves, unless the row leaves no
   * doubt (rule F1).
   */
  private FilterFeed.Step filterStep(PostingPlan plan) throws IOException {
    if (!feed.isFollowing()) {
      return feed.begin(List.of(), List.of(), List.of());
    }
    Set<IndexDefinition> ready = ready();
    List<byte[]> unsure = new ArrayList<>();
    for (PostingPlan.Planned posting : plan.postings()) {
      if (!isKnown(posting, ready)) {
        unsure.add(posting.key());
      }
    }
    Set<byte[]> alreadyLive = postingReader.live(unsure);
    List<byte[]> started = new ArrayList<>();
    List<byte[]> kept = new ArrayList<>();
    List<byte[]> ended = new ArrayList<>();
    for (PostingPlan.Planned posting : plan.postings()) {
      byte[] key = posting.key();
      boolean live =
          isKnown(posting, ready)
              ? posting.before() == PostingPlan.Before.LIVE
              : alreadyLive.contains(key);
      if (posting.state() == PostingState.LIVE) {
        (live ? kept : started).add(key);
      } else if (live && posting.index().isEager()) {
        // A lazy index counts a value each time it is written, so its filter never forgets one.
        ended.add(key);
      }
    }
    return feed.begin(started, kept, ended);
  }

  /**
   * The indexes of which every row has the postings that it calls for. Asked after the rows have
   * been read, and while they are locked: a bulk load ends this before its files can be read, and
   * no build is over that has not come to these rows.
   */
  private Set<IndexDefinition> ready() {
    Set<IndexDefinition> ready = Collections.newSetFromMap(new IdentityHashMap<>());
    for (RowPostings index : indexes) {
      if (region.readiness().isReady(index.definition().id())) {
        ready.add(index.definition());
      }
    }
    return ready;
  }

  /** Whether the plan tells if a posting is live before the batch. */
  private static boolean isKnown(PostingPlan.Planned posting, Set<IndexDefinition> ready) {
    return switch (posting.before()) {
      case ENDED -> true;
      case LIVE -> ready.contains(posting.index());
      case UNKNOWN -> false;
    };
  }

  private void reindex(
      MiniBatchOperationInProgress<Mutation> batch,
      BatchInFlight current,
      RowReindexer.Request request)
      throws IOException {
    SortedMap<byte[], RowTask> tasks = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    int firstOperation = -1;
    for (int i = 0; i < batch.size(); i++) {
      if (BatchChanges.isPending(batch, i)) {
        RowTask task = request.taskOf(batch.getOperation(i));
        tasks.merge(task.row(), task, RowTask::and);
        firstOperation = firstOperation < 0 ? i : firstOperation;
      }
    }
    if (tasks.isEmpty()) {
      return;
    }
    current.hold(lock(tasks.keySet()));
    long timestamp = region.clock().tick();
    PostingPlan plan = new PostingPlan();
    long now = wallClockMillis.getAsLong();
    Set<byte[]> live = postingReader.live(ownSuspects(tasks.values()));
    for (RowPostings index : indexes) {
      try (StoredRows.Cursor stored = storedRows.open()) {
        for (RowTask task : tasks.values()) {
          plan(task, index, live, stored, request, plan, now);
        }
      }
    }
    attach(plan, timestamp, batch, firstOperation, current);
    current.setFilterStep(filterStep(plan));
    request.count(plan.liveCount(), plan.postings().size() - plan.liveCount());
  }

  private List<byte[]> ownSuspects(Collection<RowTask> tasks) {
    List<byte[]> own = new ArrayList<>();
    for (RowTask task : tasks) {
      for (byte[] key : task.suspects()) {
        if (region.keys().isOwn(key, 0, key.length)) {
          own.add(key);
        }
      }
    }
    return own;
  }

  private void plan(
      RowTask task,
      RowPostings index,
      Set<byte[]> live,
      StoredRows.Cursor cursor,
      RowReindexer.Request request,
      PostingPlan plan,
      long now)
      throws IOException {
    List<byte[]> suspects = new ArrayList<>();
    for (byte[] key : task.suspects()) {
      if (live.contains(key)
          && region.keys().indexIdOf(key, 0, key.length) == index.definition().id()) {
        suspects.add(key);
      }
    }
    if (request.wants(index) || !suspects.isEmpty()) {
      RowVersions stored = cursor.read(task.row(), columns.familiesOf(index));
      plan.setRight(index, task.row(), stored, suspects, request.wants(index), now);
    }
  }

  private void plan(RowChange change, StoredRows.Cursor cursor, PostingPlan plan, long now)
      throws IOException {
    boolean[] families = new boolean[columns.familyCount()];
    boolean needsStored = false;
    for (RowPostings index : indexes) {
      if (change.touches(index) && PostingPlan.needsStored(index, change)) {
        needsStored = true;
        for (int column : index.allColumns()) {
          families[columns.familyOf(column)] = true;
        }
      }
    }
    RowVersions stored = needsStored ? cursor.readFor(change, families) : new RowVersions(columns);
    for (RowPostings index : indexes) {
      if (change.touches(index)) {
        plan.add(index, change, stored, now);
      }
    }
  }

  private RowLocks.Held lock(Collection<byte[]> rows) throws IOException {
    try {
      return region.rowLocks().acquire(rows);
    } catch (TimeoutException e) {
      region.metrics().refusedWrite(WriteRefusal.ROW_LOCK_TIMEOUT);
      // A refusal that clients answer by waiting and trying again.
      RegionTooBusyException busy =
          new RegionTooBusyException(
              "Cannot write in region %s: %s; try again"
                  .formatted(region.region().getRegionInfo().getEncodedName(), e.getMessage()));
      busy.initCause(e);
      throw busy;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException(
                  "Cannot write in region %s: interrupted while waiting for a row lock"
                      .formatted(region.region().getRegionInfo().getEncodedName()))
              .initCause(e);
    }
  }

  private void attach(
      PostingPlan plan,
      long timestamp,
      MiniBatchOperationInProgress<Mutation> batch,
      int operation,
      BatchInFlight current) {
    if (plan.hasHidden()) {
      region.stalePostings().expectAfterCompaction();
    }
    if (plan.isEmpty()) {
      return;
    }
    List<Cell> cells = new ArrayList<>(plan.postings().size());
    for (PostingPlan.Planned posting : plan.postings()) {
      cells.add(new PostingCell(posting, timestamp));
    }
    // One mutation carries the cells of all index rows: HBase locks the row of each mutation it is
    // given, and the rows of the index need no lock beyond those of the data rows.
    Put carrier = new Put(batch.getOperation(operation).getRow());
    carrier.getFamilyCellMap().put(HIDDEN, cells);
    Mutation[] others = batch.getOperationsFromCoprocessors(operation);
    Mutation[] all = others == null ? new Mutation[1] : Arrays.copyOf(others, others.length + 1);
    all[all.length - 1] = carrier;
    batch.addOperationsFromCP(operation, all);
    current.setPostings(cells.size());
    region.metrics().add(IndexCounter.POSTINGS_WRITTEN_LIVE, plan.liveCount());
    region.metrics().add(IndexCounter.POSTINGS_WRITTEN_DEAD, cells.size() - plan.liveCount());
    region.metrics().add(IndexCounter.POSTINGS_WRITTEN_UNDECODED, plan.undecodedCount());
  }

  /**
   * Checks, as the last one who can, that the log edit holds exactly the indexed cells whose
   * postings are in it (rule P8), and marks the entry.
   */
  public void beforeLogAppend(WALKey key, List<Cell> written) throws IOException {
    BatchInFlight current = inFlight.get();
    int postings = 0;
    int foreign = 0;
    int inOrder = 0;
    List<Cell> others = new ArrayList<>(0);
    for (Cell cell : written) {
      if (current != null && current.isProcessed(inOrder, cell)) {
        // The usual case: cells come in the order in which they were processed.
        inOrder++;
      } else if (cell instanceof PostingCell) {
        postings++;
      } else if (isHidden(cell)) {
        foreign++;
      } else {
        int family = CellColumns.familyOf(columns, cell);
        if (family != IndexedColumns.NONE && CellColumns.concerns(columns, family, cell)) {
          others.add(cell);
        }
      }
    }
    boolean exact =
        current == null
            ? postings == 0 && others.isEmpty()
            : postings == current.postings() && current.areExactly(inOrder, others);
    if (foreign > 0 || !exact) {
      region.metrics().refusedWrite(WriteRefusal.BYPASSED_INDEX);
      throw new DoNotRetryIOException(
          "Cannot write in region %s: the log edit held %d indexed cells and %d of the index that did not pass the index observer as they are; another coprocessor or a row processor wrote them; let it use batchMutate, or give the index observer the lowest priority"
              .formatted(
                  region.region().getRegionInfo().getEncodedName(),
                  inOrder + others.size(),
                  foreign));
    }
    logMark.putOn(key);
    if (current != null) {
      logged.begun(current);
      current.logged();
    }
  }

  private static boolean isHidden(Cell cell) {
    return IndexFamily.is(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
  }

  /**
   * The thread's batch is in the memstore and not visible yet: frees its rows, then waits, for a
   * bounded time, until the master knows of it.
   */
  public void afterApply() {
    BatchInFlight current = inFlight.get();
    if (current != null) {
      logged.applied(current);
      current.applied();
    }
  }

  /**
   * Ends the thread's batch; does nothing if there is none; never throws.
   *
   * @param visible whether it has succeeded and readers see it
   */
  public void afterBatch(boolean visible) {
    BatchInFlight current = inFlight.get();
    if (current != null) {
      inFlight.remove();
      try {
        noteIfLost(current);
      } finally {
        current.end(visible);
      }
    }
  }

  /**
   * Sees to it that the indexes are not trusted when the log brings back a batch that the memstore
   * lacks (rule P14). Comes before the row locks are released: whoever writes one of the rows next
   * plans without the batch, and its log entry has to say so.
   */
  private void noteIfLost(BatchInFlight batch) {
    if (batch != null && batch.isLost()) {
      logMark = logMark.afterLoss();
      logged.lost(batch);
    }
  }
}
