/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MatrixBudgetTest {
  private final MatrixBudget whole = new MatrixBudget(100);

  @Test
  void shares_takeTogetherNoMoreThanTheWholeHas() {
    MatrixBudget one = whole.share();
    MatrixBudget other = whole.share();
    assertThat(one.tryTake(60)).isTrue();
    assertThat(other.tryTake(60)).isFalse();
    assertThat(other.used()).isZero();
    assertThat(other.tryTake(40)).isTrue();
    assertThat(whole.used()).isEqualTo(100);
    one.giveBack(30);
    assertThat(other.tryTake(30)).isTrue();
  }

  @Test
  void closedShare_givesAllBackOnce_andTakesNoMore() {
    MatrixBudget share = whole.share();
    share.take(60, "test");
    share.close();
    share.close();
    assertThat(whole.used()).isZero();
    assertThat(share.tryTake(1)).isFalse();
    share.giveBack(60);
    assertThat(whole.used()).as("what was given back is not given back again").isZero();
  }

  @Test
  void withinReach_isWhatOthersLeaveOfTheWhole() {
    MatrixBudget one = whole.share();
    MatrixBudget other = whole.share();
    one.take(60, "test");
    assertThat(one.withinReach()).isEqualTo(100);
    assertThat(other.withinReach()).isEqualTo(40);
    other.take(10, "test");
    assertThat(one.withinReach()).isEqualTo(90);
    assertThat(other.withinReach()).isEqualTo(40);
    one.close();
    assertThat(other.withinReach()).isEqualTo(100);
    assertThat(whole.withinReach()).isEqualTo(100);
  }
}
