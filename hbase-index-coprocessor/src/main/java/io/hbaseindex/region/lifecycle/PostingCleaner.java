/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.MalformedPostingException;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Decides which postings a compaction of the hidden family leaves out; it never leaves out one that
 * a scan may need.
 *
 * <ul>
 *   <li><b>Foreign</b> postings, of another incarnation or of an index that is no longer defined,
 *       are left out by every compaction. Nobody ever reads them: incarnations and index ids are
 *       not used again.
 *   <li><b>Dead</b> postings are left out only by a compaction that also drops HBase's own delete
 *       markers, and only together with all older versions. Such a compaction reads every file that
 *       may hold an older version of what it reads. A minor one does not: leaving out a dead
 *       posting there would bring back the live version that it hides in a file outside the
 *       compaction. What is <em>not</em> part of a major compaction, the memstore and files flushed
 *       since it began, holds only newer versions: all versions of one posting are written under
 *       the lock of its row with rising timestamps (P1), and reach files in that order.
 *   <li>A dead posting that is newer than the smallest read point stays, with its older versions: a
 *       scan that began before it was written must still find the posting live. The read point is
 *       taken when the compaction begins; it only rises afterwards.
 *   <li>A live posting always stays, as does one whose state cannot be read.
 * </ul>
 *
 * <p>The clock of postings may restart below the timestamp of a dead posting that was left out.
 * That is harmless: the compaction left nothing of that posting behind which a lower timestamp
 * could lose against.
 *
 * <p>Cells come row by row, newest first, one row possibly in several pieces. Not thread-safe.
 */
final class PostingCleaner {

  private final IndexRowKeys keys;
  private final Set<Integer> indexIds;
  private final boolean dropsDead;
  private final long smallestReadPoint;
  private final IndexMetrics metrics;

  /** Copy of the row that was decided last; cells may be backed by memory that is soon reused. */
  private byte[] row = new byte[0];

  private boolean rowIsDropped;

  /**
   * @param keys of the region as it is now
   * @param indexIds the indexes that are defined
   * @param dropsDead whether the compaction reads everything that a dead posting may hide
   * @param smallestReadPoint no scan reads below this
   */
  PostingCleaner(
      IndexRowKeys keys,
      Set<Integer> indexIds,
      boolean dropsDead,
      long smallestReadPoint,
      IndexMetrics metrics) {
    this.keys = keys;
    this.indexIds = indexIds;
    this.dropsDead = dropsDead;
    this.smallestReadPoint = smallestReadPoint;
    this.metrics = metrics;
  }

  /** Removes from {@code cells}, the next cells of the compaction, those to be left out. */
  void clean(List<Cell> cells) {
    for (Iterator<Cell> each = cells.iterator(); each.hasNext(); ) {
      Cell cell = each.next();
      if (!CellUtil.matchingRows(cell, row)) {
        row = CellUtil.cloneRow(cell);
        rowIsDropped = decide(cell);
      }
      if (rowIsDropped) {
        each.remove();
      }
    }
  }

  /** Whether the row that begins with this cell, its newest version, is left out. */
  private boolean decide(Cell newest) {
    if (!keys.isOwn(row, 0, row.length) || !indexIds.contains(keys.indexIdOf(row, 0, row.length))) {
      metrics.increment(IndexCounter.COMPACTION_DROPPED_FOREIGN);
      return true;
    }
    boolean dead = dropsDead && sequenceIdOf(newest) <= smallestReadPoint && isDead(newest);
    if (dead) {
      metrics.increment(IndexCounter.COMPACTION_DROPPED_DEAD);
    }
    return dead;
  }

  @SuppressWarnings("deprecation") // HBase offers nothing else for it.
  private static long sequenceIdOf(Cell cell) {
    return cell.getSequenceId();
  }

  private static boolean isDead(Cell cell) {
    if (cell.getType() != Cell.Type.Put) {
      return false;
    }
    try {
      return PostingState.parse(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
          == PostingState.DEAD;
    } catch (MalformedPostingException e) {
      return false;
    }
  }
}
