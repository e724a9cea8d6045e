/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.RowRange;
import org.junit.jupiter.api.Test;

class GoneRegionsTest {
  private static final RegionEntry.Key KEY = new RegionEntry.Key("s", 1);

  /** The clock wraps around before they are forgotten. */
  private static final long UNTIL = Long.MIN_VALUE + 10;

  private final GoneRegions gone = new GoneRegions();

  @Test
  void sweep_forgetsAtItsMoment_andNotBefore() {
    gone.add(KEY, all(2), Verdict.FENCED, UNTIL);
    gone.sweep(UNTIL - 1);
    assertThat(gone.verdictFor(KEY)).contains(Verdict.FENCED);
    assertThat(gone.hasNewerThan(all(1))).isTrue();
    gone.sweep(UNTIL);
    assertThat(gone.verdictFor(KEY)).isEmpty();
    assertThat(gone.hasNewerThan(all(1))).isFalse();
  }

  @Test
  void sweep_ofAnEarlierVerdict_leavesTheLaterOne() {
    gone.add(KEY, all(1), Verdict.FENCED, UNTIL);
    gone.add(KEY, all(2), Verdict.RELEASED, UNTIL + 1);
    gone.sweep(UNTIL);
    assertThat(gone.verdictFor(KEY)).contains(Verdict.RELEASED);
    assertThat(gone.hasNewerThan(all(1))).isTrue();
  }

  @Test
  void hasNewerThan_sameOlderUnannouncedOrElsewhere_isNot() {
    gone.add(KEY, all(2), Verdict.FENCED, UNTIL);
    gone.add(new RegionEntry.Key("s", 2), null, Verdict.RELEASED, UNTIL);
    gone.add(new RegionEntry.Key("s", 3), region("t", 9, "m", "p"), Verdict.RELEASED, UNTIL);
    gone.add(new RegionEntry.Key("s", 4), region("other", 9, "", ""), Verdict.RELEASED, UNTIL);
    assertThat(gone.hasNewerThan(all(2))).isFalse();
    assertThat(gone.hasNewerThan(all(3))).isFalse();
    assertThat(gone.hasNewerThan(region("t", 5, "p", ""))).isFalse();
    assertThat(gone.hasNewerThan(region("t", 8, "o", "p"))).isTrue();
  }

  private static RegionIncarnation all(long epoch) {
    return region("t", epoch, "", "m");
  }

  private static RegionIncarnation region(String table, long epoch, String from, String to) {
    return new RegionIncarnation(
        table, "r", 1, epoch, new RowRange(from.getBytes(), to.getBytes()));
  }
}
