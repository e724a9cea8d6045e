/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.mapreduce;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.route.RowRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class CandidateRegionsTest {

  @Test
  void include_regionInsideARange_isRead() {
    assertThat(candidates(range("d", "k")).include(key("e"), key("f"))).isTrue();
  }

  @Test
  void include_regionThatWasMergedAcrossARange_isRead() {
    assertThat(candidates(range("d", "k")).include(key("a"), key("z"))).isTrue();
  }

  @Test
  void include_regionThatEndsWhereARangeBegins_isSkipped() {
    assertThat(candidates(range("d", "k")).include(key("a"), key("d"))).isFalse();
    assertThat(candidates(range("d", "k")).include(key("k"), key("m"))).isFalse();
  }

  @Test
  void include_firstAndLastRegion_followTheirOpenBounds() {
    assertThat(candidates(range("", "b")).include(key(""), key("a"))).isTrue();
    assertThat(candidates(range("x", "")).include(key("y"), key(""))).isTrue();
    assertThat(candidates(range("", "b")).include(key("b"), key(""))).isFalse();
  }

  @Test
  void include_noRangeAtAll_skipsEveryRegion() {
    assertThat(candidates().include(key(""), key(""))).isFalse();
  }

  @Test
  void all_includesEveryRegion() {
    assertThat(CandidateRegions.ALL.include(key(""), key("a"))).isTrue();
    assertThat(CandidateRegions.ALL.include(key("a"), key(""))).isTrue();
  }

  private static CandidateRegions candidates(RowRange... ranges) {
    return new CandidateRegions(List.of(ranges));
  }

  private static RowRange range(String start, String end) {
    return new RowRange(key(start), key(end));
  }

  private static byte[] key(String text) {
    return text.getBytes(UTF_8);
  }
}
