/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.entry.IndexRowKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegionEdgeTest {
  private static byte[] value(Random random) {
    byte[] value = new byte[random.nextInt(8) == 0 ? 40 : random.nextInt(5)];
    for (int at = 0; at < value.length; at++) {
      value[at] = new byte[] {0, 1, 'a', (byte) 0xFF}[random.nextInt(4)];
    }
    return value;
  }

  /** E4: whatever the prefixes have become, no value of the region is taken to lie behind. */
  @Test
  void e4_regionWithAValueThatIsNotBehind_isNotBehind() {
    Random random = new Random(23);
    int behind = 0;
    for (int round = 0; round < 20_000; round++) {
      List<byte[]> values = new ArrayList<>();
      for (int i = random.nextInt(6); i >= 0; i--) {
        values.add(value(random));
      }
      ValuePrefixes prefixes =
          ValuePrefixes.whole(values.stream().map(IndexRowKeys::encoded).toList());
      if (random.nextInt(3) == 0) {
        prefixes = prefixes.bounded(random.nextInt(60));
      }
      byte[] other = value(random);
      for (boolean falling : List.of(true, false)) {
        RegionEdge edge = new RegionEdge(RowRange.ALL, prefixes.edge(falling));
        if (edge.isBehind(IndexRowKeys.encoded(other), falling)) {
          behind++;
          assertThat(values)
              .allMatch(
                  one ->
                      falling
                          ? Arrays.compareUnsigned(one, other) < 0
                          : Arrays.compareUnsigned(one, other) > 0);
        }
      }
    }
    assertThat(behind).isGreaterThan(5_000);
  }

  @Test
  void leftBy_namesTheRegionsOfCandidatesOnly() {
    List<RegionEdge> edges = new ArrayList<>();
    for (int at = 0; at < 6; at++) {
      edges.add(new RegionEdge(keys(at, at + 1), Optional.empty()));
    }
    List<RouteAnswer.Candidate> candidates =
        List.of(
            new RouteAnswer.Candidate(keys(1, 2), "s", null),
            new RouteAnswer.Candidate(keys(3, 5), null, null)); // two regions in one
    RouteAnswer answer = new RouteAnswer(candidates, 3, 2, 0);

    assertThat(RegionEdge.leftBy(answer, edges))
        .containsExactly(edges.get(1), edges.get(3), edges.get(4));
    assertThat(RegionEdge.leftBy(RouteAnswer.unknownTable(), edges)).isEqualTo(edges);
    assertThat(RegionEdge.leftBy(new RouteAnswer(List.of(), 6, 0, 0), edges)).isEmpty();
  }

  private static RowRange keys(int start, int end) {
    return new RowRange(
        start == 0 ? new byte[0] : new byte[] {(byte) start},
        end == 6 ? new byte[0] : new byte[] {(byte) end});
  }

  @Test
  void equalAndUnknownValues_areNotBehind() {
    byte[] value = IndexRowKeys.encoded(new byte[] {5});
    RegionEdge same = new RegionEdge(RowRange.ALL, Optional.of(value));
    assertThat(same.isBehind(value, true)).isFalse();
    assertThat(same.isBehind(value, false)).isFalse();
    RegionEdge anything = new RegionEdge(RowRange.ALL, Optional.of(new byte[0]));
    assertThat(anything.isBehind(value, true)).isFalse();
    RegionEdge nothing = new RegionEdge(RowRange.ALL, Optional.empty());
    assertThat(nothing.isBehind(value, true)).isTrue();
  }
}
