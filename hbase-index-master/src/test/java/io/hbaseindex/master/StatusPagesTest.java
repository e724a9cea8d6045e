/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.protocol.IndexMasterProtos.RegionFilterStatus;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.junit.jupiter.api.Test;

class StatusPagesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final FilterRegistry registry =
      new FilterRegistry(
          7,
          MachineClock.of(nanos::get, () -> 1_000),
          LeaseTerms.standard(),
          RegistryLimits.ofBytes(1 << 20),
          server -> true,
          now -> true);
  private final StatusPages pages = new StatusPages(registry, "master,1,1");

  /** Announces regions a to j of a table. */
  private void announce(String table, int firstNumber) {
    List<RegionMessage> messages = new ArrayList<>();
    for (char key = 'a'; key <= 'j'; key++) {
      RowRange range =
          new RowRange(bytes(key == 'a' ? "" : "" + key), bytes("" + (char) (key + 1)));
      messages.add(
          new OpenRegion(
              firstNumber + key, new RegionIncarnation(table, "" + key, 1, 1, range), 0));
    }
    registry.apply(new Push("server,1,1", 1, null, 0, messages));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private List<String> all(RoutingStatusRequest.Builder request) {
    List<String> names = new ArrayList<>();
    RoutingStatusResponse page;
    do {
      page = pages.page(request.build());
      assertThat(page.getRegionCount()).isLessThanOrEqualTo(request.getLimit());
      for (RegionFilterStatus region : page.getRegionList()) {
        names.add(region.getTable() + "/" + region.getEncodedName());
      }
      request.setFrom(page.getNext());
    } while (page.hasNext());
    return names;
  }

  @Test
  void pages_ofAnySize_showEveryRegionOnceInOrder() {
    announce("t", 0);
    announce("u", 1000);
    for (int limit : new int[] {1, 3, 10, 15, 20, 1000}) {
      assertThat(all(RoutingStatusRequest.newBuilder().setLimit(limit)))
          .hasSize(20)
          .isSorted()
          .doesNotHaveDuplicates();
      assertThat(all(RoutingStatusRequest.newBuilder().setLimit(limit).setTable("u")))
          .hasSize(10)
          .allMatch(name -> name.startsWith("u/"));
    }
    assertThat(all(RoutingStatusRequest.newBuilder().setTable("none"))).isEmpty();
  }

  @Test
  void page_saysWhyARegionIsOpen() {
    announce("t", 0);
    registry.apply(
        new Push("server,1,1", 2, null, 0, List.of(new StayOpen('a', 0, OpenReason.SUSPENDED))));
    RoutingStatusResponse page = pages.page(RoutingStatusRequest.getDefaultInstance());
    assertThat(page.getRegion(0).getOpenReason()).isEqualTo("SUSPENDED");
    assertThat(page.getMaster().getServer()).isEqualTo("master,1,1");
    assertThat(page.getMaster().getActiveSinceMs()).isEqualTo(1_000);
    assertThat(page.getMaster().getTrusting()).isFalse();
    assertThat(page.getMaster().getRegions()).isEqualTo(10);
    assertThat(page.getMaster().getPreciseRegions()).isZero();
  }

  @Test
  void gauges_countRegionsByReason_onceForASecondOfQuestions() {
    MetricRegistryImpl metrics =
        new MetricRegistryImpl(new MetricRegistryInfo("Test", "test", "Test", "test", false));
    try (RegistryGauges gauges = new RegistryGauges(registry, nanos::get, metrics)) {
      assertThat(gauge(metrics, "regionsOpen")).isZero();
      announce("t", 0);
      assertThat(gauge(metrics, "regionsOpen")).as("still fresh").isZero();
      nanos.addAndGet(1_000_000_000L);
      assertThat(gauge(metrics, "regionsOpen")).isEqualTo(10);
      assertThat(gauge(metrics, "regionsOpenNotReady")).isEqualTo(10);
      assertThat(gauge(metrics, "regionsPrecise")).isZero();
      assertThat(gauge(metrics, "filterByteLimit")).isEqualTo(1 << 20);
    }
    assertThat(metrics.getMetrics()).isEmpty();
  }

  @SuppressWarnings("unchecked") // all gauges here show numbers
  private static long gauge(MetricRegistryImpl metrics, String name) {
    return ((Gauge<Long>) metrics.get(name).orElseThrow()).getValue();
  }
}
