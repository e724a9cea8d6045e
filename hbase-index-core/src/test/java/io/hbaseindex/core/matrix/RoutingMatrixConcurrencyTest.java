/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers never see an owner between two states. */
@Timeout(120)
class RoutingMatrixConcurrencyTest {
  private static final SizeClass SMALL = SizeClass.forCapacity(20, 0.001);
  private static final SizeClass LARGER = SizeClass.forCapacity(40, 0.001);
  private static final long BUDGET = 1L << 28;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void F4_replace_waitsForOlderReadersBetweenSetsAndClears() {
    forLooseAndBlocks(
        others -> {
          GraceProbe grace = new GraceProbe();
          RoutingMatrix matrix = matrixOf(others, grace);
          int owner = added(matrix, 1, 2);
          grace.during(
              () -> {
                assertThat(matrix.candidates(1).contains(owner)).isTrue();
                assertThat(matrix.candidates(2).contains(owner)).isTrue();
                assertThat(matrix.candidates(3).contains(owner)).isTrue();
              });
          matrix.replace(owner, Snapshots.of(LARGER, 2, 3));
          assertThat(grace.seen).isEqualTo(1);
          assertThat(matrix.candidates(1).contains(owner)).isFalse();
        });
  }

  @Test
  void F4_apply_waitsForOlderReadersBetweenSetsAndClears() {
    forLooseAndBlocks(
        others -> {
          GraceProbe grace = new GraceProbe();
          RoutingMatrix matrix = matrixOf(others, grace);
          int owner = added(matrix, 1);
          FilterChanges changes = new FilterChanges();
          for (int slice = 0; slice < SMALL.slices(); slice++) {
            changes.bitCleared(0, SMALL.position(1, slice));
          }
          changes.segmentDropped(0);
          changes.segmentAdded(1, LARGER);
          for (int slice = 0; slice < LARGER.slices(); slice++) {
            changes.bitSet(1, LARGER.position(2, slice));
          }
          grace.during(
              () -> {
                assertThat(matrix.candidates(1).contains(owner)).isTrue();
                assertThat(matrix.candidates(2).contains(owner)).isTrue();
              });
          matrix.apply(owner, changes);
          assertThat(grace.seen).isEqualTo(1);
          assertThat(matrix.candidates(1).contains(owner)).isFalse();
          assertThat(matrix.candidates(2).contains(owner)).isTrue();
        });
  }

  @Test
  void F4_removeOwner_waitsForOlderReadersFirst() {
    forLooseAndBlocks(
        others -> {
          GraceProbe grace = new GraceProbe();
          RoutingMatrix matrix = matrixOf(others, grace);
          int owner = added(matrix, 1);
          grace.during(() -> assertThat(matrix.candidates(1).contains(owner)).isTrue());
          matrix.removeOwner(owner);
          assertThat(grace.seen).isEqualTo(1);
          assertThat(matrix.candidates(1).contains(owner)).isFalse();
        });
  }

  @Test
  void apply_setsOnly_waitsForNobody() {
    forLooseAndBlocks(
        others -> {
          GraceProbe grace = new GraceProbe();
          RoutingMatrix matrix = matrixOf(others, grace);
          int owner = added(matrix, 1);
          grace.during(() -> {});
          matrix.apply(owner, inserting(SMALL, 2));
          assertThat(grace.seen).isZero();
          assertThat(matrix.candidates(2).contains(owner)).isTrue();
        });
  }

  /** The real thing: an update does not take anything away under a reading that is under way. */
  @Test
  void F4_openReading_keepsTheOldStateUntilItEnds() {
    RoutingMatrix matrix = new RoutingMatrix(BUDGET);
    for (int i = 0; i < 100; i++) {
      added(matrix, i, 1_000);
    }
    CompletableFuture<Void> update =
        matrix.read(
            reading -> {
              CompletableFuture<Thread> started = new CompletableFuture<>();
              CompletableFuture<Void> done =
                  CompletableFuture.runAsync(
                      () -> {
                        started.complete(Thread.currentThread());
                        matrix.replace(7, Snapshots.of(SMALL, 8));
                      },
                      threads);
              untilWaitingOr(done, started.join());
              assertThat(reading.candidates(7).contains(7)).isTrue();
              assertThat(done).isNotDone();
              return done;
            });
    update.join();
    assertThat(matrix.candidates(7).contains(7)).isFalse();
    assertThat(matrix.candidates(8).toArray()).containsExactly(7, 8);
  }

