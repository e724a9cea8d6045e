/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.ClusterSettings;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The law on a real cluster: a row that was written is found through the next route, whatever
 * happens to regions, servers and masters.
 *
 * <p>That regions which are always open would pass that too is what the quiet phases are for, and
 * the share of ranges that the master excluded during each kind of fault.
 */
@Tag("cluster")
@Tag("chaos")
class RoutingChaosIT {
  private static final String GIVEN_UP = "publishWaitsGivenUp";
  private static final int ROUNDS = 2;
  private static final int WRITERS = 2;
  private static final long MOST_DWELL_MILLIS = 2_000;

  @Test
  void rowsWritten_whateverHappens_areFoundThroughTheNextRoute() throws Exception {
    long seed = Seed.fixed(20260101L).get(0);
    Seed.announce(RoutingChaosIT.class, seed);
    ClusterSettings settings =
        ClusterSettings.threeServers()
            .withMasters(2)
            .withMasterCoprocessor(HangingMasterEndpoint.class);
    try (TestCluster cluster = TestCluster.start(settings);
        ChaosTable table = ChaosTable.create(cluster, List.of("d", "h", "m", "r", "w"))) {
      new Run(cluster, table, seed).run();
    }
  }

  /** One seed. It decides the order and kind of all faults and writes; the machine their speed. */
  private static final class Run {
    private final long givenUpBefore = PublishCounters.of(GIVEN_UP);
    private final TestCluster cluster;
    private final ChaosTable table;
    private final SplittableRandom random;
    private final FaultInjector faults;
    private final ChaosTally tally = new ChaosTally();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<ChaosWriter> writers = new ArrayList<>();
    private int quietPhases;

    Run(TestCluster cluster, ChaosTable table, long seed) {
      this.cluster = cluster;
      this.table = table;
      this.random = new SplittableRandom(seed);
      this.faults = new FaultInjector(cluster, table, random.split());
      for (int i = 0; i < WRITERS; i++) {
        writers.add(new ChaosWriter(table, tally, threads, "w" + i + "-", random.split()));
      }
    }

    void run() throws Exception {
      try (PreciseShare precise = new PreciseShare(table)) {
        quietPhase();
        for (int round = 0; round < ROUNDS; round++) {
          chaosPhase(precise);
          quietPhase();
        }
        System.out.printf("Chaos: %s%n", tally);
        System.out.printf("Chaos: longest wait for the master %.2f s%n", longestWait());
        System.out.printf("Chaos: excluded by the master after a fault: %s%n", precise);
        for (Fault fault : Fault.values()) {
          assertThat(precise.of(fault)).as("share of ranges excluded after %s", fault).isPositive();
        }
      } finally {
        threads.shutdownNow();
      }
    }

    private void chaosPhase(PreciseShare precise) throws Exception {
      List<Future<?>> running = new ArrayList<>();
      for (ChaosWriter writer : writers) {
        running.add(threads.submit(writer));
      }
      List<Fault> order = new ArrayList<>(List.of(Fault.values()));
      Collections.shuffle(order, new Random(random.nextLong()));
      for (Fault fault : order) {
        precise.countFor(fault);
        System.out.printf("Chaos: %s, after %d writes%n", faults.inject(fault), tally.writes());
        Waits.until("some region is precise again after " + fault)
            .atMost(ChaosTable.PRECISE_LIMIT)
            .until(() -> tally.hasMisses() || precise.of(fault) > 0);
        // Now and then the next fault comes while filters are still being built and sent.
        if (random.nextInt(3) > 0) {
          Thread.sleep(random.nextLong(MOST_DWELL_MILLIS));
        }
      }
      precise.countFor(null);
      writers.forEach(ChaosWriter::stop);
      for (Future<?> writer : running) {
        writer.get(2 * Waits.HANG.toSeconds(), TimeUnit.SECONDS);
      }
      for (ChaosWriter writer : writers) {
        writer.lookForAll();
      }
      assertThat(tally.misses()).isEmpty();
      assertThat(PublishCounters.of(GIVEN_UP))
          .as("writes that were acknowledged without the master's confirmation")
          .isEqualTo(givenUpBefore);
      faults.awaitCalm();
    }

    /**
     * Nobody disturbs anything: filters have to be trusted, and to be worth it, at the first try.
     */
    private void quietPhase() throws Exception {
      quietPhases++;
      table.awaitPrecise();
      QuietPhase phase = QuietPhase.run(table, Integer.toString(quietPhases));
      System.out.println("Quiet phase " + quietPhases + ": " + phase);
      phase.requireRouted();
    }

    private double longestWait() {
      return PublishCounters.longestMicros("publishWriteWait") / 1e6;
    }
  }
}
