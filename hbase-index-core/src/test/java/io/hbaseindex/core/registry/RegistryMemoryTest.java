/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.push.FilterChunks;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/** What a registry says that its filters take is what they take. */
class RegistryMemoryTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);

  private final ManualClock clock = new ManualClock();
  private final FilterRegistry registry =
      new FilterRegistry(
          1,
          clock,
          TERMS,
          new RegistryLimits(1L << 30, 64, 1000, 4, Long.MAX_VALUE),
          server -> true,
          now -> true);

  @BeforeAll
  static void letRecordsBeMeasured() {
    // Where the fields of records lie is told to nobody but by this means.
    System.setProperty("jol.magicFieldOffset", "true");
  }

  @Test
  void filterBytes_ofManyRegions_areTheHeapTheyTake() {
    clock.passNanos(TERMS.seniorityNanos());
    long before = heapOf(registry);
    for (int region = 1; region <= 200; region++) {
      publish(region, 500 + 37 * region);
      registry.tidy(4);
      if (region % 50 == 0) {
        assertReportedIsTaken(before);
      }
    }
    for (int region = 1; region <= 150; region++) {
      send(null, new RegionMessage.ReleaseRegion(region));
      registry.tidy(4);
    }
    assertReportedIsTaken(before);
  }

  @Test
  void filterBytes_ofStagedFilters_areTheHeapTheyTake() {
    long before = heapOf(registry);
    for (int region = 1; region <= 20; region++) {
      send(null, new OpenRegion(region, incarnation(region), 0));
      stage(region, 5_000);
    }
    assertReportedIsTaken(before);
  }

  /** A block that is being filled takes memory beside the planes that it is filled from. */
  @Test
  void tidy_withoutAnyPush_movesAllBits_andRoutesStayRight() {
    clock.passNanos(TERMS.seniorityNanos());
    for (int region = 1; region <= 60; region++) {
      publish(region, 20_000);
    }
    long most = 0;
    long element = new SplittableRandom(7).nextLong();
    int steps = 0;
    for (boolean more = true; more; steps++) {
      more = registry.tidy(1);
      most = Math.max(most, registry.filterBytes());
      assertThat(registry.route("t", new RoutePredicate.Element(INDEX, element)).positive())
          .isOne();
    }
    assertThat(steps).isGreaterThan(10);
    assertThat(registry.filterBytes()).isLessThan(most);
    assertThat(registry.tidy(1)).isFalse();
  }

  /** A region that grows after it was published brings its further segments page by page. */
  @Test
  void tidy_segmentsThatCameByPages_areMovedToo() {
    clock.passNanos(TERMS.seniorityNanos());
    for (int region = 1; region <= 60; region++) {
      publish(region, 100);
    }
    while (registry.tidy(1)) {
      // until there is nothing to move
    }
    FilterChanges growth = new FilterChanges();
    growth.segmentAdded(99, SizeClass.forCapacity(1_000, 1e-4));
    for (int region = 1; region <= 60; region++) {
      send(null, new RegionMessage.ApplyPage(region, 1, 1, growth));
    }
    assertThat(registry.tidy(1)).isTrue();
  }

  /** Entries, ranges and names are not filters and come on top: less than a KiB per region. */
  private void assertReportedIsTaken(long before) {
    long taken = heapOf(registry) - before;
    long entries = 1024L * registry.regions("t").size();
    assertThat(registry.filterBytes())
        .as("of %d bytes taken", taken)
        .isBetween((long) (0.99 * taken) - entries, taken);
  }

  private static long heapOf(Object root) {
    return GraphLayout.parseInstance(root).totalSize();
  }

  private void publish(int region, int elements) {
    send(null, new OpenRegion(region, incarnation(region), 0));
    stage(region, elements);
    send(
        registry.apply(new Push("s", 1, null, 0, List.of())).token(), new RenewTrust(region, 1, 0));
  }

  private void stage(int region, int elements) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(FilterGeometry.standard(), FilterChangeListener.NONE);
    new SplittableRandom(region).longs(elements).forEach(filter::insert);
    FilterChunks chunks = new FilterChunks(filter.snapshot(), 1 << 16);
    List<RegionMessage> parts = new ArrayList<>();
    for (int part = 0; part < chunks.count(); part++) {
      parts.add(
          new StageChunk(
              region, 1, part, part == chunks.count() - 1, List.of(INDEX), chunks.part(part)));
    }
    registry.apply(new Push("s", 1, null, 0, parts));
  }

  private static RegionIncarnation incarnation(int region) {
    return new RegionIncarnation(
        "t",
        "r" + region,
        1,
        1,
        new RowRange("%05d".formatted(region).getBytes(), "%05d".formatted(region + 1).getBytes()));
  }

  private void send(LeaseToken token, RegionMessage message) {
    registry.apply(new Push("s", 1, token, 0, List.of(message)));
  }
}
