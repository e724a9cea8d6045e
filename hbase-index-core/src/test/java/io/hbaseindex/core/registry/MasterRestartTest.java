/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.publish.WriteTicket;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A new master hears of a thousand regions at once. On one simulated clock, with a network that
 * takes a millisecond each way, four servers come back to it while they are written to.
 */
class MasterRestartTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final Duration STEP = Duration.ofMillis(2);
  private static final int SERVERS = 4;
  private static final int REGIONS_PER_SERVER = 250;
  private static final int ELEMENTS_PER_REGION = 400;

  private record Pending(int region, long element, WriteTicket ticket, long begunNanos) {}

  private final ManualClock clock = new ManualClock();
  private final SplittableRandom random = new SplittableRandom(5);
  private final List<ServerPublisher> servers = new ArrayList<>();
  private final List<PublishedRegion> regions = new ArrayList<>();
  private final List<Pending> pending = new ArrayList<>();
  private FilterRegistry master;
  private long masters;
  private long longestWaitNanos;
  private int pushes;

  @Test
  void newMaster_manyRegions_allPreciseSoonAfterItMayTrust_andNoWriteIsLostOrWaitsTooLong() {
    master = newMaster();
    openRegions();
    runUntilPrecise();

    master = newMaster();
    long restarted = clock.monotonicNanos();
    pushes = 0;
    runUntilPrecise();

    long took = clock.monotonicNanos() - restarted;
    System.out.printf(
        "%d regions precise %d ms after a new master became active, by %d pushes;"
            + " longest write wait %d ms (simulated time)%n",
        regions.size(),
        Duration.ofNanos(took).toMillis(),
        pushes,
        Duration.ofNanos(longestWaitNanos).toMillis());
    assertThat(took).isBetween(TERMS.quietNanos(), 3 * TERMS.quietNanos());
    assertThat(longestWaitNanos).isLessThanOrEqualTo(TERMS.longestWaitNanos() + STEP.toNanos());
  }

  private FilterRegistry newMaster() {
    return new FilterRegistry(
        ++masters, clock, TERMS, RegistryLimits.ofBytes(1L << 30), server -> true, now -> true);
  }

  private void openRegions() {
    for (int server = 0; server < SERVERS; server++) {
      ServerPublisher publisher =
          new ServerPublisher(
              "s" + server, new RegionNumbers(0), clock, TERMS, PublishLimits.standard());
      servers.add(publisher);
      for (int i = 0; i < REGIONS_PER_SERVER; i++) {
        int number = regions.size();
        PublishedRegion region =
            publisher.open(
                new RegionIncarnation("t", "r" + number, 1, 1, range(number)),
                FilterGeometry.standard());
        region.startRebuild(ELEMENTS_PER_REGION);
        region.scanned(random.longs(ELEMENTS_PER_REGION).toArray());
        region.completeRebuild(List.of(INDEX));
        regions.add(region);
      }
    }
  }

  private static RowRange range(int number) {
    int last = SERVERS * REGIONS_PER_SERVER - 1;
    return new RowRange(
        number == 0 ? new byte[0] : key(number), number == last ? new byte[0] : key(number + 1));
  }

  private static byte[] key(int number) {
    return "%05d".formatted(number).getBytes();
  }

  private void runUntilPrecise() {
    int steps = 0;
    while (!allPrecise()) {
      for (int i = 0; i < 25; i++) {
        step();
      }
      assertThat(++steps).as("rounds until all regions are precise").isLessThan(1_000);
    }
  }

  private boolean allPrecise() {
    RouteAnswer absent = master.route("t", new RoutePredicate.Element(INDEX, 1));
    return absent.open() == 0 && absent.excluded() + absent.positive() == regions.size();
  }

  private void step() {
    int region = random.nextInt(regions.size());
    long element = random.nextLong();
    pending.add(
        new Pending(region, element, regions.get(region).insert(element), clock.monotonicNanos()));
    for (ServerPublisher server : servers) {
      Optional<Push> push = server.poll();
      if (push.isPresent()) {
        pushes++;
        clock.passNanos(STEP.toNanos() / (2 * SERVERS));
        PushReply reply = master.apply(push.get());
        clock.passNanos(STEP.toNanos() / (2 * SERVERS));
        server.onReply(reply);
      }
    }
    clock.passNanos(STEP.toNanos());
    settle();
  }

  /** Whatever may be acknowledged must be found by a route that starts now. */
  private void settle() {
    for (Pending write : List.copyOf(pending)) {
      longestWaitNanos =
          Math.max(longestWaitNanos, clock.monotonicNanos() - write.begunNanos() - STEP.toNanos());
      if (regions.get(write.region()).isSettled(write.ticket())) {
        pending.remove(write);
        RouteAnswer answer = master.route("t", new RoutePredicate.Element(INDEX, write.element()));
        assertThat(answer.mayHold(key(write.region())))
            .as("write to region %d is found", write.region())
            .isTrue();
      }
    }
  }
}
