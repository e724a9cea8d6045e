/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
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
 * of one segment is one write; making a plane of n cells a column is n of them. So a filter comes
 * as planes of its own, which takes next to no time, and {@link #tidy} makes columns of them later,
 * in short steps.
 *
 * <p><b>Threads.</b> Any number of readers, which never wait, and any number of updaters, but one
 * at a time for each owner. Bits and lists are changed under one lock, which is held for the
 * changes of one batch or for one short step and never while somebody waits for readers or
 * allocates, but for one chunk of a block that becomes wider. Updaters wait for readers by grace
 * periods ({@link ReaderEpochs}). A reader that starts after an update has returned sees it. A
 * reader never sees an owner between two states: each update first sets all bits and adds all
 * segments that its end state has, then waits until the readers that started before are gone, and
 * only then clears and drops what its end state has not. So at any time an owner has at least the
 * bits of its old state or at least those of its new state; an element that is in both is always
 * found. Updates that only set bits of segments that are there wait for no reader.
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
 * taken only as far as the budget allows. While a segment moves, both its places count. Array
 * headers and the garbage of what was given up, until collected, are not counted.
 *
 * <p>[1] A. Crainiceanu, D. Lemire: Bloofi: Multidimensional Bloom filters, Information Systems 54,
 * 2015 (the flat variant). There the matrix has one word per position and grows by adding matrices;
 * here blocks are as wide as pays, split by size class, and updated under readers.
 */
@InterfaceAudience.Private
public final class RoutingMatrix {
  /** Words that are copied under one hold of the lock: about a quarter of a million cells. */
  private static final int STEP_WORDS = 1 << 12;

  private static final SegmentSlot[] NO_SEGMENTS = {};

  private final Lock updating;
  private final Object gracePeriod = new Object();
  private final ReentrantLock tidying = new ReentrantLock();
  private final ReaderSections readers;
  private final MatrixBudget budget;
  private final SegmentStore store;
  private final OwnerTable owners = new OwnerTable();

  /** What lets columns and ids be used again, when no reader can know them any more. */
  private List<Runnable> retired = new ArrayList<>();

  private volatile ClassView[] view = {};

  /**
   * An empty matrix.
   *
   * @param byteBudget bytes of heap it may take
   */
  public RoutingMatrix(long byteBudget) {
    this(new MatrixBudget(byteBudget));
  }

  /** An empty matrix that shares a budget with others. */
  public RoutingMatrix(MatrixBudget budget) {
    this(budget, new ReaderEpochs());
  }

  RoutingMatrix(MatrixBudget budget, ReaderSections readers) {
    this(budget, readers, new ReentrantLock());
  }

  /** As above, with the lock that bits and lists are changed under. */
  RoutingMatrix(MatrixBudget budget, ReaderSections readers, Lock updating) {
    this.updating = updating;
    this.budget = budget;
    this.store = new SegmentStore(budget);
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
   * @param filter its bits, which are copied
   * @return its id
   * @throws RoutingBudgetExceededException if its segments do not fit; the owner is not added then
   */
  public int addOwner(FilterSnapshot filter) {
    budget.take(bytesToAdd(filter), "add an owner");
    List<FilterSnapshot.Segment> copies = copies(filter);
    updating.lock();
    try {
      int owner = owners.add();
      owners.setChain(owner, place(owner, copies));
      publish();
      return owner;
    } finally {
      updating.unlock();
    }
  }

  /** Removes an owner. Its id may be given to another one after this. */
  public void removeOwner(int owner) {
    chain(owner, "remove");
    awaitReaders();
    updating.lock();
    try {
      remove(chain(owner, "remove"));
      owners.retire(owner);
      retired.add(() -> owners.release(owner));
      budget.giveBack(OwnerTable.BYTES_PER_OWNER);
      publish();
    } finally {
      updating.unlock();
    }
  }

  /**
   * Gives an owner another filter, in one step for every reader. Both filters are held for a moment
   * and have to fit the budget together.
   *
   * @param filter its bits, which are copied
   * @throws RoutingBudgetExceededException if they do not; the owner keeps its filter then
   */
  public void replace(int owner, FilterSnapshot filter) {
    SegmentSlot[] former = chain(owner, "replace the filter of");
    budget.take(
        SegmentStore.bytesFor(SegmentDemand.of(filter)), "replace the filter of owner " + owner);
    List<FilterSnapshot.Segment> copies = copies(filter);
    updating.lock();
    try {
      owners.setChain(owner, place(owner, copies));
      publish();
    } finally {
      updating.unlock();
    }
    awaitReaders();
    updating.lock();
    try {
      remove(former);
      publish();
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
    ChainUpdate update =
        ChainUpdate.of(owner, chain(owner, "apply changes to"), CoalescedChanges.of(changes));
    budget.take(SegmentStore.bytesFor(update.demand()), "apply changes to owner " + owner);
    update.allocate();
    updating.lock();
    try {
      owners.setChain(owner, update.addAndSet(store));
      publish();
    } finally {
      updating.unlock();
    }
    if (update.removes()) {
      awaitReaders();
      updating.lock();
      try {
        owners.setChain(owner, update.clear());
        remove(update.dropped());
        publish();
      } finally {
        updating.unlock();
      }
    }
  }

  /**
   * Moves segments to where they are best kept, by short steps; if another thread does so already,
   * not at all. To be called again and again, beside updates and not as a part of them: nobody who
   * brings a filter is to wait until it is a column.
   *
   * @param steps how many at most; each holds the lock for some microseconds, or for as long as a
   *     chunk of a wide block takes to copy, which counts for several
   * @return whether there may be more to move
   */
  public boolean tidy(int steps) {
    if (!store.isUntidy() || !tidying.tryLock()) {
      return false;
    }
    try {
      long left = (long) steps * STEP_WORDS;
      while (left > 0) {
        int words = moveSome();
        if (words == 0) {
          return false;
        }
        left -= Math.max(words, STEP_WORDS);
      }
      return true;
    } finally {
      tidying.unlock();
    }
  }

  private int moveSome() {
    ClassMatrix.Moved moved;
    updating.lock();
    try {
      moved = store.moveSome(STEP_WORDS);
      publish();
    } finally {
      updating.unlock();
    }
    if (moved.left() != null) {
      // A reader may have passed the new column before it was live, and needs the one it left.
      awaitReaders();
      updating.lock();
      try {
        moved.left().hide();
        retired.add(moved.left()::release);
      } finally {
        updating.unlock();
      }
    }
    return moved.words();
  }

  /** The bits of an owner as they are at some moment from now on. */
  public FilterSnapshot snapshot(int owner) {
    OwnerCopy copy = copy(owner);
    copy.fill();
    return copy.finish();
  }

  /** Begins to copy the bits of an owner; to be finished whatever happens. */
  public OwnerCopy copy(int owner) {
    OwnerCopy copy = new OwnerCopy(owner);
    copy.follow(List.of(chain(owner, "copy the filter of")));
    return copy;
  }

  /**
   * A copy of an owner's bits that is made in short steps, while they go on changing. It is
   * complete only if the owner is there until it is finished.
   */
  public final class OwnerCopy {
    private final int owner;
    private final List<SegmentTransfer> transfers = new ArrayList<>();

    private OwnerCopy(int owner) {
      this.owner = owner;
    }

    /** Copies the bits; updates go on meanwhile. */
    public void fill() {
      for (SegmentTransfer transfer : transfers) {
        while (!transfer.isComplete()) {
          updating.lock();
          try {
            transfer.step(STEP_WORDS);
          } finally {
            updating.unlock();
          }
        }
      }
    }

    /**
     * The bits as they are now; changes from now on are not in them. Segments that came while the
     * bits were copied are copied now, in short steps as well: whoever keeps others from updating
     * the owner meanwhile has to wait for these once.
     */
    public FilterSnapshot finish() {
      while (true) {
        List<SegmentSlot> late;
        updating.lock();
        try {
          late = chain().filter(slot -> transferOf(slot) == null).toList();
          if (late.isEmpty()) {
            transfers.forEach(SegmentTransfer::end);
            return new FilterSnapshot(chain().map(this::copied).toList());
          }
        } finally {
          updating.unlock();
        }
        follow(late);
        fill();
      }
    }

    private void follow(List<SegmentSlot> slots) {
      List<Place> copies = new ArrayList<>();
      for (SegmentSlot slot : slots) {
        copies.add(new LoosePlane(new BitPlane(slot.sizeClass().cells()), owner));
      }
      updating.lock();
      try {
        for (int at = 0; at < copies.size(); at++) {
          transfers.add(new SegmentTransfer(slots.get(at), copies.get(at)));
        }
      } finally {
        updating.unlock();
      }
    }

    private Stream<SegmentSlot> chain() {
      return Arrays.stream(Objects.requireNonNullElse(owners.chain(owner), NO_SEGMENTS));
    }

    private SegmentTransfer transferOf(SegmentSlot slot) {
      for (SegmentTransfer transfer : transfers) {
        if (transfer.slot() == slot) {
          return transfer;
        }
      }
      return null;
    }

    private FilterSnapshot.Segment copied(SegmentSlot slot) {
      BitPlane plane = ((LoosePlane) transferOf(slot).target()).plane();
      return new FilterSnapshot.Segment(slot.id(), slot.sizeClass(), plane);
    }
  }

  /** Bytes of heap in use, by all matrices that share the budget. */
  public long bytes() {
    return budget.used();
  }

  /** Bytes of heap that the matrix, and those that share its budget, may use. */
  public long byteBudget() {
    return budget.limit();
  }

  /**
   * Bytes that adding an owner with this filter needs. The owner can be added if they fit the
   * budget beside {@link #bytes()}.
   */
  public static long bytesToAdd(FilterSnapshot filter) {
    return SegmentStore.bytesFor(SegmentDemand.of(filter)) + OwnerTable.BYTES_PER_OWNER;
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
    updating.lock();
    try {
      SegmentSlot[] chain = owners.chain(owner);
      if (chain == null) {
        throw new IllegalArgumentException(
            "Cannot " + purpose + " owner " + owner + ": there is no such owner; add it first");
      }
      return chain;
    } finally {
      updating.unlock();
    }
  }

  private static List<FilterSnapshot.Segment> copies(FilterSnapshot filter) {
    return filter.segments().stream()
        .map(s -> new FilterSnapshot.Segment(s.id(), s.sizeClass(), s.plane().copy()))
        .toList();
  }

  private SegmentSlot[] place(int owner, List<FilterSnapshot.Segment> copies) {
    return copies.stream()
        .map(segment -> store.place(owner, segment.id(), segment.sizeClass(), segment.plane()))
        .sorted(SegmentSlot.BY_ID)
        .toArray(SegmentSlot[]::new);
  }

  private void remove(SegmentSlot... slots) {
    for (ColumnBlock.Column column : store.remove(slots)) {
      retired.add(column::release);
    }
  }

  /**
   * The grace period, after which nobody can meet what was taken away before it. One at a time; the
   * lock for updates is not held meanwhile.
   */
  private void awaitReaders() {
    synchronized (gracePeriod) {
      List<Runnable> before = takeRetired();
      readers.awaitReaders();
      updating.lock();
      try {
        before.forEach(Runnable::run);
      } finally {
        updating.unlock();
      }
    }
  }

  private List<Runnable> takeRetired() {
    updating.lock();
    try {
      List<Runnable> before = retired;
      retired = new ArrayList<>();
      return before;
    } finally {
      updating.unlock();
    }
  }

  /** Shows readers that start from now on all that was written so far. */
  private void publish() {
    view = store.view();
  }
}
