/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.region.lifecycle.background.PacedTask;
import io.hbaseindex.region.lifecycle.ledger.RegionLedger;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Builds indexes of a region while it is written to, some hundred rows per step.
 *
 * <p>From the moment the region opened, every write maintains every index, built or not. So the
 * builder only has to visit each row that was there before, once: it lists the next rows and has
 * their postings written by the same function, under the same row lock, as any write. Nothing is
 * carried from the listing to the writing but the row key, hence a row that changes in between is
 * no problem, and memory is bounded by a page of row keys.
 *
 * <p>All indexes that need it are built in one pass. How far the pass is goes into the ledger every
 * {@value #CHECKPOINT_ROWS} rows and when the region closes, always after the postings it speaks of
 * are durable; a region that opens elsewhere goes on from there. An index becomes ready in one
 * moment, when the last row is done. An index that meets a row which it can take only after a
 * compaction is left out until the others are ready, and then tried from that row on, again and
 * again.
 *
 * <p>Something may happen that makes what was done so far worthless, such as a bulk load: {@link
 * #startOver} then ends the pass and begins a new one, whatever step is under way.
 *
 * <p>Thread-safe; steps come one at a time.
 */
final class IndexBuilder implements PacedTask.Step {

  static final int CHECKPOINT_ROWS = 10_000;
  private static final int PAGE_ROWS = 250;
  private static final byte[] FIRST_ROW = {};

  /** Writes the postings of rows. */
  interface Reindex {
    /** Returns what stands in the way of which index; usually nothing. */
    RowIndexing.Obstacles reindex(List<byte[]> rows, Set<Integer> indexIds) throws IOException;
  }

  /** Lists the rows to visit. */
  interface Rows {
    RowDiscovery.Page from(byte[] first, int limit) throws IOException;

    /**
     * How many there are.
     *
     * @param first the row that a build begins with
     */
    default Estimate estimate(byte[] first) throws IOException {
      return Estimate.UNKNOWN;
    }
  }

  /**
   * How many rows a region has.
   *
   * @param before how many of them a build that is resumed has behind it
   * @param all 0 if nobody knows
   */
  record Estimate(long before, long all) {
    static final Estimate UNKNOWN = new Estimate(0, 0);
  }

  private final Rows rows;
  private final Reindex reindex;
  private final RegionLedger ledger;
  private final IndexStates states;
  private final IndexMetrics metrics;

  /** What is being built: fingerprint by index id. */
  private final Map<Integer, Integer> building = new TreeMap<>();

  /** What the pass leaves out because of a row that cannot be indexed yet, like the above. */
  private final Map<Integer, Integer> putOff = new TreeMap<>();

  /** The first page that an index was left out of; all before it is done. */
  private byte[] putOffFrom = FIRST_ROW;

  private String putOffReason = "";
  private byte[] next = FIRST_ROW;
  private long certainAfter;
  private long rowsDone;
  private Estimate estimate = Estimate.UNKNOWN;
  private long rowsSinceCheckpoint;

  /**
   * Counts the beginnings; a step that finds another one than it started with throws its result
   * away.
   */
  private long pass;

  IndexBuilder(
      Rows rows, Reindex reindex, RegionLedger ledger, IndexStates states, IndexMetrics metrics) {
    this.rows = rows;
    this.reindex = reindex;
    this.ledger = ledger;
    this.states = states;
    this.metrics = metrics;
  }

  /**
   * Begins a pass over the region.
   *
   * @param indexes what to build: fingerprint by index id
   * @param checkpoint the first row that is not known to be done
   * @param certainAfter the latest timestamp of a posting when the indexes began to be built
   * @param why for the states
   */
  synchronized void start(
      Map<Integer, Integer> indexes, byte[] checkpoint, long certainAfter, String why) {
    this.certainAfter = certainAfter;
    pass++;
    building.clear();
    putOff.clear();
    building.putAll(indexes);
    next = checkpoint.clone();
    rowsDone = 0;
    estimate = Estimate.UNKNOWN;
    rowsSinceCheckpoint = 0;
    boolean resumed = checkpoint.length > 0;
    metrics.add(IndexCounter.BUILDS_STARTED, indexes.size());
    metrics.add(IndexCounter.BUILDS_RESUMED, resumed ? indexes.size() : 0);
    String from = resumed ? "; resumed at row " + Bytes.toStringBinary(checkpoint) : "";
    indexes
        .keySet()
        .forEach(id -> states.set(id, IndexState.waiting("waits to be built: " + why + from)));
  }

  /** Begins anew with these indexes, from the first row. */
  void startOver(Map<Integer, Integer> indexes, long certainAfter, String why) {
    start(indexes, FIRST_ROW, certainAfter, why);
  }

  /**
   * Ends the pass without a result and makes all indexes wait, in one step: a pass that reaches its
   * end at this moment must not make them ready again.
   */
  synchronized void abandon(String why) {
    pass++;
    building.clear();
    putOff.clear();
    states.setAllSupported(IndexState.waiting(why));
  }

  /** Writes down how far the pass is, because the region closes. */
  synchronized void checkpoint() {
    if (!building.isEmpty() && next.length > 0) {
      ledger.progress(building, next, certainAfter);
      rowsSinceCheckpoint = 0;
    }
  }

  @Override
  public PacedTask.Outcome run() throws IOException {
    long started;
    byte[] first;
    Set<Integer> indexIds;
    boolean begins;
    synchronized (this) {
      if (building.isEmpty()) {
        return PacedTask.Outcome.done(0);
      }
      started = pass;
      first = next;
      begins = rowsDone == 0;
      indexIds = Set.copyOf(building.keySet());
    }
    if (begins) {
      expect(started, rows.estimate(first));
    }
    RowDiscovery.Page page = rows.from(first, PAGE_ROWS);
    RowIndexing.Obstacles obstacles =
        page.rows().isEmpty() ? RowIndexing.Obstacles.NONE : reindex.reindex(page.rows(), indexIds);
    return stepped(started, page, obstacles);
  }

  private synchronized void expect(long started, Estimate expected) {
    if (started == pass) {
      estimate = expected;
    }
  }

  private synchronized PacedTask.Outcome stepped(
      long started, RowDiscovery.Page page, RowIndexing.Obstacles obstacles) throws IOException {
    int visited = page.rows().size();
    metrics.add(IndexCounter.BUILD_ROWS, visited);
    if (started != pass) {
      return new PacedTask.Outcome(visited, building.isEmpty());
    }
    obstacles.never().forEach(this::giveUp);
    obstacles.notYet().forEach(this::putOff);
    rowsDone += visited;
    rowsSinceCheckpoint += visited;
    Optional<byte[]> following = page.next();
    if (following.isEmpty() || building.isEmpty()) {
      if (!building.isEmpty()) {
        finish();
      }
      resumePutOff();
      return PacedTask.Outcome.done(visited);
    }
    next = following.get();
    if (rowsSinceCheckpoint >= CHECKPOINT_ROWS) {
      checkpoint();
    }
    String progress =
        "is being built: %d %s, next is %s"
            .formatted(
                reached(),
                estimate.all() == 0 ? "rows done" : "of about %d rows".formatted(expected()),
                Bytes.toStringBinary(Arrays.copyOf(next, next.length - 1)));
    building
        .keySet()
        .forEach(id -> states.set(id, IndexState.building(progress, reached(), expected())));
    return PacedTask.Outcome.more(visited);
  }

  /** Rows gone through, with those of before the region was opened. */
  private long reached() {
    return estimate.before() + rowsDone;
  }

  /** An estimate that was too low is corrected by what was met. */
  private long expected() {
    return estimate.all() == 0 ? 0 : Math.max(estimate.all(), reached());
  }

  private void giveUp(int indexId, String why) {
    if (building.remove(indexId) != null) {
      ledger.forget(indexId);
      states.set(indexId, IndexState.unsupported(why));
    }
  }

  /** Leaves an index out of the rest of the pass, and remembers from which page on. */
  private void putOff(int indexId, String why) {
    Integer fingerprint = building.remove(indexId);
    if (fingerprint != null) {
      if (putOff.isEmpty()) {
        putOffFrom = next;
      }
      putOff.put(indexId, fingerprint);
      putOffReason = why;
      states.set(indexId, IndexState.waiting(why));
    }
  }

  /**
   * Turns to the indexes that were left out, now that the others are done.
   *
   * @throws IOException if there are any, so that they are tried again later and not at once
   */
  private void resumePutOff() throws IOException {
    if (putOff.isEmpty()) {
      return;
    }
    building.putAll(putOff);
    putOff.clear();
    next = putOffFrom;
    throw new IOException(putOffReason);
  }

  private void finish() {
    ledger.built(building, certainAfter);
    String done = "built, %d rows".formatted(rowsDone);
    building.keySet().forEach(id -> states.set(id, IndexState.ready(done, rowsDone, certainAfter)));
    metrics.add(IndexCounter.BUILDS_FINISHED, building.size());
    building.clear();
  }

  /** Tells the states about an error after which the build is tried again. */
  synchronized void failed(Throwable failure, long retryMillis) {
    metrics.increment(IndexCounter.BUILD_RETRIES);
    String why =
        "stopped by %s after %d rows; tried again in %d ms"
            .formatted(failure, rowsDone, retryMillis);
    building.keySet().forEach(id -> states.set(id, IndexState.waiting(why)));
  }
}
