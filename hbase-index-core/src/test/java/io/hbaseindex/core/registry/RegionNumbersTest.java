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
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A publisher ends, another one begins under the same server name, and a push of the first arrives
 * late: its page is of the generation and has the number that the region of the second expects.
 */
class RegionNumbersTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final byte[] MIDDLE = "m".getBytes(StandardCharsets.US_ASCII);
  private static final long OLD_VALUE = 11;
  private static final long NEW_VALUE = 22;

  private final ManualClock clock = new ManualClock();
  private final FilterRegistry master =
      new FilterRegistry(
          1, clock, TERMS, RegistryLimits.ofBytes(1L << 24), server -> true, now -> true);

  @Test
  void numbersAreNotUsedAgain_latePageOfAnEarlierRegion_changesNoOther() {
    RegionNumbers numbers = new RegionNumbers(0);
    assertThat(isExcluded(numbers, numbers)).isFalse();
  }

  /** Shows that the test above can fail. */
  @Test
  void numbersUsedAgain_latePageOfAnEarlierRegion_hidesAnAcknowledgedWrite() {
    assertThat(isExcluded(new RegionNumbers(0), new RegionNumbers(0))).isTrue();
  }

  /** Whether a route leaves out what was acknowledged. */
  private boolean isExcluded(RegionNumbers before, RegionNumbers after) {
    ServerPublisher first = publisher(before);
    PublishedRegion earlier = precise(first, "r1", new RowRange(new byte[0], MIDDLE));
    earlier.insert(OLD_VALUE);
    Push late = first.poll().orElseThrow();

    ServerPublisher second = publisher(after);
    PublishedRegion later = precise(second, "r2", new RowRange(MIDDLE, new byte[0]));
    WriteTicket ticket = later.insert(NEW_VALUE);
    Push push = second.poll().orElseThrow();
    master.apply(late);
    second.onReply(master.apply(push));

    RouteAnswer route = master.route("t", new RoutePredicate.Element(INDEX, NEW_VALUE));
    boolean named =
        route.candidates().stream()
            .anyMatch(candidate -> candidate.range().equals(later.incarnation().range()));
    return later.isSettled(ticket) && !named;
  }

  private ServerPublisher publisher(RegionNumbers numbers) {
    return new ServerPublisher("s", numbers, clock, TERMS, PublishLimits.standard());
  }

  private PublishedRegion precise(ServerPublisher publisher, String name, RowRange range) {
    PublishedRegion region =
        publisher.open(new RegionIncarnation("t", name, 1, 1, range), FilterGeometry.standard());
    region.startRebuild(1);
    region.completeRebuild(List.of(INDEX));
    for (int i = 0; i < 10_000 && !region.status().trusted(); i++) {
      Optional<Push> push = publisher.poll();
      push.ifPresent(sent -> publisher.onReply(master.apply(sent)));
      clock.pass(Duration.ofMillis(2));
    }
    assertThat(region.status().trusted()).isTrue();
    return region;
  }
}
