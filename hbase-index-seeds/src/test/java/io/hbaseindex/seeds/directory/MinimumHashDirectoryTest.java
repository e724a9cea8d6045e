/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.ElementHasher;
import io.hbaseindex.core.testing.Seeds;
import io.hbaseindex.seeds.directory.SearchResult.Outcome;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MinimumHashDirectoryTest {
  /** The paper's experiment. */
  private static final BloomShape PAPER = new BloomShape(2048, 5);

  private static final int PAPER_KEYS = 1_000;

  @Test
  void search_randomPuts_answersLikeAHashMap() {
    Seeds.forEach(100, MinimumHashDirectoryTest::compareWithHashMap);
  }

  private static void compareWithHashMap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BloomShape shape = new BloomShape(random.nextLong(20, 5_000), random.nextInt(1, 8));
    ElementHasher hasher = ElementHasher.of(seed, 1);
    MinimumHashDirectory<Integer> directory = new MinimumHashDirectory<>(shape, 2_000, hasher);
    Map<ByteBuffer, Integer> map = new HashMap<>();
    int keySpace = random.nextInt(1, 4_000);
    for (int i = 0; i < 3_000; i++) {
      byte[] key = key(random.nextInt(keySpace));
      SearchResult<Integer> result = directory.search(key);

      assertThat(result.value()).isEqualTo(Optional.ofNullable(map.get(ByteBuffer.wrap(key))));
      assertThat(result.passedFilter()).isEqualTo(result.comparisons() > 0);
      if (random.nextBoolean()) {
        directory.put(key, i);
        map.put(ByteBuffer.wrap(key), i);
      }
    }
    assertThat(directory.size()).isEqualTo(map.size());
    map.forEach((key, value) -> assertThat(directory.search(key.array()).value()).contains(value));
  }

  @Test
  void search_paperExperiment_costsWhatThePaperCounts() {
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    long comparisons = 0;
    int searches = 0;
    for (int run = 0; run < 50; run++) {
      MinimumHashDirectory<Boolean> directory =
          new MinimumHashDirectory<>(PAPER, PAPER_KEYS, ElementHasher.of(run, 1));
      for (int i = 0; i < PAPER_KEYS; i++) {
        directory.put(key(i), true);
      }
      for (int i = 0; i < 1_000; i++) {
        SearchResult<Boolean> result = directory.search(key(PAPER_KEYS + i));
        outcomes.merge(result.outcome(), 1, Integer::sum);
        comparisons += result.comparisons();
        searches++;
      }
    }

    double passed = (double) outcomes.get(Outcome.NOT_AMONG_ENTRY) / searches;
    double passedBits = passed + (double) outcomes.get(Outcome.NO_ENTRY) / searches;
    assertThat(passedBits).as("of the plain Bloom filter").isCloseTo(0.635, within(0.02));
    assertThat(passed).as("with the minimum hash").isCloseTo(0.470, within(0.02));
    double compared = comparisons / (passed * searches);
    assertThat(compared / PAPER_KEYS).as("share of keys compared").isBetween(0.0015, 0.0025);
    assertThat(outcomes).doesNotContainKey(Outcome.FOUND);
  }

  @Test
  void put_sameKeyAgain_replacesTheValue() {
    MinimumHashDirectory<String> directory = small(1);
    directory.put(key(1), "old");
    directory.put(key(1), "new");

    assertThat(directory.search(key(1)).value()).contains("new");
    assertThat(directory.size()).isEqualTo(1);
    assertThat(directory.entries()).isEqualTo(1);
  }

  @Test
  void put_keyChangedByItsCaller_keepsWhatWasPut() {
    MinimumHashDirectory<String> directory = small(1);
    byte[] key = key(1);
    directory.put(key, "one");
    key[0]++;

    assertThat(directory.search(key(1)).value()).contains("one");
  }

  @Test
  void put_beyondCapacity_isRefusedAndChangesNothing() {
    MinimumHashDirectory<String> directory = small(2);
    directory.put(key(1), "a");
    directory.put(key(2), "b");

    assertThatIllegalStateException()
        .isThrownBy(() -> directory.put(key(3), "c"))
        .withMessage("Cannot add a key: the directory holds 2 of 2; create a larger one");
    directory.put(key(2), "d");
    assertThat(directory.search(key(3)).outcome()).isEqualTo(Outcome.FILTERED);
    assertThat(directory.search(key(2)).value()).contains("d");
  }

  @Test
  void create_moreAddressesThanAllowed_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new MinimumHashDirectory<String>(
                    new BloomShape(1L << 31, 3), 10, ElementHasher.of(1, 1)))
        .withMessageContaining("its filter has 2147483648 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> small(0))
        .withMessageContaining("its capacity was 0");
  }

  private static MinimumHashDirectory<String> small(int capacity) {
    return new MinimumHashDirectory<>(new BloomShape(256, 3), capacity, ElementHasher.of(1, 1));
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
  }
}
