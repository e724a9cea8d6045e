/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server of many regions, most of which nothing happens to. */
class IdleRegionsTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final int REGIONS = 300;
  private static final List<IndexCoverage> COVERAGE = List.of(new IndexCoverage(1, 1, 7, 0));

  private final ManualClock clock = new ManualClock();
  private final List<PublishedRegion> regions = new ArrayList<>();
  private ServerPublisher publisher;
  private FilterRegistry master;

  /** Regions that were looked at, each time that one was. */
  private int looks;

  private final class CountedParts extends PublishedRegion.Parts {
    @Override
    RegionPublisher publisher(
        int region,
        RegionIncarnation incarnation,
        RegionFilter filter,
        LeaseTerms terms,
        PublishLimits limits,
        long now) {
      RemainingTrust trust = new RemainingTrust(terms, now);
      return new RegionPublisher(region, incarnation, filter, trust, terms, limits, now) {
        @Override
        void tick(long at, ServerPublisher.Pulse pulse) {
          looks++;
          super.tick(at, pulse);
        }
      };
    }
  }

  @BeforeEach
  void openRegions() {
    publisher =
        new ServerPublisher(
            "s",
            new RegionNumbers(0),
            clock,
            TERMS,
            PublishLimits.standard(),
            PagedMemory.heap(),
            new CountedParts());
    master =
        new FilterRegistry(
            1, clock, TERMS, RegistryLimits.ofBytes(1 << 24), server -> true, at -> true);
    clock.passNanos(TERMS.seniorityNanos());
    for (int number = 0; number < REGIONS; number++) {
      RowRange range =
          new RowRange(
              number == 0 ? new byte[0] : key(number),
              number == REGIONS - 1 ? new byte[0] : key(number + 1));
      PublishedRegion region =
          publisher.open(
              new RegionIncarnation("t", "r" + number, 1, 1, range),
              FilterGeometry.doubling(64, 1e-4));
      region.startRebuild(0);
      region.completeRebuild(COVERAGE);
      regions.add(region);
    }
    passBeats(2);
    assertThat(regions).allMatch(region -> region.status().trusted());
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) (number >> 8), (byte) number};
  }

  /** Sends and answers what there is to say. */
  private void exchange() {
    for (Optional<Push> push = publisher.poll(); push.isPresent(); push = publisher.poll()) {
      publisher.onReply(master.apply(push.get()));
    }
  }

  private void passBeats(int beats) {
    for (int step = 0; step < 20 * beats; step++) {
      clock.passNanos(TERMS.heartbeatNanos() / 20);
      exchange();
    }
  }

  @Test
  void writesToOneRegion_haveNoOtherLookedAt() {
    passBeats(1);
    looks = 0;
    for (int write = 0; write < 10; write++) {
      WriteTicket ticket = regions.get(7).insert(1_000 + write);
      assertThat(regions.get(7).isSettled(ticket)).isFalse();
      exchange();
      assertThat(regions.get(7).isSettled(ticket)).isTrue();
    }
    assertThat(looks).as("of %s regions, none of them due for a beat", REGIONS).isLessThan(100);
  }

  @Test
  void regionsThatNothingHappensTo_areLookedAtAndRenewedOnceForABeat() {
    looks = 0;
    passBeats(8);
    assertThat(looks).isBetween(8 * REGIONS, 4 * 8 * REGIONS);
    assertThat(regions).allMatch(region -> region.status().trusted());
  }

  @Test
  void nextDeadline_ofIdleRegions_isTheNextBeat_andOfAWriteThatWaitsItIsSooner() {
    passBeats(1);
    long beat = publisher.nextDeadline();
    assertThat(beat - clock.monotonicNanos()).isBetween(1L, TERMS.heartbeatNanos());
    regions.get(9).insert(5);
    assertThat(publisher.nextDeadline()).isLessThanOrEqualTo(clock.monotonicNanos());
  }

  /** Whatever a region is told wakes it, and a region that is gone is not woken again. */
  @Test
  void regionsAreHeard_whateverHappensToThem() {
    passBeats(1);
    PublishedRegion suspended = regions.get(1);
    suspended.suspend();
    exchange();
    assertThat(suspended.isOpenEverywhere()).isTrue();
    suspended.resume();
    suspended.startRebuild(0);
    suspended.completeRebuild(COVERAGE);
    exchange();
    assertThat(suspended.status().precise()).isTrue();

    PublishedRegion rebuilt = regions.get(2);
    rebuilt.startRebuild(0);
    rebuilt.completeRebuild(COVERAGE);
    long generation = rebuilt.status().generation();
    exchange();
    assertThat(rebuilt.status().generation()).isGreaterThan(generation);

    PublishedRegion released = regions.get(3);
    long phase = released.beginBatch();
    released.release();
    exchange();
    assertThat(released.isReleased()).isTrue();
    publisher.forget(released);
    released.delete(phase, COVERAGE.get(0).space(), 1);
    looks = 0;
    assertThat(publisher.poll()).isEmpty();
    assertThat(looks).isZero();
  }
}
