/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.directory;

import io.hbaseindex.core.filter.BloomFilter;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.ElementHasher;
import io.hbaseindex.seeds.directory.DistinctBloomFilter;
import io.hbaseindex.seeds.directory.MinimumHashDirectory;
import io.hbaseindex.seeds.directory.SearchResult;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * One group of the paper's experiment: one hundred searches for keys that are not in the key set,
 * the same for all three filters.
 *
 * @param newPassed searches that the new filter let through
 * @param randomPassed searches that the random filter let through
 * @param bloomPassed searches that the Bloom filter let through
 * @param comparisons keys the directory compared, over all searches
 */
record PaperRun(int newPassed, int randomPassed, int bloomPassed, long comparisons) {
  static final int SEARCHES = 100;

  /**
   * @param group seeds the keys, so that each group has its own
   */
  static PaperRun of(BloomShape shape, int keys, long group) {
    SplittableRandom random = new SplittableRandom(group);
    ElementHasher hasher = ElementHasher.of(group, 3);
    // With the same hash all but one key in two hundred would have the same bits in both filters.
    ElementHasher randomHasher = ElementHasher.of(group, 4);
    MinimumHashDirectory<Boolean> directory = new MinimumHashDirectory<>(shape, keys, hasher);
    BloomFilter randomFilter = new BloomFilter(shape);
    DistinctBloomFilter bloom = new DistinctBloomFilter(shape);
    for (int i = 0; i < keys; i++) {
      byte[] key = randomKey(random);
      directory.put(key, true);
      randomFilter.insert(randomHasher.hash(key));
      bloom.insert(hasher.hash(key));
    }
    int newPassed = 0;
    int randomPassed = 0;
    int bloomPassed = 0;
    long comparisons = 0;
    for (int i = 0; i < SEARCHES; i++) {
      byte[] absent = randomKey(random);
      SearchResult<Boolean> result = directory.search(absent);
      newPassed += result.passedFilter() ? 1 : 0;
      comparisons += result.comparisons();
      randomPassed += randomFilter.mightContain(randomHasher.hash(absent)) ? 1 : 0;
      bloomPassed += bloom.mightContain(hasher.hash(absent)) ? 1 : 0;
    }
    return new PaperRun(newPassed, randomPassed, bloomPassed, comparisons);
  }

  /** Keys compared by a search that the new filter let through, on average. */
  double comparisonsPerPassed() {
    return (double) comparisons / newPassed;
  }

  /** Eight random bytes: that one of them is in the key set does not happen. */
  private static byte[] randomKey(SplittableRandom random) {
    return ByteBuffer.allocate(Long.BYTES).putLong(random.nextLong()).array();
  }
}
