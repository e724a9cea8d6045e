/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MbfParametersTest {
  @Test
  void forErrors_paperExample_followsItsOptimum() {
    MbfParameters parameters = MbfParameters.forErrors(10_000, 10, 0.01, 0.001);

    assertThat(parameters.counterHashes()).isEqualTo(7);
    assertThat(parameters.counters()).isEqualTo((int) Math.ceil(10_000 * 7 / Math.log(2)));
    assertThat(parameters.bitHashes()).isEqualTo(10);
    assertThat(parameters.bits()).isEqualTo((int) Math.ceil(100_000 * 10 / Math.log(2)));
    assertThat(parameters.filterCapacity()).isEqualTo(100_000);
  }

  @Test
  void forErrors_powersOfTwo_needNoHashMore() {
    for (int hashes = 1; hashes <= 40; hashes++) {
      assertThat(MbfParameters.forErrors(1, 1, Math.pow(0.5, hashes), 0.5).counterHashes())
          .isEqualTo(hashes);
    }
    assertThat(MbfParameters.forErrors(1, 1, 0.49, 0.999999999999).counterHashes()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 2", "4, 3", "10000, 14", "16383, 14", "16384, 15"})
  void counterWidth_holdsOneElementInEveryEvent(int events, int bits) {
    assertThat(MbfParameters.counterWidth(events)).isEqualTo(bits);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.5, Double.NaN})
  void forErrors_errorOutOfRange_isRefused(double error) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MbfParameters.forErrors(100, 10, error, 0.1))
        .withMessageContaining("window error was " + error);
  }

  @Test
  void forErrors_emptyWindows_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MbfParameters(0, 10, 100, 3, 100, 3))
        .withMessageContaining("window capacity was 0; it must lie between 1 and");
  }

  @Test
  void forErrors_filterAboveTheLimit_namesItsBytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MbfParameters.forErrors(1 << 20, 100, 0.01, 0.01))
        .withMessageContaining("it would take")
        .withMessageContaining("choose fewer or smaller windows");
  }

  @Test
  void filterBytes_boundsWhatAFullFilterTakes() {
    MbfParameters parameters = MbfParameters.forErrors(1000, 4, 0.05, 0.05);
    MbfHashing hashing = new MbfHashing(parameters, 1);
    MultiBloomFilter filter = new MultiBloomFilter(parameters);
    ElementPositions only = hashing.positionsOf(new byte[] {1});
    for (int w = 0; w < 4; w++) {
      CountingWindow window = filter.openWindow(w);
      while (!window.isFull()) {
        filter.record(window, only, w);
      }
    }

    assertThat(filter.bytes()).isLessThanOrEqualTo(parameters.filterBytes());
  }
}
