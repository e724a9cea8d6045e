/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.yetus.audience.InterfaceAudience;

/** Bounds how long the master may take, and leaves it alone for a while when it keeps failing. */
@InterfaceAudience.Private
public final class GuardedRoutes implements RouteSource {
  /** The master was not asked at all. */
  static final class LeftAloneException extends IOException {
    private static final long serialVersionUID = 1L;

    LeftAloneException() {
      super("Cannot ask the master: it failed several times in a row and is left alone");
    }
  }

  private final RouteSource master;
  private final Supplier<RouteBreaker> newBreaker;
  private final Map<Integer, RouteBreaker> breakers = new ConcurrentHashMap<>();
  private final RouteTime time;

  /**
   * @param newBreaker makes the breaker of a holder: one that fails says nothing of the others
   */
  public GuardedRoutes(RouteSource master, Supplier<RouteBreaker> newBreaker, RouteTime time) {
    this.master = master;
    this.newBreaker = newBreaker;
    this.time = time;
  }

  /**
   * A large answer that is slow to come is no sign of a sick master, so how it goes is not reported
   * to the breaker; a master that is left alone is not asked for it either.
   */
  @Override
  public <T> CompletableFuture<T> ask(RouteQuestion<T> question) {
    RouteBreaker breaker = breakers.computeIfAbsent(question.holder(), key -> newBreaker.get());
    boolean reported = !question.isLarge();
    boolean leftAlone = reported ? !breaker.allows() : breaker.rests();
    if (leftAlone) {
      return CompletableFuture.failedFuture(new LeftAloneException());
    }
    long timeoutMillis = time.millis(question);
    return reported
        ? BoundedWait.of(begin(question), timeoutMillis, error -> report(breaker, error))
        : BoundedWait.of(begin(question), timeoutMillis);
  }

  private static void report(RouteBreaker breaker, Throwable error) {
    if (error != null && RouteFailure.reasonOf(error).isMasterFailure()) {
      breaker.failed();
    } else {
      breaker.answered();
    }
  }

  /** A call that cannot even be begun, on a connection that is closed, fails like any other. */
  private <T> CompletableFuture<T> begin(RouteQuestion<T> question) {
    try {
      return master.ask(question);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
