/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that look after the filters of one server: as many as filters may be built at the
 * same time, and one more, so that reading a stored filter never waits for one that is built.
 */
@InterfaceAudience.Private
public final class UpkeepThreads {
  private static final Logger LOG = LoggerFactory.getLogger(UpkeepThreads.class);

  /** How long nobody looks after a region that has just come, or whose turn it is again. */
  private static final long STEP_MILLIS = 50;

  private final UpkeepQueue queue;
  private final LongSupplier nanoClock;
  private final LinkedBlockingQueue<Runnable> errands = new LinkedBlockingQueue<>();
  private final Thread[] threads;
  private volatile boolean stopped;

  /**
   * @param name what the names of the threads begin with
   * @param mostBuilds filters that are built from postings at the same time, at most
   */
  public UpkeepThreads(String name, int mostBuilds, LongSupplier nanoClock) {
    this.queue = new UpkeepQueue(mostBuilds);
    this.nanoClock = nanoClock;
    this.threads =
        IntStream.rangeClosed(0, mostBuilds)
            .mapToObj(number -> new Thread(this::work, name + "-" + number))
            .toArray(Thread[]::new);
    for (Thread thread : threads) {
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Looks after a region's filter until the task is {@linkplain #remove removed}. */
  public void add(UpkeepTask task) {
    queue.add(task, nanoClock.getAsLong());
  }

  /** Looks after the region no more; a run that is under way goes on. */
  public void remove(UpkeepTask task) {
    queue.remove(task);
  }

  /** Runs something once, as soon as a thread is free. */
  public void execute(Runnable errand) {
    errands.add(errand);
  }

  /** Ends the threads, soon. */
  public void stop() {
    stopped = true;
    for (Thread thread : threads) {
      thread.interrupt();
    }
  }

  private void work() {
    while (!stopped) {
      try {
        Runnable errand = errands.poll(runNext() ? 0 : STEP_MILLIS, TimeUnit.MILLISECONDS);
        if (errand != null) {
          errand.run();
        }
      } catch (InterruptedException e) {
        LOG.debug("Interrupted; the last region has left, or will be noticed to have", e);
      } catch (RuntimeException | Error e) {
        // The thread looks after all regions and must not end.
        LOG.error("Cannot look after filters; going on", e);
      }
    }
  }

  /** Whether there was something to do. */
  private boolean runNext() {
    var next = queue.take(nanoClock.getAsLong());
    next.ifPresent(
        taken -> {
          try {
            taken.task().run();
          } finally {
            queue.done(taken, nanoClock.getAsLong());
          }
        });
    return next.isPresent();
  }
}
