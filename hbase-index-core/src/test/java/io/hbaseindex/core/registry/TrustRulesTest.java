/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The moments at which a master begins and ceases to trust, to the nanosecond. */
class TrustRulesTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final long MASTER = 5;

  private long nanos = Long.MAX_VALUE - 100;
  private final TrustRules rules =
      new TrustRules(MASTER, MachineClock.of(() -> nanos, () -> 0), TERMS, now -> true);

  @Test
  void young_untilTheQuietTimeIsOver() {
    LeaseToken token = rules.issueToken(rules.now());
    pass(TERMS.quietNanos() - 1);
    assertThat(rules.basisOfTrust(token, rules.now())).isNull();
    assertThat(rules.at(rules.now()).nobody()).isEqualTo(OpenReason.YOUNG_MASTER);
    pass(1);
    assertThat(rules.basisOfTrust(token, rules.now())).isEqualTo(token);
    assertThat(rules.at(rules.now()).nobody()).isNull();
  }

  @Test
  void senior_whenNoOtherMasterCanBeTrusted_andNotBefore() {
    pass(TERMS.seniorityNanos() - 1);
    assertThat(rules.isSenior(rules.now())).isFalse();
    pass(1);
    assertThat(rules.isSenior(rules.now())).isTrue();
  }

  @Test
  void inStep_upToTheDriftThatTheMarginAllowsFor() {
    LeaseToken token = rules.issueToken(rules.now());
    pass(TERMS.trustNanos());
    long most = TERMS.trustNanos();
    while (most + 1 - TERMS.trustNanos() <= TERMS.driftNanos(most + 1)) {
      most += Math.max(1, (TERMS.driftNanos(most + 1) - (most + 1 - TERMS.trustNanos())) / 2);
    }
    assertThat(rules.isInStep(push(token, most), rules.now())).isTrue();
    assertThat(rules.isInStep(push(token, most + 1), rules.now())).isFalse();
  }

  @Test
  void outOfStep_tokensOfBeforeAreWorthNothing_norIsWhatTheMasterWasToldOfBeingActive() {
    LeaseToken before = rules.issueToken(rules.now());
    pass(TERMS.quietNanos());
    assertThat(rules.isInStep(push(before, 2 * TERMS.quietNanos()), rules.now())).isFalse();
    assertThat(rules.isActive(rules.now())).isFalse();
    pass(TERMS.deposedNanos() - 1);
    LeaseToken newer = rules.issueToken(rules.now());
    assertThat(rules.isInStep(push(newer, 0), rules.now())).isTrue();
    assertThat(rules.at(rules.now()).whyNotBy(newer)).isEqualTo(OpenReason.UNCONFIRMED_CLOCK);
    pass(1);
    assertThat(rules.isActive(rules.now())).isTrue();
    assertThat(rules.at(rules.now()).whyNotBy(newer)).isNull();
  }

  @Test
  void outOfStep_tokensOfBefore_stayWorthNothing() {
    LeaseToken before = rules.issueToken(rules.now());
    pass(TERMS.quietNanos());
    LeaseToken older = rules.issueToken(rules.now());
    pass(1);
    assertThat(rules.isInStep(push(before, 2 * TERMS.quietNanos()), rules.now())).isFalse();
    Trust later =
        new Trust(rules.now(), TERMS.trustNanos(), nanos, true, null); // as if it were certain
    assertThat(later.whyNotBy(older)).isEqualTo(OpenReason.UNCONFIRMED_CLOCK);
    assertThat(later.whyNotBy(rules.issueToken(rules.now()))).isNull();
  }

  @Test
  void confirmation_countsFromTheSending_andALatePushDoesNotTakeItBack() {
    LeaseToken early = rules.issueToken(rules.now());
    pass(TERMS.trustNanos());
    long sent = nanos;
    assertThat(rules.isInStep(push(early, TERMS.trustNanos()), rules.now())).isTrue();
    assertThat(rules.isInStep(push(early, 1), rules.now())).isTrue();
    pass(TERMS.confirmationNanos() - 1);
    assertThat(rules.isClockConfirmed(rules.now())).isTrue();
    pass(1);
    assertThat(nanos - sent).isEqualTo(TERMS.confirmationNanos());
    assertThat(rules.isClockConfirmed(rules.now())).isFalse();
  }

  @Test
  void confirmation_byATokenHeldForLongerThanTrustLasts_countsForNothing() {
    LeaseToken early = rules.issueToken(rules.now());
    pass(TERMS.trustNanos() + 1);
    assertThat(rules.isInStep(push(early, TERMS.trustNanos() + 1), rules.now())).isTrue();
    assertThat(rules.isClockConfirmed(rules.now())).isFalse();
  }

  @Test
  void foreignOrFutureTokens_sayNothingAboutTheClock() {
    Moment now = rules.now();
    LeaseToken foreign = new LeaseToken(MASTER + 1, now.nanos(), now.wallMillis());
    LeaseToken future = new LeaseToken(MASTER, now.nanos() + 1, now.wallMillis());
    pass(TERMS.quietNanos());
    Moment later = rules.now();
    LeaseToken coming = new LeaseToken(MASTER, later.nanos() + 1, later.wallMillis());
    assertThat(rules.isInStep(push(foreign, Long.MAX_VALUE / 4), later)).isTrue();
    assertThat(rules.isInStep(push(coming, Long.MAX_VALUE / 4), later)).isTrue();
    assertThat(rules.basisOfTrust(foreign, later)).isNull();
    assertThat(rules.basisOfTrust(coming, later)).isNull();
    assertThat(rules.basisOfTrust(future, later)).isEqualTo(future);
  }

  private void pass(long duration) {
    nanos += duration;
  }

  private static Push push(LeaseToken token, long held) {
    return new Push("s", 1, token, held, List.of());
  }
}
