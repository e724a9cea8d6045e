/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.background;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work done in small steps on a shared executor: at a bounded rate, starting over after an error,
 * ending soon after it is told to stop.
 *
 * <p>At most one step runs at a time. A step that fails is tried again after a second, then after
 * two, four and so on up to a minute, for as long as the task is not stopped: regions outlive every
 * fault of their server's surroundings, and their background work has to as well.
 */
@InterfaceAudience.Private
public final class PacedTask {

  /** A piece of work, short enough that nobody minds waiting for its end. */
  public interface Step {
    /** Does the next piece and says what came of it. */
    Outcome run() throws IOException;
  }

  /**
   * @param rows what the step cost, in rows
   * @param done whether there is nothing more to do
   */
  public record Outcome(long rows, boolean done) {
    public static Outcome more(long rows) {
      return new Outcome(rows, false);
    }

    public static Outcome done(long rows) {
      return new Outcome(rows, true);
    }
  }

  /** Runs things later. */
  interface Scheduler {
    /**
     * @throws RejectedExecutionException if nothing is run any more
     */
    void runAfter(long nanos, Runnable task);
  }

  /** Told about errors, for states and counters. */
  public interface FailureListener {
    void failed(Throwable failure, long retryMillis);
  }

  private static final Logger LOG = LoggerFactory.getLogger(PacedTask.class);
  private static final long FIRST_RETRY_MILLIS = 1_000;
  private static final long LAST_RETRY_MILLIS = 60_000;
  private static final long GATE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final String name;
  private final Scheduler scheduler;
  private final Pacer pacer;
  private final BooleanSupplier gate;
  private final Step step;
  private final FailureListener failures;
  private boolean active;
  private boolean stopped;
  private boolean again;
  private long retryMillis = FIRST_RETRY_MILLIS;

  /**
   * @param gate as long as this says no, steps wait
   */
  PacedTask(
      String name,
      Scheduler scheduler,
      Pacer pacer,
      BooleanSupplier gate,
      Step step,
      FailureListener failures) {
    this.name = name;
    this.scheduler = scheduler;
    this.pacer = pacer;
    this.gate = gate;
    this.step = step;
    this.failures = failures;
  }

  /**
   * Sees to it that a step runs after this call, even if one is running now that believes it is the
   * last.
   */
  public synchronized void wake() {
    if (stopped) {
      return;
    }
    if (active) {
      again = true;
    } else {
      active = true;
      schedule(0);
    }
  }

  /** No step begins after this call. */
  public synchronized void stop() {
    stopped = true;
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  private void runStep() {
    if (isStopped()) {
      return;
    }
    try {
      if (!gate.getAsBoolean()) {
        waitAtGate();
        return;
      }
      Outcome outcome = step.run();
      succeeded(outcome, pacer.book(outcome.rows()));
    } catch (IOException | RuntimeException | Error e) {
      // Also an error, such as a lack of memory: the executor would keep it to itself, and the task
      // would be taken for active and never run again.
      failed(e);
    }
  }

  private synchronized void waitAtGate() {
    if (!stopped) {
      schedule(GATE_POLL_NANOS);
    }
  }

  private synchronized void succeeded(Outcome outcome, long waitNanos) {
    retryMillis = FIRST_RETRY_MILLIS;
    if (stopped) {
      return;
    }
    if (outcome.done() && !again) {
      active = false;
    } else {
      again = again && !outcome.done();
      schedule(waitNanos);
    }
  }

  private void failed(Throwable failure) {
    long wait;
    synchronized (this) {
      if (stopped) {
        // The region is closing under the step: its errors mean nothing.
        LOG.debug("{} was stopped", name, failure);
        return;
      }
      wait = retryMillis;
      retryMillis = Math.min(2 * retryMillis, LAST_RETRY_MILLIS);
      schedule(TimeUnit.MILLISECONDS.toNanos(wait));
    }
    LOG.warn("{} failed; trying again in {} ms", name, wait, failure);
    failures.failed(failure, wait);
  }

  private void schedule(long nanos) {
    try {
      scheduler.runAfter(nanos, this::runStep);
    } catch (RejectedExecutionException e) {
      // The server's last region has left, so ours is closed too.
      LOG.debug("{} ends: the server stops", name, e);
      stopped = true;
    }
  }
}
