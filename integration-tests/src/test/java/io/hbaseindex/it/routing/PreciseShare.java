/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import io.hbaseindex.client.routing.RoutePlan;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the master again and again for a value that nobody has, and adds up, by the fault that
 * happened last, which share of the table's ranges it excluded. A master that does not answer
 * excludes none.
 */
final class PreciseShare implements AutoCloseable {
  private static final long PAUSE_MILLIS = 50;

  private final ChaosTable table;
  private final Map<Fault, double[]> sums = new EnumMap<>(Fault.class);
  private final Thread thread = new Thread(this::run, "chaos-precise-share");
  private Fault fault;
  private volatile boolean stopped;

  PreciseShare(ChaosTable table) {
    this.table = table;
    thread.setDaemon(true);
    thread.start();
  }

  /** What is asked from now on counts for this fault; null for none. */
  synchronized void countFor(Fault now) {
    fault = now;
  }

  /** The share of ranges excluded while this fault was the last one; 0 if never asked. */
  synchronized double of(Fault asked) {
    double[] sum = sums.get(asked);
    return sum == null ? 0 : sum[0] / sum[1];
  }

  private void run() {
    for (long number = 0; !stopped; number++) {
      Fault during = current();
      if (during != null) {
        add(during, share("nobody-" + number));
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private double share(String value) {
    try {
      Optional<RoutePlan> answer = table.route(ChaosTable.UNIQUE, value);
      return answer
          .map(a -> (double) a.skippedRegions() / (a.skippedRegions() + a.parts().size()))
          .orElse(0.0);
    } catch (IOException e) {
      return 0;
    }
  }

  private synchronized Fault current() {
    return fault;
  }

  private synchronized void add(Fault during, double share) {
    double[] sum = sums.computeIfAbsent(during, f -> new double[2]);
    sum[0] += share;
    sum[1]++;
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    sums.forEach(
        (during, sum) ->
            text.append("%s %.0f %% of %.0f  ".formatted(during, 100 * of(during), sum[1])));
    return text.toString();
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
  }
}
