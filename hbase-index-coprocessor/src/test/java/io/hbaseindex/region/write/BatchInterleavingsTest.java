/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.testing.Interleavings;
import io.hbaseindex.region.context.RowLocks;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Batches of the same rows, interleaved by a model checker wherever they touch what they share. */
public class BatchInterleavingsTest {
  private static final int RUNS = 100;
  private static final byte[] FIRST = {1};
  private static final byte[] SECOND = {2};

  /** Given in opposite orders: without an order of their own the batches would block each other. */
  @Test
  void batchesOfTheSameRows_goOneAfterTheOther() {
    Interleavings.of(Batches.class, RUNS);
  }

  @Test
  void batchThatReleasesItsLocksBeforeItIsApplied_isCaught() {
    assertThatThrownBy(() -> Interleavings.of(HastyBatches.class, RUNS))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }

  /** Rows that batches read, change and write back under their locks. */
  abstract static class Changes {
    private final RowLocks locks = new RowLocks(1_000, () -> 0);
    private int version;

    @Operation
    public int changeForwards() throws Exception {
      return change(List.of(FIRST, SECOND));
    }

    @Operation
    public int changeBackwards() throws Exception {
      return change(List.of(SECOND, FIRST));
    }

    private int change(List<byte[]> rows) throws Exception {
      BatchInFlight batch = new BatchInFlight();
      batch.hold(locks.acquire(rows));
      beforeReading(batch);
      int next = version + 1;
      version = next;
      batch.applied();
      batch.end(true);
      return next;
    }

    void beforeReading(BatchInFlight batch) {}
  }

  public static class Batches extends Changes {}

  public static class HastyBatches extends Changes {
    @Override
    void beforeReading(BatchInFlight batch) {
      batch.end(false);
    }
  }
}
