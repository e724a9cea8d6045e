/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.background;

import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The few threads on which one region server builds, repairs and cleans the indexes of all its
 * regions.
 *
 * <p>There is one per server, held by the regions that use it: the first one to come starts it, the
 * last one to leave ends its threads. It hangs on the map that HBase shares between the instances
 * of one coprocessor; that map is shared by all servers of one process, so the server's name is
 * part of the key.
 *
 * <p>What waits here is bounded by what submits it: each region has at most one build, one clean-up
 * and one repair, and each of these has at most one step waiting or running.
 */
@InterfaceAudience.Private
public final class BackgroundWork {

  /**
   * Region server setting, read when the first indexed region opens: threads for building and
   * cleaning, and filters that are built at a time.
   */
  public static final String THREADS = "hbaseindex.background.threads";

  /**
   * Region server setting, re-read all the time: rows per second that builds and checks go through,
   * 0 for no limit.
   */
  public static final String ROWS_PER_SECOND = "hbaseindex.background.rows-per-second";

  private static final int DEFAULT_THREADS = 2;
  private static final int DEFAULT_ROWS_PER_SECOND = 20_000;
  private static final long IDLE_SECONDS = 30;

  private final ConcurrentMap<String, Object> home;
  private final String key;
  private final ScheduledThreadPoolExecutor executor;
  private final Pacer pacer;
  private int users = 1;

  private BackgroundWork(
      ConcurrentMap<String, Object> home,
      String key,
      Supplier<Configuration> conf,
      LongSupplier nanoClock) {
    this.home = home;
    this.key = key;
    AtomicInteger number = new AtomicInteger();
    this.executor =
        new ScheduledThreadPoolExecutor(
            threads(conf.get()),
            task -> {
              Thread thread =
                  new Thread(task, "hbase-index-background-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.pacer =
        new Pacer(nanoClock, () -> conf.get().getInt(ROWS_PER_SECOND, DEFAULT_ROWS_PER_SECOND));
  }

  /** How many threads a server has for each kind of work in the background. */
  public static int threads(Configuration conf) {
    return Math.max(1, conf.getInt(THREADS, DEFAULT_THREADS));
  }

  /**
   * The background work of a server; to be given back with {@link #release}.
   *
   * @param home what HBase shares between instances of the coprocessor
   * @param server name of the region server
   * @param conf the server's configuration as it is at the moment of asking
   * @param nanoClock a monotonic clock
   */
  public static BackgroundWork acquire(
      ConcurrentMap<String, Object> home,
      String server,
      Supplier<Configuration> conf,
      LongSupplier nanoClock) {
    String key = BackgroundWork.class.getName() + "/" + server;
    return (BackgroundWork)
        home.compute(
            key,
            (k, existing) -> {
              if (existing == null) {
                return new BackgroundWork(home, key, conf, nanoClock);
              }
              ((BackgroundWork) existing).users++;
              return existing;
            });
  }

  /** Gives the background work back; the last one to do so ends its threads. */
  public void release() {
    home.computeIfPresent(
        key,
        (k, existing) -> {
          if (--users > 0) {
            return existing;
          }
          executor.shutdown();
          return null;
        });
  }

  /**
   * A task that shares the threads and the rate of this server; it does not run before it is woken.
   */
  public PacedTask task(
      String name, BooleanSupplier gate, PacedTask.Step step, PacedTask.FailureListener failures) {
    return new PacedTask(
        name,
        (nanos, task) -> executor.schedule(task, nanos, TimeUnit.NANOSECONDS),
        pacer,
        gate,
        step,
        failures);
  }
}
