/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HolderLayoutTest {
  private static final HolderLayout EIGHT =
      HolderLayout.MASTER.next(8, 4, Map.of("ns:small", 1, "large", 99));

  @Test
  void text_readAgain_isTheSame() {
    assertThat(HolderLayout.parse(EIGHT.text())).isEqualTo(EIGHT);
    assertThat(HolderLayout.parse(HolderLayout.MASTER.text())).isEqualTo(HolderLayout.MASTER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "version=1",
        "version=1 holders=2",
        "version=x holders=2 shards=1",
        "version=1 holders=2 shards=1 t",
        "version=1 holders=2 shards=0",
        "version=1 holders=-1 shards=1",
        "version=1 holders=2 shards=1 t=1 t=2"
      })
  void text_ofSomethingElse_isRefused(String text) {
    assertThatThrownBy(() -> HolderLayout.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void places_ofTheMaster_areOneByTheNameOfTheTable() {
    assertThat(HolderLayout.MASTER.places("t"))
        .containsExactly(new ShardPlace(ShardPlace.MASTER, "t"));
  }

  @Test
  void places_areAtDifferentHolders_andNeverMoreThanThereAre() {
    assertThat(EIGHT.places("t")).hasSize(4).extracting(ShardPlace::holder).doesNotHaveDuplicates();
    assertThat(EIGHT.places("ns:small")).hasSize(1);
    assertThat(EIGHT.places("large"))
        .extracting(ShardPlace::holder)
        .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void places_ofATableCutOtherwise_haveOtherNames() {
    assertThat(EIGHT.places("t"))
        .doesNotContainAnyElementsOf(EIGHT.next(8, 5, Map.of()).places("t"));
    assertThat(EIGHT.places("t")).allMatch(place -> ShardPlace.tableOf(place.name()).equals("t"));
  }

  @Test
  void shards_shareElementsEvenly() {
    int[] counts = new int[7];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 70_000; i++) {
      counts[Shards.of(random.nextLong(), counts.length)]++;
    }
    assertThat(IntStream.of(counts)).allMatch(count -> count > 9_500 && count < 10_500);
  }
}
