/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.route.RowRange;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTermsTest {
  @Test
  void standard_leaseIsTwoSeconds() {
    assertThat(LeaseTerms.standard().leaseNanos()).isEqualTo(Duration.ofSeconds(2).toNanos());
  }

  @Test
  void horizon_liesBehindTheEndOfTrust_andPatienceFitsTheLease() {
    LeaseTerms terms = LeaseTerms.standard();
    assertThat(terms.horizonNanos()).isGreaterThan(terms.trustNanos());
    assertThat(terms.patienceNanos() + terms.horizonNanos()).isEqualTo(terms.longestWaitNanos());
    assertThat(terms.openingNanos()).isLessThanOrEqualTo(terms.longestWaitNanos());
    assertThat(terms.seniorityNanos()).isGreaterThan(terms.horizonNanos());
    assertThat(terms.openingNanos())
        .isGreaterThanOrEqualTo(terms.deposedNanos() + terms.marginNanos())
        .isGreaterThanOrEqualTo(terms.horizonNanos());
    assertThat(terms.fenceNanos()).isGreaterThanOrEqualTo(terms.horizonNanos());
  }

  @Test
  void impatientLease_isRefused() {
    assertThatThrownBy(() -> new LeaseTerms(100, 30, 10, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most a quarter of the lease");
  }

  @Test
  void noMargin_isRefused() {
    assertThatThrownBy(() -> new LeaseTerms(1_000, 100, 9, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("clocks need at least a hundredth of the lease");
  }

  @Test
  void deposedMasterThatAnswersLongerThanALease_isRefused() {
    assertThatThrownBy(() -> new LeaseTerms(1_000, 100, 50, 1_001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it must be at most the lease");
  }

  @Test
  void waits_areTheLeaseAndItsMargin_andOfAMasterThatWasDeposedToo() {
    LeaseTerms terms = new LeaseTerms(4_000, 500, 200, 3_000);

    assertThat(terms.fenceNanos()).isEqualTo(4_200);
    assertThat(terms.seniorityNanos()).isEqualTo(7_200);
    assertThat(terms.quietNanos()).isEqualTo(4_200);
    assertThat(terms.driftNanos(2_000)).as("as much as the margin in a lease").isEqualTo(100);
    assertThat(terms.restAfterLossNanos(1)).isZero();
    assertThat(terms.restAfterLossNanos(2)).isEqualTo(terms.pushTimeoutNanos());
  }

  @Test
  void incarnation_isNewerByItsEpochAlone_andSharesNoKeysWithAnotherTable() {
    RegionIncarnation first = new RegionIncarnation("t", "r", 1, 1, RowRange.ALL);
    RegionIncarnation second = new RegionIncarnation("t", "r", 1, 2, RowRange.ALL);

    assertThat(second.isNewerThan(first)).isTrue();
    assertThat(first.isNewerThan(first)).isFalse();
    assertThat(first.overlaps(second)).isTrue();
    assertThat(first.overlaps(second.ofTable("other"))).isFalse();
  }
}
