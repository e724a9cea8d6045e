/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.metrics.SumGauge;
import io.hbaseindex.core.publish.RegionPublishStatus;
import io.hbaseindex.core.route.OpenReason;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.junit.jupiter.api.Test;

class OpenTimesTest {
  private static final RegionPublishStatus PRECISE = region(null, 10);
  private static final RegionPublishStatus SLOW = region(OpenReason.SLOW_MASTER, 0);
  private static final RegionPublishStatus NOT_READY = region(OpenReason.NOT_READY, 0);

  private final MetricRegistry registry =
      new MetricRegistryImpl(new MetricRegistryInfo("Test", "test", "Test", "test", false));
  private final OpenTimes times = new OpenTimes(new PublishMetrics(registry), 0);

  private static RegionPublishStatus region(OpenReason reason, long unconfirmed) {
    return new RegionPublishStatus(reason == null, reason == null, reason, 1, unconfirmed, 0);
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private long count(String name) {
    return ((Counter) registry.get(name).orElseThrow()).getCount();
  }

  private long state(String name) {
    return ((SumGauge) registry.get(name).orElseThrow()).getValue();
  }

  @Test
  void look_openRegions_addsTheirTimeByReason() {
    times.look(millis(300), List.of(SLOW, SLOW, NOT_READY, PRECISE), 7);
    times.look(millis(800), List.of(SLOW, PRECISE, PRECISE, PRECISE), 7);
    assertThat(count("publishOpenMsSlowMaster")).isEqualTo(2 * 300 + 500);
    assertThat(count("publishOpenMsNotReady")).isEqualTo(300);
  }

  @Test
  void look_presentStates_followTheRegions() {
    times.look(millis(300), List.of(SLOW, SLOW, NOT_READY, PRECISE), 7);
    times.look(millis(600), List.of(SLOW, PRECISE, PRECISE, PRECISE), 7);
    assertThat(state("publishRegionsOpenSlowMaster")).isEqualTo(1);
    assertThat(state("publishRegionsOpenNotReady")).isZero();
    assertThat(state("publishRegionsPrecise")).isEqualTo(3);
    assertThat(state("publishUnconfirmedBytes")).isEqualTo(30);
    assertThat(state("publishFilterBytes")).isEqualTo(7);
    times.end(millis(700));
    assertThat(state("publishFilterBytes")).isZero();
    assertThat(state("publishRegionsOpenSlowMaster")).isZero();
    assertThat(state("publishRegionsPrecise")).isZero();
  }

  @Test
  void look_partsOfAMillisecond_areNotLost() {
    for (int i = 1; i <= 10; i++) {
      times.look(i * millis(1) / 2, List.of(SLOW), 7);
    }
    assertThat(count("publishOpenMsSlowMaster")).isEqualTo(5);
  }
}
