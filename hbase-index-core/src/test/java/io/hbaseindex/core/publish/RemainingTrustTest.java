/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.push.LeaseTerms;
import org.junit.jupiter.api.Test;

class RemainingTrustTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final long OPENED = 1_000;
  private static final long RECEIVED = 2_000;
  private static final long HORIZON = RECEIVED + TERMS.horizonNanos();

  private final RemainingTrust trust = new RemainingTrust(TERMS, OPENED);

  @Test
  void earlierIncarnations_areTrustedForTheOpeningTime_andNoLonger() {
    long end = OPENED + TERMS.openingNanos();
    assertThat(trust.hasNoneBefore(end - 1)).isFalse();
    assertThat(trust.hasNoneBefore(end)).isTrue();
    assertThat(trust.hasNoneInIncarnation(OPENED)).isTrue();
  }

  @Test
  void renewal_countsFromTheReceiptOfTheToken() {
    trust.renewed(3, RECEIVED);
    assertThat(trust.hasNoOwn(HORIZON - 1)).isFalse();
    assertThat(trust.hasNoOwn(HORIZON)).isTrue();
  }

  @Test
  void endThrough_aGenerationBeforeTheLastRenewed_endsNothing() {
    trust.renewed(3, RECEIVED);
    assertThat(trust.endThrough(2, true)).isFalse();
    assertThat(trust.hasNoOwn(RECEIVED)).isFalse();
    assertThat(trust.hasNoneBefore(RECEIVED)).isFalse();
  }

  @Test
  void endThrough_byAMasterThatIsNotSenior_leavesEarlierIncarnations() {
    trust.renewed(3, RECEIVED);
    assertThat(trust.endThrough(3, false)).isTrue();
    assertThat(trust.hasNoOwn(RECEIVED)).isTrue();
    assertThat(trust.hasNoneBefore(RECEIVED)).isFalse();
    assertThat(trust.endThrough(3, true)).isTrue();
    assertThat(trust.hasNoneBefore(RECEIVED)).isTrue();
  }

  @Test
  void changeMaster_onlyTimeEndsWhatTheOneBeforeTrusts() {
    trust.renewed(3, RECEIVED);
    trust.changeMaster();
    assertThat(trust.endThrough(3, true)).isTrue();
    assertThat(trust.hasNoOwn(RECEIVED)).isTrue();
    assertThat(trust.hasNoneInIncarnation(HORIZON - 1)).isFalse();
    assertThat(trust.hasNoneBefore(HORIZON - 1)).isFalse();
    assertThat(trust.hasNoneInIncarnation(HORIZON)).isTrue();
  }

  @Test
  void released_leavesWhatOtherMastersTrust() {
    trust.renewed(3, RECEIVED);
    trust.changeMaster();
    trust.renewed(4, RECEIVED + 5);
    trust.released();
    assertThat(trust.hasNoOwn(RECEIVED)).isTrue();
    assertThat(trust.hasNoneInIncarnation(HORIZON - 1)).isFalse();
  }

  @Test
  void earlierOf_isTheNextEndOfAnyTrust() {
    long opening = OPENED + TERMS.openingNanos();
    long never = Long.MAX_VALUE / 2;
    assertThat(trust.earlierOf(never, OPENED)).isEqualTo(opening);
    trust.renewed(3, OPENED - TERMS.patienceNanos());
    assertThat(trust.earlierOf(never, OPENED))
        .isEqualTo(OPENED - TERMS.patienceNanos() + TERMS.horizonNanos());
    trust.changeMaster();
    assertThat(trust.earlierOf(never, OPENED))
        .isEqualTo(OPENED - TERMS.patienceNanos() + TERMS.horizonNanos());
    assertThat(trust.earlierOf(OPENED, OPENED)).isEqualTo(OPENED);
    assertThat(trust.earlierOf(never, opening)).isEqualTo(never);
  }
}
