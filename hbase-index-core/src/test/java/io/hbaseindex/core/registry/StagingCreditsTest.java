/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.StagingCredit;
import org.junit.jupiter.api.Test;

class StagingCreditsTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final StagingCredit CREDIT = new StagingCredit(StagingCredits.BYTES, 0);
  private static final long NOW = 7;

  private final StagingCredits credits = new StagingCredits(TERMS, 2);

  @Test
  void twoPlaces_theOthersWaitTheLongerTheMoreOfThemThereAre() {
    assertThat(wants("a", NOW)).isEqualTo(CREDIT);
    assertThat(wants("b", NOW)).isEqualTo(CREDIT);
    assertThat(wants("c", NOW)).isEqualTo(new StagingCredit(0, 10_000_000));
    assertThat(wants("d", NOW)).isEqualTo(new StagingCredit(0, 20_000_000));
    assertThat(wants("c", NOW)).isEqualTo(new StagingCredit(0, 20_000_000));
  }

  @Test
  void whoGoesOnSending_keepsItsPlace() {
    wants("a", NOW);
    wants("b", NOW);
    long almost = NOW + TERMS.pushTimeoutNanos() - 1;
    assertThat(wants("a", almost)).isEqualTo(CREDIT);
    assertThat(wants("b", almost)).isEqualTo(CREDIT);
    assertThat(wants("c", almost + 1).bytes()).isZero();
  }

  @Test
  void whoIsNotHeardWithinAPushTimeout_losesItsPlace() {
    wants("a", NOW);
    wants("b", NOW);
    assertThat(wants("c", NOW + TERMS.pushTimeoutNanos() - 1).bytes()).isZero();
    assertThat(wants("c", NOW + TERMS.pushTimeoutNanos())).isEqualTo(CREDIT);
  }

  @Test
  void whoHasNothingMoreToSend_makesRoom() {
    wants("a", NOW);
    wants("b", NOW);
    assertThat(credits.answer("a", false, NOW)).isEqualTo(StagingCredit.NONE);
    assertThat(wants("c", NOW)).isEqualTo(CREDIT);
  }

  @Test
  void waiting_isForgottenAfterALease_andNeverLongerThanAHeartbeat() {
    for (int i = 0; i < 200; i++) {
      wants("s" + i, NOW);
    }
    assertThat(wants("last", NOW)).isEqualTo(new StagingCredit(0, TERMS.heartbeatNanos()));
    long later = NOW + TERMS.leaseNanos();
    wants("a", later - 1);
    wants("b", later - 1);
    assertThat(wants("c", later - 1).askAfterNanos()).isEqualTo(TERMS.heartbeatNanos());
    assertThat(wants("c", later).askAfterNanos()).isEqualTo(10_000_000);
  }

  private StagingCredit wants(String server, long now) {
    return credits.answer(server, true, now);
  }
}
