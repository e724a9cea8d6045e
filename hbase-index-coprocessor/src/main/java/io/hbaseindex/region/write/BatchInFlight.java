/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.region.context.FilterFeed;
import io.hbaseindex.region.context.RowLocks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * The state of one batch between its hooks, kept for the thread that writes it: the cells that
 * HBase computed for increments and appends, the cells whose postings are in the batch, and the row
 * locks.
 */
final class BatchInFlight {
  private final IdentityHashMap<Mutation, List<Cell>> computed;
  private final List<Cell> processed = new ArrayList<>();
  private int postings;
  private RowLocks.Held locks;
  private FilterFeed.Step filterStep = FilterFeed.Step.NONE;
  private boolean logged;
  private boolean applied;

  BatchInFlight() {
    this(new IdentityHashMap<>(2));
  }

  private BatchInFlight(IdentityHashMap<Mutation, List<Cell>> computed) {
    this.computed = computed;
  }

  /**
   * The next batch of a thread. It inherits the computed cells, which come before the batch proper,
   * and releases the locks that an earlier batch may have left behind.
   *
   * @param previous what the thread remembers; null for nothing
   */
  static BatchInFlight after(BatchInFlight previous) {
    if (previous == null) {
      return new BatchInFlight();
    }
    previous.end(false);
    return new BatchInFlight(previous.computed);
  }

  /** Notes cells that HBase computed for {@code mutation}. */
  void addComputed(Mutation mutation, List<Cell> cells) {
    computed.computeIfAbsent(mutation, m -> new ArrayList<>()).addAll(cells);
  }

  List<Cell> computedFor(Mutation mutation) {
    return computed.getOrDefault(mutation, List.of());
  }

  void addProcessed(Cell cell) {
    processed.add(cell);
  }

  void hold(RowLocks.Held held) {
    locks = held;
  }

  void setPostings(int count) {
    postings = count;
  }

  int postings() {
    return postings;
  }

  /** Whether the cell is the processed one of this number. */
  boolean isProcessed(int number, Cell cell) {
    return number < processed.size() && processed.get(number) == cell;
  }

  /**
   * Whether the processed cells from {@code first} on are exactly those of {@code written}, in
   * whatever order.
   */
  boolean areExactly(int first, List<Cell> written) {
    List<Cell> rest = processed.subList(first, processed.size());
    return written.size() == rest.size() && identities(written).equals(identities(rest));
  }

  private static Set<Cell> identities(List<Cell> cells) {
    Set<Cell> identities = Collections.newSetFromMap(new IdentityHashMap<>());
    identities.addAll(cells);
    return identities;
  }

  void setFilterStep(FilterFeed.Step step) {
    filterStep = step;
  }

  /** The batch is about to be appended to the log. */
  void logged() {
    logged = true;
  }

  /** Whether the log may hold the batch although the memstore does not. */
  boolean isLost() {
    return logged && !applied;
  }

  /**
   * The batch is in the memstore, and readers do not see it yet. Its row locks are released at
   * once: the next writer of a row also reads what is not visible yet.
   */
  void applied() {
    applied = true;
    releaseLocks();
    filterStep.awaitConfirmation();
  }

  /**
   * The batch is over.
   *
   * @param visible whether it has succeeded and readers see it
   */
  void end(boolean visible) {
    releaseLocks();
    try {
      if (visible && applied) {
        filterStep.succeeded();
      }
    } finally {
      filterStep.end();
    }
  }

  private void releaseLocks() {
    if (locks != null) {
      locks.release();
      locks = null;
    }
  }
}
