/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.testing.Interleavings;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** A reader and an updater, interleaved by a model checker wherever they touch what they share. */
public class ReaderInterleavingsTest {
  private static final int RUNS = 1_000;

  @Test
  void readers_neverMeetWhatWasTakenAway() {
    Interleavings.of(UnderEpochs.class, RUNS);
  }

  /** A reader must be delayed over a whole wait: the checker finds that, so it finds races. */
  @Test
  void readers_withoutTheSecondLook_areCaughtMeetingIt() {
    assertCaught(UnderHastyEpochs.class);
  }

  @Test
  void readers_whoAreNotWaitedFor_areCaughtMeetingIt() {
    assertCaught(Unawaited.class);
  }

  private static void assertCaught(Class<?> subject) {
    assertThatThrownBy(() -> Interleavings.of(subject, RUNS))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }

  /** Something that is used within sections and taken away behind them. */
  abstract static class Shelf {
    private final ReaderSections sections;
    private Thing thing = new Thing();

    Shelf(ReaderSections sections) {
      this.sections = sections;
    }

    @Operation
    public boolean meetsWhatIsGone() {
      int ticket = sections.enter();
      boolean gone = thing.gone;
      sections.exit(ticket);
      return gone;
    }

    @Operation(nonParallelGroup = "updater")
    public void replaceTwice() {
      replace();
      replace();
    }

    private void replace() {
      Thing former = thing;
      thing = new Thing();
      sections.awaitReaders();
      former.gone = true;
    }
  }

  private static final class Thing {
    private boolean gone;
  }

  public static class UnderEpochs extends Shelf {
    public UnderEpochs() {
      super(new ReaderEpochs(1));
    }
  }

  public static class UnderHastyEpochs extends Shelf {
    public UnderHastyEpochs() {
      super(new HastyEpochs());
    }
  }

  public static class Unawaited extends Shelf {
    public Unawaited() {
      super(new NoSections());
    }
  }

  /** {@link ReaderEpochs} whose readers do not look whether the epoch has moved. */
  private static final class HastyEpochs implements ReaderSections {
    private final AtomicLongArray counts = new AtomicLongArray(2);
    private volatile long epoch;

    @Override
    public int enter() {
      int parity = (int) epoch & 1;
      counts.getAndIncrement(parity);
      return parity;
    }

    @Override
    public void exit(int ticket) {
      counts.getAndDecrement(ticket);
    }

    @Override
    public void awaitReaders() {
      long left = epoch;
      epoch = left + 1;
      while (counts.get((int) left & 1) != 0) {
        Thread.onSpinWait();
      }
    }
  }

  /** Sections that nobody waits for. */
  private static final class NoSections implements ReaderSections {
    @Override
    public int enter() {
      return 0;
    }

    @Override
    public void exit(int ticket) {}

    @Override
    public void awaitReaders() {}
  }
}
