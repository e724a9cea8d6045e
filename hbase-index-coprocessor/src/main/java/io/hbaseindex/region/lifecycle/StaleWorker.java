/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.region.context.StalePostings;
import io.hbaseindex.region.lifecycle.background.PacedTask;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ends postings that a reader or a check has reported as stale. Readers only leave a note; the
 * worker looks again later, under the row lock (P12).
 *
 * <p>A note is a suspicion, not a verdict: between the reader and the worker the value may have
 * come back. The worker hands the row to the one way in which postings are written, which looks
 * again under the row's lock.
 *
 * <p>Notes are bounded in number and bytes. A note that finds no room is dropped and counted; the
 * next reader that meets the posting leaves it again. Notes are also lost when the region closes or
 * a step fails, for the same reason.
 */
final class StaleWorker implements PacedTask.Step {

  static final int MAX_NOTES = 4_096;
  static final long MAX_BYTES = 1 << 20;
  private static final int STEP = 200;

  /** Looks at suspects again and ends those that are stale. */
  interface Verdict {
    /** Returns how many were ended. */
    long endIfStale(List<byte[]> indexRows) throws IOException;
  }

  private final Verdict verdict;
  private final IndexMetrics metrics;
  private final Set<ByteBuffer> notes = new LinkedHashSet<>();
  private long bytes;
  private Runnable onFirstNote = () -> {};

  StaleWorker(Verdict verdict, IndexMetrics metrics) {
    this.verdict = verdict;
    this.metrics = metrics;
  }

  /** Says what wakes this worker when there is something to do. */
  synchronized void wakeBy(Runnable wake) {
    onFirstNote = wake;
  }

  /** Leaves a note, or drops it if there is no room; see {@link StalePostings#offer}. */
  void offer(byte[] indexRow) {
    boolean noted;
    Runnable wake = null;
    synchronized (this) {
      ByteBuffer note = ByteBuffer.wrap(indexRow);
      if (notes.contains(note)) {
        return;
      }
      noted = notes.size() < MAX_NOTES && bytes + indexRow.length <= MAX_BYTES;
      if (noted) {
        notes.add(note);
        bytes += indexRow.length;
        wake = notes.size() == 1 ? onFirstNote : null;
      }
    }
    metrics.increment(noted ? IndexCounter.STALE_QUEUED : IndexCounter.STALE_NOT_QUEUED);
    if (wake != null) {
      wake.run();
    }
  }

  synchronized int waiting() {
    return notes.size();
  }

  @Override
  public PacedTask.Outcome run() throws IOException {
    List<byte[]> suspects = take();
    if (!suspects.isEmpty()) {
      metrics.add(IndexCounter.STALE_ENDED, verdict.endIfStale(suspects));
    }
    return new PacedTask.Outcome(suspects.size(), waiting() == 0);
  }

  private synchronized List<byte[]> take() {
    List<byte[]> taken = new ArrayList<>();
    Iterator<ByteBuffer> each = notes.iterator();
    while (each.hasNext() && taken.size() < STEP) {
      byte[] indexRow = each.next().array();
      each.remove();
      bytes -= indexRow.length;
      taken.add(indexRow);
    }
    return taken;
  }
}