  /** Ids within one reading mean the same owners from its beginning to its end. */
  @Test
  void openReading_removedOwnersId_isNotGivenToAnother() {
    RoutingMatrix matrix = new RoutingMatrix(BUDGET);
    int owner = matrix.addOwner(Snapshots.of(SMALL, 1));
    CompletableFuture<Integer> successor =
        matrix.read(
            reading -> {
              CompletableFuture<Thread> started = new CompletableFuture<>();
              CompletableFuture<Integer> added =
                  CompletableFuture.supplyAsync(
                      () -> {
                        started.complete(Thread.currentThread());
                        matrix.removeOwner(owner);
                        matrix.removeOwner(matrix.addOwner(Snapshots.of(SMALL, 2)));
                        return matrix.addOwner(Snapshots.of(SMALL, 3));
                      },
                      threads);
              untilWaitingOr(added, started.join());
              assertThat(reading.candidates(1).toArray()).containsExactly(owner);
              assertThat(added).isNotDone();
              return added;
            });
    assertThat(successor.join()).isEqualTo(owner);
  }

  @Test
  void hammer_replacedChains_neverLoseWhatIsInEveryVersion() throws Exception {
    hammer(
        (matrix, owner, round, random) -> {
          SizeClass sizeClass = random.nextBoolean() ? SMALL : LARGER;
          matrix.replace(owner, Snapshots.of(sizeClass, owner, -1 - round));
        });
  }

  /** The element moves to a new segment and the old one goes, in one batch. */
  @Test
  void hammer_appliedMoves_neverLoseWhatIsInEveryVersion() throws Exception {
    int[] segment = new int[HAMMERED_OWNERS];
    hammer(
        (matrix, owner, round, random) -> {
          FilterChanges changes = new FilterChanges();
          SizeClass sizeClass = random.nextBoolean() ? SMALL : LARGER;
          changes.segmentDropped(segment[owner]);
          changes.segmentAdded(++segment[owner], sizeClass);
          for (int slice = 0; slice < sizeClass.slices(); slice++) {
            changes.bitSet(segment[owner], sizeClass.position(owner, slice));
          }
          matrix.apply(owner, changes);
        });
  }

  /** Owners come and go beside the one that is asked for: blocks widen, narrow and vanish. */
  @Test
  void hammer_growingAndShrinkingBesideAnOwner_neverLosesIt() throws Exception {
    List<Integer> others = new ArrayList<>();
    AtomicBoolean growing = new AtomicBoolean(true);
    hammer(
        (matrix, owner, round, random) -> {
          if (others.size() > 1500) {
            growing.set(false);
          } else if (others.isEmpty()) {
            growing.set(true);
          }
          if (growing.get()) {
            others.add(matrix.addOwner(Snapshots.empty(SMALL, 1 + random.nextInt(3))));
          } else {
            matrix.removeOwner(others.remove(random.nextInt(others.size())));
          }
        });
  }

  private static final int HAMMERED_OWNERS = 40;
  private static final int HAMMER_ROUNDS = 20_000;

  private interface Update {
    void run(RoutingMatrix matrix, int owner, int round, SplittableRandom random);
  }

