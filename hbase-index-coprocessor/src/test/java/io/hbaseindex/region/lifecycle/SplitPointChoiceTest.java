/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class SplitPointChoiceTest {

  private final SplitPointChoice choice = choice("indexrow", "data_middle", null);

  @Test
  void choose_pointFromData_isKept() {
    assertThat(choice.choose(bytes("data_other"))).isEqualTo(bytes("data_other"));
  }

  @Test
  void choose_indexRow_isReplacedByMiddleOfData() {
    assertThat(choice.choose(bytes("indexrow"))).isEqualTo(bytes("data_middle"));
  }

  @Test
  void choose_indexRowCutToPrefix_cutsMiddleOfDataAlike() {
    assertThat(choice.choose(bytes("ind"))).isEqualTo(bytes("dat"));
    assertThat(choice("indexrow", "d", null).choose(bytes("ind"))).isEqualTo(bytes("d"));
  }

  @Test
  void choose_indexRowAndDelimiter_cutsMiddleOfDataThere() {
    assertThat(choice("indexrow", "data_middle", "_").choose(bytes("indexrow")))
        .isEqualTo(bytes("data"));
    assertThat(choice("indexrow", "data", "_").choose(bytes("indexrow"))).isEqualTo(bytes("data"));
  }

  @Test
  void choose_noDataToSplit_waits() {
    assertThat(choice("indexrow", null, null).choose(bytes("indexrow"))).isNull();
  }

  @Test
  void choose_nothingProposed_staysSo() {
    assertThat(choice.choose(null)).isNull();
  }

  @Test
  void choose_noHiddenMiddle_keepsProposal() {
    assertThat(choice(null, "data", null).choose(bytes("x"))).isEqualTo(bytes("x"));
  }

  private static SplitPointChoice choice(String hidden, String data, String delimiter) {
    return new SplitPointChoice(optional(hidden), optional(data), optional(delimiter));
  }

  private static Optional<byte[]> optional(String text) {
    return Optional.ofNullable(text).map(SplitPointChoiceTest::bytes);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
