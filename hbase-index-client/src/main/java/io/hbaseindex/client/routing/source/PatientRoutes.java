/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingTally;
import io.hbaseindex.client.routing.UnroutedReason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Asks again, after a pause, when the question was refused because the one that was asked is busy,
 * for as long as the answer may take. A scan of all regions instead would cost a busy cluster far
 * more than a few small questions.
 *
 * <p>Pauses double, and half of each is random: clients that were refused together come back one by
 * one.
 */
@InterfaceAudience.Private
public final class PatientRoutes implements RouteSource {
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  /** Does something after a pause. */
  interface Pause {
    void then(long millis, Runnable next);
  }

  private final RouteSource source;
  private final RouteTime time;
  private final RoutingTally counters;
  private final LongSupplier nanoClock;
  private final Pause pause;

  public PatientRoutes(
      RouteSource source, RouteTime time, RoutingTally counters, LongSupplier nanoClock) {
    this(
        source,
        time,
        counters,
        nanoClock,
        (millis, next) ->
            CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(next));
  }

  PatientRoutes(
      RouteSource source,
      RouteTime time,
      RoutingTally counters,
      LongSupplier nanoClock,
      Pause pause) {
    this.source = source;
    this.time = time;
    this.counters = counters;
    this.nanoClock = nanoClock;
    this.pause = pause;
  }

  @Override
  public <T> CompletableFuture<T> ask(RouteQuestion<T> question) {
    long allowed = TimeUnit.MILLISECONDS.toNanos(time.millis(question));
    return ask(question, nanoClock.getAsLong() + allowed, FIRST_PAUSE_MILLIS);
  }

  private <T> CompletableFuture<T> ask(
      RouteQuestion<T> question, long deadline, long longestPause) {
    return source
        .ask(question)
        .exceptionallyCompose(error -> askAgain(question, deadline, longestPause, error));
  }

  private <T> CompletableFuture<T> askAgain(
      RouteQuestion<T> question, long deadline, long longestPause, Throwable error) {
    long millis = longestPause / 2 + ThreadLocalRandom.current().nextLong(longestPause / 2 + 1);
    long left = deadline - nanoClock.getAsLong() - TimeUnit.MILLISECONDS.toNanos(millis);
    if (RouteFailure.reasonOf(error) != UnroutedReason.MASTER_BUSY || left <= 0) {
      return CompletableFuture.failedFuture(error);
    }
    CompletableFuture<Void> paused = new CompletableFuture<>();
    pause.then(millis, () -> paused.complete(null));
    return paused.thenCompose(
        over -> {
          counters.add(RoutingCounter.ASKED_AGAIN);
          return ask(question, deadline, Math.min(2 * longestPause, LONGEST_PAUSE_MILLIS));
        });
  }
}
