/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FeedWatchTest {
  private boolean fed;
  private int told;
  private final FeedWatch watch = new FeedWatch(() -> fed, () -> told++);

  @Test
  void run_notFedYet_saysNothing() {
    watch.run();
    assertThat(told).isZero();
  }

  @Test
  void run_noLongerFed_saysSoOnce() {
    fed = true;
    watch.run();
    assertThat(told).isZero();
    fed = false;
    watch.run();
    watch.run();
    assertThat(told).isEqualTo(1);
  }
}
