/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

class CallGateTest {
  private final List<Refusal> refused = new ArrayList<>();
  private final CallGate gate = new CallGate("route a query", 2, refused::add);

  @Test
  void callBeyondTheLimit_isRefusedAtOnce_andOthersGoOn() throws IOException {
    String answer =
        gate.pass(
            () ->
                gate.pass(
                    () -> {
                      assertThatThrownBy(() -> gate.pass(() -> "third"))
                          .isInstanceOf(CallQueueTooBigException.class)
                          .hasMessage(
                              "Cannot route a query: 2 such calls are being answered; ask again"
                                  + " later");
                      return "second";
                    }));
    assertThat(answer).isEqualTo("second");
    assertThat(refused).containsExactly(Refusal.BUSY);
    assertThat(gate.pass(() -> "fourth")).isEqualTo("fourth");
  }

  @Test
  void callBeyondTheLimit_waitsForItsTurn_whereItMay() throws Exception {
    CallGate waiting = new CallGate("take a push", 1, 1, Long.MAX_VALUE, refused::add);
    ExecutorService others = Executors.newSingleThreadExecutor();
    try {
      CountDownLatch arrived = new CountDownLatch(1);
      Future<String> second =
          waiting.pass(
              () -> {
                Future<String> queued =
                    others.submit(
                        () -> {
                          arrived.countDown();
                          return waiting.pass(() -> "second");
                        });
                awaitEntered(waiting, arrived);
                assertThat(queued).isNotDone();
                assertThatThrownBy(() -> waiting.pass(() -> "third"))
                    .isInstanceOf(CallQueueTooBigException.class);
                return queued;
              });
      assertThat(second.get()).isEqualTo("second");
      assertThat(refused).containsExactly(Refusal.BUSY);
    } finally {
      others.shutdownNow();
    }
  }

  @Test
  void callThatHasWaitedForLongEnough_isRefused_andOthersGoOn() throws IOException {
    CallGate waiting = new CallGate("take a push", 1, 1, 1, refused::add);
    for (int time = 0; time < 3; time++) {
      String answer =
          waiting.pass(
              () -> {
                assertThatThrownBy(() -> waiting.pass(() -> "second"))
                    .isInstanceOf(CallQueueTooBigException.class);
                return "first";
              });
      assertThat(answer).isEqualTo("first");
    }
    assertThat(refused).hasSize(3);
  }

  private static void awaitEntered(CallGate gate, CountDownLatch arrived) throws IOException {
    try {
      arrived.await();
      while (gate.waiting() == 0) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void refusedCalls_giveTheirPlaceBack() throws IOException {
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> fail(new AccessDeniedException("no")))
          .isInstanceOf(AccessDeniedException.class);
    }
    assertThat(refused).hasSize(5).containsOnly(Refusal.DENIED);
    assertThat(gate.pass(() -> "next")).isEqualTo("next");
  }

  @Test
  void reasons_areToldApart_andNothingButIoExceptionsGetOut() {
    assertThatThrownBy(() -> fail(new MalformedBlobException(BlobKind.PUSH, "cut off")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("cut off");
    assertThatThrownBy(() -> fail(new CallRefusedException(Refusal.OVERSIZED, "too large")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("too large");
    assertThatThrownBy(
            () ->
                gate.pass(
                    () -> {
                      throw new IllegalStateException("a fault");
                    }))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("a fault");
    assertThat(refused).containsExactly(Refusal.MALFORMED, Refusal.OVERSIZED, Refusal.FAILED);
  }

  @Test
  void limit_belowOne_isRefused() {
    assertThatThrownBy(() -> new CallGate("take a push", 0, refused::add))
        .hasMessage("Cannot take a push: the limit of calls was 0; it must be positive");
  }

  private void fail(IOException cause) throws IOException {
    gate.pass(
        () -> {
          throw cause;
        });
  }
}