  private void hammer(Update update) throws Exception {
    RoutingMatrix matrix = new RoutingMatrix(BUDGET);
    for (int owner = 0; owner < HAMMERED_OWNERS; owner++) {
      assertThat(added(matrix, owner)).isEqualTo(owner);
    }
    AtomicBoolean stop = new AtomicBoolean();
    List<Future<Long>> readers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      SplittableRandom random = new SplittableRandom(i);
      readers.add(
          threads.submit(
              () -> {
                long reads = 0;
                while (!stop.get()) {
                  int owner = random.nextInt(HAMMERED_OWNERS);
                  if (!matrix.candidates(owner).contains(owner)) {
                    throw new AssertionError("owner " + owner + " was missed, read " + reads);
                  }
                  reads++;
                }
                return reads;
              }));
    }
    SplittableRandom random = new SplittableRandom(99);
    for (int round = 0;
        round < HAMMER_ROUNDS && readers.stream().noneMatch(Future::isDone);
        round++) {
      update.run(matrix, random.nextInt(HAMMERED_OWNERS), round, random);
      matrix.tidy(4);
    }
    stop.set(true);
    for (Future<Long> reader : readers) {
      assertThat(reader.get(30, TimeUnit.SECONDS)).isPositive();
    }
  }

  /** Many threads change the bits of owners that share words, while blocks come and go. */
  @Test
  void hammer_manyUpdaters_everyOwnerHasItsBitsInTheEnd() throws Exception {
    RoutingMatrix matrix = new RoutingMatrix(BUDGET);
    int updaters = 4;
    int each = 100;
    for (int owner = 0; owner < updaters * each; owner++) {
      assertThat(added(matrix, owner)).isEqualTo(owner);
    }
    List<Future<?>> running = new ArrayList<>();
    for (int updater = 0; updater < updaters; updater++) {
      int from = updater * each;
      running.add(threads.submit(() -> changeOwners(matrix, from, from + each)));
    }
    for (Future<?> updater : running) {
      updater.get(60, TimeUnit.SECONDS);
    }
    for (int owner = 0; owner < updaters * each; owner++) {
      assertThat(matrix.candidates(owner).contains(owner)).isTrue();
      BitPlane plane = matrix.snapshot(owner).segments().get(0).plane();
      assertThat(plane.cardinality())
          .isEqualTo(Snapshots.of(SMALL, owner).segments().get(0).plane().cardinality());
    }
  }

  private static Void changeOwners(RoutingMatrix matrix, int from, int to) {
    SplittableRandom random = new SplittableRandom(from);
    for (int round = 0; round < 3_000; round++) {
      int owner = from + random.nextInt(to - from);
      BitPlane own = Snapshots.of(SMALL, owner).segments().get(0).plane();
      FilterChanges on = new FilterChanges();
      FilterChanges off = new FilterChanges();
      for (int bit = 0; bit < 20; bit++) {
        long position = random.nextLong(SMALL.cells());
        if (!own.get(position)) {
          on.bitSet(0, position);
          off.bitCleared(0, position);
        }
      }
      matrix.apply(owner, on);
      assertThat(matrix.candidates(owner).contains(owner)).isTrue();
      if (round % 7 == 0) {
        int other = matrix.addOwner(Snapshots.empty(SMALL, 2));
        matrix.tidy(4);
        matrix.removeOwner(other);
        matrix.tidy(4);
      }
      matrix.apply(owner, off);
    }
    return null;
  }

  /** A copy that is made while the bits change is the state of one moment. */
  @Test
  void copy_whileBitsChange_isTheStateAtItsEnd() {
    RoutingMatrix matrix = new RoutingMatrix(BUDGET);
    for (int i = 0; i < 100; i++) {
      added(matrix, i);
    }
    RoutingMatrix.OwnerCopy copy = matrix.copy(7);
    matrix.apply(7, inserting(SMALL, 1_000));
    copy.fill();
    matrix.apply(7, inserting(SMALL, 2_000));
    FilterChanges ended = new FilterChanges();
    for (int slice = 0; slice < SMALL.slices(); slice++) {
      ended.bitCleared(0, SMALL.position(7, slice));
    }
    matrix.apply(7, ended);
    FilterSnapshot copied = copy.finish();
    matrix.apply(7, inserting(SMALL, 3_000));
    assertThat(copied.mightContain(1_000)).isTrue();
    assertThat(copied.mightContain(2_000)).isTrue();
    assertThat(copied.mightContain(7)).isFalse();
    assertThat(copied.mightContain(3_000)).isFalse();
  }

  /** A lock that counts how often it is taken, and lets something happen when it is given back. */
  private static final class WatchedLock extends ReentrantLock {
    private static final long serialVersionUID = 1;
    private int holds;
    private transient Runnable afterwards = () -> {};

    @Override
    public void lock() {
      super.lock();
      holds++;
    }

    @Override
    public void unlock() {
      super.unlock();
      Runnable next = afterwards;
      afterwards = () -> {};
      next.run();
    }
  }

  /** Segments that come while an owner is copied are not copied under one hold of the lock. */
  @Test
  void copy_segmentsCameMeanwhile_areCopiedInShortSteps() {
    WatchedLock lock = new WatchedLock();
    RoutingMatrix matrix = new RoutingMatrix(new MatrixBudget(64 << 20), new ReaderEpochs(), lock);
    int owner = added(matrix, 7);
    RoutingMatrix.OwnerCopy copy = matrix.copy(owner);
    copy.fill();
    SizeClass large = SizeClass.forCapacity(200_000, 0.001);
    matrix.apply(owner, adding(1, large, 1_000));
    int before = lock.holds;
    // The next one comes after the late one was looked for, so in the middle of the end.
    lock.afterwards = () -> matrix.apply(owner, adding(2, SMALL, 2_000));
    FilterSnapshot copied = copy.finish();
    assertThat(lock.holds - before).isGreaterThan((int) (large.cells() / Long.SIZE / 4_096));
    assertThat(copied.segments()).hasSize(3);
    assertThat(List.of(7L, 1_000L, 2_000L)).allMatch(copied::mightContain);
  }

  private static FilterChanges adding(int segment, SizeClass sizeClass, long element) {
    FilterChanges changes = new FilterChanges();
    changes.segmentAdded(segment, sizeClass);
    for (int slice = 0; slice < sizeClass.slices(); slice++) {
      changes.bitSet(segment, sizeClass.position(element, slice));
    }
    return changes;
  }

  /** Runs a case with few segments, which are loose, and with many, which are in blocks. */
  private static void forLooseAndBlocks(IntConsumer test) {
    test.accept(0);
    test.accept(5 * ClassMatrix.PROMOTE_AT);
  }

  private static RoutingMatrix matrixOf(int others, ReaderSections readers) {
    RoutingMatrix matrix = new RoutingMatrix(new MatrixBudget(BUDGET), readers);
    for (int i = 0; i < others; i++) {
      matrix.addOwner(i % 2 == 0 ? Snapshots.empty(SMALL, 1) : Snapshots.empty(LARGER, 1));
    }
    return matrix;
  }

  /** Adds an owner and has its bits moved to where they belong. */
  private static int added(RoutingMatrix matrix, long... elements) {
    int owner = matrix.addOwner(Snapshots.of(SMALL, elements));
    matrix.tidy(1_000);
    return owner;
  }

  private static FilterChanges inserting(SizeClass sizeClass, long element) {
    FilterChanges changes = new FilterChanges();
    for (int slice = 0; slice < sizeClass.slices(); slice++) {
      changes.bitSet(0, sizeClass.position(element, slice));
    }
    return changes;
  }

  private static void untilWaitingOr(Future<?> done, Thread updater) {
    while (!done.isDone() && updater.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  /** Looks at the matrix from within a grace period, where both states have to be there. */
  private static final class GraceProbe implements ReaderSections {
    private final ReaderEpochs epochs = new ReaderEpochs();
    private Runnable during = () -> {};
    private int seen;

    void during(Runnable check) {
      during = check;
      seen = 0;
    }

    @Override
    public int enter() {
      return epochs.enter();
    }

    @Override
    public void exit(int ticket) {
      epochs.exit(ticket);
    }

    @Override
    public void awaitReaders() {
      seen++;
      during.run();
      epochs.awaitReaders();
    }
  }
}
