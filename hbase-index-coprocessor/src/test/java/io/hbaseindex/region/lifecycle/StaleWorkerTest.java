/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaleWorkerTest {

  private final CountingMetrics metrics = new CountingMetrics();
  private final List<byte[]> judged = new ArrayList<>();
  private int wakes;
  private final StaleWorker worker = new StaleWorker(this::judge, metrics);

  @Test
  void offer_wakesOnceAndWorkerJudges() throws Exception {
    worker.wakeBy(() -> wakes++);
    worker.offer(row(1));
    worker.offer(row(2));

    assertThat(wakes).isEqualTo(1);
    assertThat(worker.run().done()).isTrue();
    assertThat(judged).containsExactly(row(1), row(2));
    assertThat(metrics.of(IndexCounter.STALE_ENDED)).isEqualTo(2);
  }

  @Test
  void offer_sameAgain_isNotedOnce() {
    worker.offer(row(1));
    worker.offer(row(1));

    assertThat(worker.waiting()).isEqualTo(1);
    assertThat(metrics.of(IndexCounter.STALE_QUEUED)).isEqualTo(1);
  }

  @Test
  void offer_tooMany_isDroppedAndCounted() {
    for (int i = 0; i < StaleWorker.MAX_NOTES + 3; i++) {
      worker.offer(row(i));
    }

    assertThat(worker.waiting()).isEqualTo(StaleWorker.MAX_NOTES);
    assertThat(metrics.of(IndexCounter.STALE_NOT_QUEUED)).isEqualTo(3);
  }

  @Test
  void offer_tooManyBytes_isDroppedAndRoomComesBack() throws Exception {
    worker.offer(new byte[(int) StaleWorker.MAX_BYTES - 1]);
    worker.offer(row(1));
    assertThat(worker.waiting()).isEqualTo(1);

    worker.run();
    worker.offer(row(1));
    assertThat(worker.waiting()).isEqualTo(1);
  }

  @Test
  void run_manyNotes_takesSeveralSteps() throws Exception {
    for (int i = 0; i < 500; i++) {
      worker.offer(row(i));
    }

    assertThat(worker.run().done()).isFalse();
    while (!worker.run().done()) {}
    assertThat(judged).hasSize(500);
  }

  @Test
  void run_failure_losesTheNotesAndNothingElse() throws Exception {
    StaleWorker failing =
        new StaleWorker(
            rows -> {
              throw new IOException("closing");
            },
            metrics);
    failing.offer(row(1));

    assertThatThrownBy(failing::run).isInstanceOf(IOException.class);
    assertThat(failing.run().done()).isTrue();
    failing.offer(row(1));
    assertThat(failing.waiting()).isEqualTo(1);
  }

  private long judge(List<byte[]> indexRows) {
    judged.addAll(indexRows);
    return indexRows.size();
  }

  private static byte[] row(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
