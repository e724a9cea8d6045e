/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class BoundedWaitTest {
  private static final long LONG_MILLIS = 600_000;

  /** Long enough for a test to say what depends on the future before its time is up. */
  private static final long SHORT_MILLIS = 300;

  @Test
  void answer_isPassedOn_byTheThreadThatBringsIt() {
    CompletableFuture<String> future = new CompletableFuture<>();
    CompletableFuture<Thread> dependent =
        BoundedWait.of(future, LONG_MILLIS).thenApply(value -> Thread.currentThread());

    future.complete("value");

    assertThat(dependent.join()).isSameAs(Thread.currentThread());
    assertThat(BoundedWait.of(future, LONG_MILLIS).join()).isEqualTo("value");
  }

  @Test
  void failure_isPassedOn() {
    CompletableFuture<String> future = CompletableFuture.failedFuture(new IOException("gone"));

    assertThatThrownBy(() -> BoundedWait.of(future, LONG_MILLIS).join())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("gone");
  }

  @Test
  void whatDependsOnATimeout_doesNotRunOnTheTimerOfTheJvm() {
    CompletableFuture<String> never = new CompletableFuture<>();
    CompletableFuture<Thread> thread =
        BoundedWait.of(never, SHORT_MILLIS)
            .handle(
                (value, error) -> {
                  assertThat(error).isInstanceOf(TimeoutException.class);
                  return Thread.currentThread();
                });

    assertThat(thread.join()).isNotSameAs(timerThread());
    assertThat(never).as("others may still wait for it").isNotDone();
  }

  /** The thread that counts the timeouts of all futures. */
  private static Thread timerThread() {
    CompletableFuture<String> late = new CompletableFuture<>();
    CompletableFuture<Thread> thread = late.thenApply(value -> Thread.currentThread());
    late.completeOnTimeout("", 1, TimeUnit.MILLISECONDS);
    return thread.join();
  }
}
