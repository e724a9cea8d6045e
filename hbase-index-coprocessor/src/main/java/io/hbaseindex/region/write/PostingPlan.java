package io.hbaseindex.region.write;

import io.hbaseindex.core.entry.PostingState;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The postings that belong into a batch: for every row of it, what ends and what is live
 * afterwards. A pure function of what is stored and what the batch does.
 *
 * <p>Per eager index: <em>before</em> are the postings of the stored row, <em>after</em> those of
 * the row with the batch applied. All of <em>after</em> is written as live, also what was there
 * already, since an earlier batch may have failed half-way (rule P2); what is in <em>before</em>
 * only is written as dead. A lazy index never writes a dead posting; if the batch only puts to its
 * single column, it needs no look at the stored row at all.
 *
 * <p>Postings are compared by key, so values that share a key are never told apart here and ended
 * by mistake; each key occurs once, in its final state.
 */
final class PostingPlan {
  private final NavigableMap<byte[], PostingState> postings =
      new TreeMap<>(Arrays::compareUnsigned);

  /** Keys that may have been live before; all others were not, as far as the plan knows. */
  private final Set<byte[]> perhapsLive = new TreeSet<>(Arrays::compareUnsigned);

  /** Whether {@link #add} needs to know what is stored to plan this index for this change. */
  static boolean needsStored(RowPostings index, RowChange change) {
    return !index.isBlind() || change.deletesFrom(index.columns()[0]);
  }

  /**
   * Plans one row for one index.
   *
   * @param stored the stored versions of the index's columns; not looked at if {@link #needsStored}
   *     says no
   */
  void add(RowPostings index, RowChange change, RowVersions stored, long now)
      throws UnindexableRowException {
    if (!needsStored(index, change)) {
      for (byte[] value : change.valuesPut(index.columns()[0])) {
        postings.put(index.key(change.row(), List.of(value)), PostingState.LIVE);
      }
      return;
    }
    SortedSet<byte[]> after = index.of(change.row(), change.applyTo(stored), now);
    if (index.definition().isEager()) {
      for (byte[] key : index.of(change.row(), stored, now)) {
        addDead(key);
      }
    }
    after.forEach(key -> postings.put(key, PostingState.LIVE));
  }

  /**
   * Plans what it takes to set one row right in one index, from what is stored.
   *
   * @param suspects live postings of the row in this index that may be stale; those that the row
   *     does not call for are ended
   * @param rewrite whether to write what the row calls for in any case. When a suspect is ended it
   *     is written all the same: a column of a composite index that expired has moved the row to
   *     another posting, which nobody has written yet
   */
  void setRight(
      RowPostings index,
      byte[] row,
      RowVersions stored,
      Collection<byte[]> suspects,
      boolean rewrite,
      long now)
      throws UnindexableRowException {
    SortedSet<byte[]> called = index.of(row, stored, now);
    boolean ended = false;
    for (byte[] suspect : suspects) {
      if (!called.contains(suspect)) {
        addDead(suspect);
        ended = true;
      }
    }
    if (rewrite || ended) {
      perhapsLive.addAll(called);
      called.forEach(key -> postings.put(key, PostingState.LIVE));
    }
  }

  private void addDead(byte[] key) {
    perhapsLive.add(key);
    postings.put(key, PostingState.DEAD);
  }

  /** Whether the posting may have been live before the batch; if not, it certainly starts now. */
  boolean mayHaveBeenLive(byte[] key) {
    return perhapsLive.contains(key);
  }

  int liveCount() {
    return (int) postings.values().stream().filter(state -> state == PostingState.LIVE).count();
  }

  boolean isEmpty() {
    return postings.isEmpty();
  }

  /** Every posting to write, by key. */
  NavigableMap<byte[], PostingState> postings() {
    return postings;
  }
}
