/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.entry.PostingState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.yetus.audience.InterfaceAudience;

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
 * <p>A posting is written as <em>certain</em> if the row shows exactly its values and goes on to,
 * whatever HBase does with its files (rule A1). Since the batch that changes this writes the
 * posting anew, dead or without the mark, it never says so for longer than it is true. The same
 * goes for the cells that it carries: a batch that concerns only an included column writes the
 * postings of the row again (rule A2).
 *
 * <p>Postings are compared by key, so values that share a key are never told apart here and ended
 * by mistake. Keys name index and row, and a row is planned once per index; so each key occurs
 * once, in its final state.
 */
@InterfaceAudience.Private
public final class PostingPlan {
  private static final byte[] DEAD = {PostingState.DEAD.code()};

  /** The value of a posting whose row has to be asked. */
  private static final byte[] UNCERTAIN = PostingCertainty.live(PostingCertainty.NEVER);

  private final List<Planned> postings = new ArrayList<>();
  private int live;
  private int undecoded;
  private boolean hidden;

  /** What is known, from the stored versions of its row, of a posting before the batch. */
  public enum Before {
    /** It starts now, as far as its row tells: counted twice at worst. */
    ENDED,
    /** It is live, in every region whose index is ready (rule F1). */
    LIVE,
    /** Who has to know must look at the posting itself. */
    UNKNOWN
  }

  /**
   * One posting to write.
   *
   * @param value the value of its cell
   */
  public record Planned(
      IndexDefinition index, byte[] key, PostingState state, byte[] value, Before before) {}

  /** Whether {@link #add} needs to know what is stored to plan this index for this change. */
  public static boolean needsStored(RowPostings index, RowChange change) {
    return !index.isBlind() || change.deletesFrom(index.columns()[0]);
  }

  /**
   * Plans one row for one index.
   *
   * @param stored the stored versions of the index's columns; not looked at if {@link #needsStored}
   *     says no
   */
  public void add(RowPostings index, RowChange change, RowVersions stored, long now)
      throws UnindexableRowException {
    if (!needsStored(index, change)) {
      addBlindly(index, change);
      return;
    }
    RowVersions afterwards = change.applyTo(stored);
    List<byte[]> after = index.of(change.row(), afterwards, now);
    hidden = hidden || index.hasHidden(afterwards, now);
    if (index.definition().isEager()) {
      List<byte[]> before = index.writable(change.row(), stored, now);
      Before known = index.isLasting(stored, now) ? Before.LIVE : Before.UNKNOWN;
      addDead(index, before, after, known);
      byte[] value = index.liveValue(afterwards, now);
      after.forEach(
          key ->
              addLive(index, key, value, RowPostings.contains(before, key) ? known : Before.ENDED));
    } else {
      after.forEach(key -> addLive(index, key, UNCERTAIN, Before.ENDED));
    }
  }

  private void addBlindly(RowPostings index, RowChange change) throws UnindexableRowException {
    List<byte[]> values = index.allowed(change.valuesPut(index.columns()[0]));
    if (values.size() == 1) {
      addLive(index, index.key(change.row(), values), UNCERTAIN, Before.ENDED);
      return;
    }
    // The same value may be put several times.
    SortedSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (byte[] value : values) {
      keys.add(index.key(change.row(), List.of(value)));
    }
    keys.forEach(key -> addLive(index, key, UNCERTAIN, Before.ENDED));
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
  public void setRight(
      RowPostings index,
      byte[] row,
      RowVersions stored,
      Collection<byte[]> suspects,
      boolean rewrite,
      long now)
      throws UnindexableRowException {
    List<byte[]> called = rewrite ? index.of(row, stored, now) : index.writable(row, stored, now);
    hidden = hidden || index.hasHidden(stored, now);
    SortedSet<byte[]> distinct = new TreeSet<>(Arrays::compareUnsigned);
    distinct.addAll(suspects);
    boolean ended = addDead(index, distinct, called, Before.UNKNOWN);
    if (rewrite || ended) {
      byte[] value = index.liveValue(stored, now);
      called.forEach(key -> addLive(index, key, value, Before.UNKNOWN));
    }
  }

  /** Ends what is in {@code before} and not in {@code after}; returns whether there was any. */
  private boolean addDead(
      RowPostings index, Collection<byte[]> before, List<byte[]> after, Before known) {
    boolean any = false;
    for (byte[] key : before) {
      if (!RowPostings.contains(after, key)) {
        postings.add(new Planned(index.definition(), key, PostingState.DEAD, DEAD, known));
        any = true;
      }
    }
    return any;
  }

  private void addLive(RowPostings index, byte[] key, byte[] value, Before before) {
    postings.add(new Planned(index.definition(), key, PostingState.LIVE, value, before));
    live++;
    undecoded += index.isUndecoded(key) ? 1 : 0;
  }

  public int liveCount() {
    return live;
  }

  /** How many of the live ones are of cells that are no values of their column's type. */
  public int undecodedCount() {
    return undecoded;
  }

  /** Whether a row calls for postings of values that readers do not see now. */
  public boolean hasHidden() {
    return hidden;
  }

  public boolean isEmpty() {
    return postings.isEmpty();
  }

  /** Every posting to write. */
  public List<Planned> postings() {
    return postings;
  }
}
