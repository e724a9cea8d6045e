/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
