/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.SizeClass;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Readings that last as long as they may, beside an update: each begins within one grace period and
 * looks at the end of the next (F4). Updater and reader run in turns, so every run is the same. The
 * owner holds the element before, during and after each update, and no reading may miss it.
 */
class MatrixGraceTest {
  private static final int HANG_SECONDS = 120;
  private static final int MANY = 5 * ClassMatrix.PROMOTE_AT;
  private static final int ALL_STEPS = 1_000_000;
  private static final long ELEMENT = 7;
  private static final SizeClass SMALL = SizeClass.forCapacity(20, 0.001);
  private static final SizeClass LARGER = SizeClass.forCapacity(40, 0.001);

  @Test
  void F4_replacedFilter_isNeverMissed() {
    assertThat(updated(MANY, true, MatrixGraceTest::replace)).isPositive();
  }

  @Test
  void F4_elementThatMovesToAnotherSegment_isNeverMissed() {
    assertThat(updated(MANY, true, MatrixGraceTest::move)).isPositive();
  }

  @Test
  void F4_planesThatBecomeColumns_areNeverMissed_byReadingsThatNobodyWaitsFor() {
    assertThat(updated(ClassMatrix.PROMOTE_AT - 2, true, MatrixGraceTest::widen)).isZero();
  }

  @Test
  void F4_blockThatBecomesWider_isNeverMissed_byReadingsThatNobodyWaitsFor() {
    assertThat(updated(MANY, true, MatrixGraceTest::widen)).isZero();
  }

  @Test
  void F4_blockThatShrinks_isNeverMissed() {
    assertThat(updated(MANY, true, MatrixGraceTest::narrow)).isPositive();
  }

  @Test
  void replacedFilter_readersNotWaitedFor_isCaught() {
    assertCaught(MANY, MatrixGraceTest::replace);
  }

  @Test
  void elementThatMoves_readersNotWaitedFor_isCaught() {
    assertCaught(MANY, MatrixGraceTest::move);
  }

  @Test
  void blockThatShrinks_readersNotWaitedFor_isCaught() {
    assertCaught(MANY, MatrixGraceTest::narrow);
  }

  private static void replace(Turns turns) {
    turns.matrix.replace(turns.owner, Snapshots.of(LARGER, ELEMENT));
  }

  private static void move(Turns turns) {
    FilterChanges changes = new FilterChanges();
    changes.segmentDropped(0);
    changes.segmentAdded(1, LARGER);
    for (int slice = 0; slice < LARGER.slices(); slice++) {
      changes.bitSet(1, LARGER.position(ELEMENT, slice));
    }
    turns.matrix.apply(turns.owner, changes);
  }

  private static void widen(Turns turns) {
    for (int i = 0; i < MANY; i++) {
      turns.matrix.addOwner(Snapshots.empty(SMALL, 1));
    }
    turns.matrix.tidy(ALL_STEPS);
  }

  private static void narrow(Turns turns) {
    for (int other = 0; other < turns.owner; other++) {
      turns.matrix.removeOwner(other);
    }
    turns.matrix.tidy(ALL_STEPS);
  }

  private static void assertCaught(int others, Consumer<Turns> update) {
    assertThatThrownBy(() -> updated(others, false, update))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("was missed");
  }

  /** Runs an update among readings; returns how many grace periods it had. */
  private static int updated(int others, boolean readersAreAwaited, Consumer<Turns> update) {
    Turns turns = new Turns(others);
    turns.readersAreAwaited = readersAreAwaited;
    return turns.run(update);
  }

  /** A matrix whose updater stops in each grace period until the reader has opened its next. */
  private static final class Turns implements ReaderSections {
    private final Semaphore updatersTurn = new Semaphore(0);
    private final Semaphore readersTurn = new Semaphore(0);
    private final RoutingMatrix matrix;
    private final int owner;
    private volatile Thread updater;
    private volatile boolean ended;
    private volatile boolean readersAreAwaited;

    Turns(int others) {
      matrix = new RoutingMatrix(new MatrixBudget(1L << 28), this);
      for (int i = 0; i < others; i++) {
        matrix.addOwner(Snapshots.empty(SMALL, 1));
      }
      owner = matrix.addOwner(Snapshots.of(SMALL, ELEMENT));
      matrix.tidy(ALL_STEPS);
    }

    int run(Consumer<Turns> update) {
      updater =
          new Thread(
              () -> {
                await(updatersTurn);
                try {
                  update.accept(this);
                } finally {
                  ended = true;
                  readersTurn.release();
                }
              });
      updater.setDaemon(true);
      updater.start();
      int readings = 0;
      for (; !ended; readings++) {
        matrix.read(this::letTheUpdaterGoOnAndLook);
      }
      return readings - 1;
    }

    private Void letTheUpdaterGoOnAndLook(RouteReading reading) {
      updatersTurn.release();
      await(readersTurn);
      assertThat(reading.candidates(ELEMENT).contains(owner)).as("was missed if not").isTrue();
      return null;
    }

    private static void await(Semaphore turn) {
      try {
        assertThat(turn.tryAcquire(HANG_SECONDS, TimeUnit.SECONDS)).as("a turn").isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public int enter() {
      return 0;
    }

    @Override
    public void exit(int ticket) {}

    @Override
    public void awaitReaders() {
      if (readersAreAwaited && Thread.currentThread() == updater) {
        readersTurn.release();
        await(updatersTurn);
      }
    }
  }
}
