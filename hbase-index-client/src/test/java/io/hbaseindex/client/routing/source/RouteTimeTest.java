/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutingSettings;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class RouteTimeTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final long ROUTE_MILLIS = 1_000;
  private static final long FIRST_MILLIS = 5_000;

  private final Configuration conf = new Configuration(false);
  private long now = Long.MAX_VALUE - 1;
  private final RouteTime time = new RouteTime(RoutingSettings.of(conf), () -> now);

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void firstScans_shareOneLongWait_fromTheFirstOfThemOn() {
    pass(60_000);
    assertThat(time.millis()).isEqualTo(FIRST_MILLIS);
    pass(1_500);
    assertThat(time.millis(new RouteQuestion.Descriptor(TABLE))).isEqualTo(3_500);
    pass(3_400);
    assertThat(time.millis()).isEqualTo(ROUTE_MILLIS);
  }

  @Test
  void answer_endsTheLongWait() {
    time.millis();
    time.answered();
    assertThat(time.millis()).isEqualTo(ROUTE_MILLIS);
  }

  @Test
  void masterThatNeverAnswers_isWaitedForLongOnce() {
    time.millis();
    pass(FIRST_MILLIS);
    assertThat(time.millis()).isEqualTo(ROUTE_MILLIS);
    pass(60_000);
    assertThat(time.millis()).isEqualTo(ROUTE_MILLIS);
  }

  @Test
  void copiesOfFilters_haveATimeOfTheirOwn() {
    assertThat(time.millis(new RouteQuestion.Filters(TABLE, Set.of(), 1))).isEqualTo(30_000);
  }

  @Test
  void whoeverWaitsLongAnyway_waitsNoShorter() {
    conf.setLong(RoutingSettings.TIMEOUT_MS, 15_000);
    assertThat(new RouteTime(RoutingSettings.of(conf), () -> now).millis()).isEqualTo(15_000);
  }
}
