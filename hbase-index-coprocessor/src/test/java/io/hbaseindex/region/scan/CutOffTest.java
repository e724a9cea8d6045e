/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CutOffTest {
  private static final int AFTER = 100;

  private final CutOff cutOff = new CutOff(AFTER);

  @Test
  void wantsProbe_beforeTheFirstCandidates_never() {
    for (int i = 0; i < AFTER; i++) {
      assertThat(cutOff.wantsProbe()).as("candidate %d", i).isFalse();
      cutOff.candidate(false);
    }
    assertThat(cutOff.wantsProbe()).isTrue();
  }

  @Test
  void isDense_onlyAfterEnoughNeighboursInARow() {
    skip(AFTER);
    for (int i = 0; i < CutOff.DENSE_PROBES - 1; i++) {
      probe(true);
    }
    assertThat(cutOff.isDense()).isFalse();
    probe(false);
    for (int i = 0; i < CutOff.DENSE_PROBES - 1; i++) {
      probe(true);
    }
    assertThat(cutOff.isDense()).as("one probe elsewhere starts the count anew").isFalse();
    probe(true);
    assertThat(cutOff.isDense()).isTrue();
  }

  @Test
  void probes_ofSparseCandidates_becomeRare() {
    int probes = 0;
    for (int i = 0; i < 100_000; i++) {
      if (cutOff.wantsProbe()) {
        cutOff.probed(false);
        probes++;
      }
      cutOff.candidate(false);
    }
    assertThat(probes).isBetween(5, 40);
  }

  @Test
  void isMostlyStale_threeQuartersOfAWindow() {
    skip(2 * CutOff.STALE_WINDOW);
    window(CutOff.STALE_WINDOW * 3 / 4 - 1);
    assertThat(cutOff.isMostlyStale()).isFalse();
    window(CutOff.STALE_WINDOW * 3 / 4);
    assertThat(cutOff.isMostlyStale()).isTrue();
  }

  @Test
  void isMostlyStale_beforeTheFirstCandidates_never() {
    CutOff patient = new CutOff(10 * CutOff.STALE_WINDOW);
    for (int i = 0; i < 9 * CutOff.STALE_WINDOW; i++) {
      patient.candidate(true);
    }
    assertThat(patient.isMostlyStale()).isFalse();
  }

  private void probe(boolean neighbour) {
    while (!cutOff.wantsProbe()) {
      cutOff.candidate(false);
    }
    cutOff.probed(neighbour);
  }

  private void skip(int candidates) {
    for (int i = 0; i < candidates; i++) {
      cutOff.candidate(false);
    }
  }

  private void window(int stale) {
    for (int i = 0; i < CutOff.STALE_WINDOW; i++) {
      cutOff.candidate(i < stale);
    }
  }
}
