/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** How many routes per second the master gives to some clients that ask one after another. */
final class RouteRate {
  private RouteRate() {}

  static double measure(RoutedValues values, int clients, int seconds, int rows) throws Exception {
    ask(values, clients, Math.max(1, seconds / 2), rows); // warms up
    return (double) ask(values, clients, seconds, rows) / seconds;
  }

  private static long ask(RoutedValues values, int clients, int seconds, int rows)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      List<Future<Long>> running = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        SplittableRandom random = new SplittableRandom(client);
        running.add(
            threads.submit(
                () -> {
                  long asked = 0;
                  for (; System.nanoTime() - until < 0; asked++) {
                    values.route(random.nextInt(rows));
                  }
                  return asked;
                }));
      }
      long asked = 0;
      for (Future<Long> client : running) {
        asked += client.get();
      }
      return asked;
    } finally {
      threads.shutdownNow();
    }
  }
}
