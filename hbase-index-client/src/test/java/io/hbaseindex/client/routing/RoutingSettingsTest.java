/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class RoutingSettingsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void timeForCopies_isLongerThanForRoutes_andCanBeSet() {
    RoutingSettings defaults = RoutingSettings.of(conf);
    assertThat(defaults.filtersTimeoutMillis()).isGreaterThan(defaults.timeoutMillis());

    conf.setLong(RoutingSettings.FILTERS_TIMEOUT_MS, 5_000);
    assertThat(RoutingSettings.of(conf).filtersTimeoutMillis()).isEqualTo(5_000);
  }

  @Test
  void noTimeForCopies_isRefused() {
    conf.setLong(RoutingSettings.FILTERS_TIMEOUT_MS, 0);

    assertThatThrownBy(() -> RoutingSettings.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hbaseindex.client.filters.timeout-ms was 0; give at least 1");
  }
}
