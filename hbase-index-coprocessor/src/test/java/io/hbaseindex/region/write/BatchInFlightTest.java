/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is in the log edit must be what was processed, cell by cell (P8), and not be lost (P14). */
class BatchInFlightTest {
  private static final Cell A = cell();
  private static final Cell B = cell();
  private static final Cell C = cell();

  private final BatchInFlight batch = new BatchInFlight();

  private static Cell cell() {
    return new KeyValue(new byte[] {1}, new byte[] {2}, new byte[] {3}, 4, new byte[] {5});
  }

  @BeforeEach
  void process() {
    batch.addProcessed(A);
    batch.addProcessed(B);
  }

  @Test
  void P14_isLost_onlyBetweenLogAndMemstore() {
    assertThat(batch.isLost()).as("not in the log").isFalse();
    batch.logged();
    assertThat(batch.isLost()).as("in the log, not in the memstore").isTrue();
    batch.applied();
    assertThat(batch.isLost()).as("in both").isFalse();
  }

  @Test
  void isProcessed_byIdentityAndOrder() {
    assertThat(batch.isProcessed(0, A)).isTrue();
    assertThat(batch.isProcessed(0, B)).isFalse();
    assertThat(batch.isProcessed(1, B)).isTrue();
    assertThat(batch.isProcessed(0, C)).as("equal, but another cell").isFalse();
    assertThat(batch.isProcessed(2, C)).as("behind the last one").isFalse();
  }

  @Test
  void areExactly_theRestInAnyOrder() {
    assertThat(batch.areExactly(0, List.of(A, B))).isTrue();
    assertThat(batch.areExactly(0, List.of(B, A))).isTrue();
    assertThat(batch.areExactly(1, List.of(B))).isTrue();
    assertThat(batch.areExactly(2, List.of())).isTrue();
  }

  @Test
  void areExactly_aCellMoreLessTwiceOrReplaced_isNot() {
    assertThat(batch.areExactly(2, List.of(C))).as("one more").isFalse();
    assertThat(batch.areExactly(2, List.of(A))).as("one twice").isFalse();
    assertThat(batch.areExactly(1, List.of())).as("one less").isFalse();
    assertThat(batch.areExactly(1, List.of(C))).as("another instead").isFalse();
    assertThat(batch.areExactly(0, List.of(A, A))).as("one twice instead of two").isFalse();
  }
}
