/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bits of very many filters, arranged so that all of them can be asked for an element at once.
 * The answer may name an owner that does not hold the element; it never omits one that does.
 *
 * <p>An owner is whatever has a filter, such as a region. It gets a small dense id, which is used
 * again after the owner was removed, and has a chain of segments whose bits are given whole, as a
 * {@link FilterSnapshot}, and kept up to date by {@link FilterChanges}. An owner that may hold an
 * element is one with a segment that matches it; an owner without segments holds nothing.
 *
 * <p><b>Layout.</b> Asking N filters of k slices one after another costs about two cache misses
 * each. Segments of the same {@link SizeClass} look for an element at the same k positions, so
 * their planes are stored bit-sliced: for each position a row with one bit per segment. A lookup
 * ANDs k rows, 64 segments at a time, and stops as soon as nothing is left, which for half full
 * filters is after about eleven rows per cache line [1]. {@link ColumnBlock} has the layout, {@link
 * ClassMatrix} says which segments are in blocks and which are better kept apart. Changing one bit
 * of one segment is one write; adding a segment of n cells is n of them, in n cache lines.
 *
 * <p><b>Threads.</b> Any number of readers, which never wait, and one updater at a time, which
 * waits for others by a lock and for readers by a grace period ({@link ReaderEpochs}). A reader
 * that starts after an update has returned sees it. A reader never sees an owner between two
 * states: each update first sets all bits and adds all segments that its end state has, then waits
 * until the readers that started before are gone, and only then clears and drops what its end state
 * has not. So at any time an owner has at least the bits of its old state or at least those of its
 * new state; an element that is in both is always found. Updates that only set bits of segments
 * that are there wait for no reader.
 *
 * <p><b>Ids and their meaning.</b> The id of a removed owner goes to another one later, and an
 * owner added after a reading began is not in it. Whoever keeps a table from ids to owners must
 * therefore read that table <em>before</em> the reading begins, put owners into it only after
 * {@link #addOwner}, and ask after the reading whether what it found in the table is still in
 * force, having ended that before {@link #removeOwner} or {@link #replace}. Otherwise the answer of
 * one owner could be taken for another's, and rows be lost.
 *
 * <p><b>Memory.</b> Bounded by a byte budget. What an update needs at least is known before
 * anything is allocated; if it does not fit, the update is refused with {@link
 * RoutingBudgetExceededException} and nothing has changed. Space beyond the least, for speed, is
 * taken only as far as the budget allows. While a block is copied into a wider one both count.
 * Array headers and the garbage of replaced blocks, until collected, are not counted.
 *
 * <p>[1] A. Crainiceanu, D. Lemire: Bloofi: Multidimensional Bloom filters, Information Systems 54,
 * 2015 (the flat variant). There the matrix has one word per position and grows by adding matrices;
 * here blocks are as wide as pays, split by size class, and updated under readers.
 */
@InterfaceAudience.Private
public final class RoutingMatrix {
  private final ReentrantLock updating = new ReentrantLock();
  private final ReaderSections readers;
  private final SegmentStore store;
  private final OwnerTable owners = new OwnerTable();
  private volatile ClassView[] view = {};

  /**
   * An empty matrix.
   *
   * @param byteBudget bytes of heap it may take
   */
  public RoutingMatrix(long byteBudget) {
    this(byteBudget, new ReaderEpochs());
  }

  RoutingMatrix(long byteBudget, ReaderSections readers) {
    this.store = new SegmentStore(new MatrixBudget(byteBudget));
    this.readers = readers;
  }

  /** The owners that may hold the element. */
  public OwnerSet candidates(long element) {
    return read(reading -> reading.candidates(element));
  }

  /** The owners that may hold at least one of the elements. */
  public OwnerSet candidatesOfAny(long... elements) {
    return read(reading -> reading.candidatesOfAny(elements));
  }

  /** The owners that may hold every one of the elements, of which there must be at least one. */
  public OwnerSet candidatesOfAll(long... elements) {
    return read(reading -> reading.candidatesOfAll(elements));
  }

  /**
   * Runs a query under the protection of one reading. Updates that take something away wait for it
   * to end, so it should be short and do no I/O; updating the matrix from within waits forever.
   */
  public <T> T read(Function<? super RouteReading, ? extends T> query) {
    int ticket = readers.enter();
    try {
      RouteReading reading = new RouteReading(view, owners.idLimit());
      try {
        return query.apply(reading);
      } finally {
        reading.end();
      }
    } finally {
      readers.exit(ticket); // whatever happened: a section left open would stop all updates
    }
  }

  /**
   * Adds an owner.
   *
   * @return its id
   * @throws RoutingBudgetExceededException if its segments do not fit; the owner is not added then
   */
  public int addOwner(FilterSnapshot filter) {
    updating.lock();
    try {
      SegmentDemand demand = SegmentDemand.of(filter);
      reserve(demand, OwnerTable.BYTES_PER_OWNER, "add an owner");
      store.budget().take(OwnerTable.BYTES_PER_OWNER);
      int owner = owners.add();
      owners.setChain(owner, place(owner, filter));
      finish();
      return owner;
    } finally {
      updating.unlock();
    }
  }

  /** Removes an owner. Its id may be given to another one after this. */
  public void removeOwner(int owner) {
    updating.lock();
    try {
      SegmentSlot[] chain = chain(owner, "remove");
      awaitReaders();
      store.remove(chain);
      owners.retire(owner);
      store.budget().giveBack(OwnerTable.BYTES_PER_OWNER);
      finish();
    } finally {
      updating.unlock();
    }
  }

  /**
   * Gives an owner another filter, in one step for every reader. Both filters are held for a moment
   * and have to fit the budget together.
   *
   * @throws RoutingBudgetExceededException if they do not; the owner keeps its filter then
   */
  public void replace(int owner, FilterSnapshot filter) {
    updating.lock();
    try {
      SegmentSlot[] former = chain(owner, "replace the filter of");
      reserve(SegmentDemand.of(filter), 0, "replace the filter of owner " + owner);
      owners.setChain(owner, place(owner, filter));
      publish();
      awaitReaders();
      store.remove(former);
      finish();
    } finally {
      updating.unlock();
    }
  }

  /**
   * Applies what an owner's filter has reported, in one step for every reader.
   *
   * @throws IllegalArgumentException if the changes do not fit what is known of the owner; nothing
   *     is applied then
   * @throws RoutingBudgetExceededException if added segments do not fit; nothing is applied then
   */
  public void apply(int owner, FilterChanges changes) {
    updating.lock();
    try {
      SegmentSlot[] chain = chain(owner, "apply changes to");
      ChainUpdate update = ChainUpdate.of(owner, chain, CoalescedChanges.of(changes));
      reserve(update.demand(), 0, "apply changes to owner " + owner);
      owners.setChain(owner, update.addAndSet(store));
      if (update.removes()) {
        publish();
        awaitReaders();
        owners.setChain(owner, update.clearAndDrop(store));
      }
      finish();
    } finally {
      updating.unlock();
    }
  }

  /** The bits of an owner as they are now; updates wait while they are copied. */
  public FilterSnapshot snapshot(int owner) {
    updating.lock();
    try {
      List<FilterSnapshot.Segment> segments = new ArrayList<>();
      for (SegmentSlot slot : chain(owner, "copy the filter of")) {
        // The plane of a segment that shares no block is the one in use.
        BitPlane plane = slot.block() == null ? slot.plane().copy() : slot.plane();
        segments.add(new FilterSnapshot.Segment(slot.id(), slot.sizeClass(), plane));
      }
      return new FilterSnapshot(segments);
    } finally {
      updating.unlock();
    }
  }

  /** Bytes of heap in use. */
  public long bytes() {
    return store.budget().used();
  }

  /** Bytes of heap the matrix may use. */
  public long byteBudget() {
    return store.budget().limit();
  }

  /**
   * Bytes that adding an owner with this filter needs at least, as the matrix is now. The owner can
   * be added if they fit the budget beside {@link #bytes()}.
   */
  public long bytesToAdd(FilterSnapshot filter) {
    updating.lock();
    try {
      return store.bytesFor(SegmentDemand.of(filter)) + OwnerTable.BYTES_PER_OWNER;
    } finally {
      updating.unlock();
    }
  }

  /** Number of owners. */
  public int owners() {
    return owners.size();
  }

  /** Number of segments of all owners. */
  public int segments() {
    return store.segments();
  }

  private SegmentSlot[] chain(int owner, String purpose) {
    SegmentSlot[] chain = owners.chain(owner);
    if (chain == null) {
      throw new IllegalArgumentException(
          "Cannot " + purpose + " owner " + owner + ": there is no such owner; add it first");
    }
    return chain;
  }

  /** Makes sure that an update can be carried through before it changes anything. */
  private void reserve(SegmentDemand demand, long moreBytes, String purpose) {
    store.budget().require(store.bytesFor(demand) + moreBytes, purpose);
    if (store.needsRetiredColumns(demand)) {
      awaitReaders();
    }
  }

  private SegmentSlot[] place(int owner, FilterSnapshot filter) {
    return filter.segments().stream()
        .map(segment -> store.place(owner, segment.id(), segment.sizeClass(), segment.plane()))
        .sorted(SegmentSlot.BY_ID)
        .toArray(SegmentSlot[]::new);
  }

  /** The grace period, after which nobody can meet what was taken away before it. */
  private void awaitReaders() {
    readers.awaitReaders();
    store.reclaim();
    owners.reclaim();
  }

  private void finish() {
    store.settle();
    publish();
  }

  /** Shows readers that start from now on all that was written so far. */
  private void publish() {
    view = store.view();
  }
}
