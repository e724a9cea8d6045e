/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.route.RowRange;
import org.junit.jupiter.api.Test;

class RegionIncarnationTest {
  private static RegionIncarnation of(String table, String name, long regionId, long epoch) {
    return new RegionIncarnation(
        table, name, regionId, epoch, new RowRange(new byte[0], new byte[0]));
  }

  @Test
  void sameRegion_isOneOfTheSameTableAndName() {
    RegionIncarnation region = of("t", "r", 1, 1);
    assertThat(region.sameRegion(of("t", "r", 1, 9))).isTrue();
    assertThat(region.sameRegion(of("t", "other", 1, 1))).isFalse();
    assertThat(region.sameRegion(of("other", "r", 1, 1))).isFalse();
  }

  @Test
  void newer_ofOneRegion_isTheLaterEpoch_whateverItsId() {
    RegionIncarnation region = of("t", "r", 5, 5);
    assertThat(region.isNewerThan(of("t", "r", 5, 4))).isTrue();
    assertThat(region.isNewerThan(of("t", "r", 9, 4))).isTrue();
    assertThat(region.isNewerThan(of("t", "r", 5, 5))).isFalse();
    assertThat(region.isNewerThan(of("t", "r", 1, 6))).isFalse();
  }

  @Test
  void newer_ofTwoRegions_isTheOneMadeLater_whateverItsEpoch() {
    RegionIncarnation region = of("t", "r", 5, 5);
    assertThat(region.isNewerThan(of("t", "parent", 4, 9))).isTrue();
    assertThat(region.isNewerThan(of("t", "twin", 5, 1))).isFalse();
    assertThat(region.isNewerThan(of("t", "child", 6, 1))).isFalse();
  }
}
