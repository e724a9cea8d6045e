/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.junit.jupiter.api.Test;

class PushFailureTest {
  @Test
  void failures_areToldApart() {
    assertThat(PushFailure.of(new CompletionException(new CallQueueTooBigException("full"))))
        .isEqualTo(PushFailure.BUSY);
    assertThat(PushFailure.of(new PushRefusedException("no", null))).isEqualTo(PushFailure.REFUSED);
    assertThat(PushFailure.of(new CompletionException(new CallTimeoutException("late"))))
        .isEqualTo(PushFailure.LATE);
    assertThat(PushFailure.of(new TimeoutException())).isEqualTo(PushFailure.LATE);
    assertThat(PushFailure.of(new IOException("no master"))).isEqualTo(PushFailure.OTHER);
  }

  @Test
  void failures_inWhatRetriesCameTo_areFound() {
    CallQueueTooBigException busy = new CallQueueTooBigException("full");
    assertThat(
            PushFailure.of(new CompletionException(new RetriesExhaustedException("tried", busy))))
        .isEqualTo(PushFailure.BUSY);
  }
}
