/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BloomShape;
import java.util.SplittableRandom;

class MultiDimensionalBloomFilterTest extends TupleFilterContract {
  @Override
  TupleFilter random(SplittableRandom random) {
    int attributes = random.nextInt(1, 17);
    return new MultiDimensionalBloomFilter(
        attributes, new BloomShape(random.nextInt(1, 300), random.nextInt(1, 8)), LIMIT);
  }

  @Override
  TupleFilter sized(int attributes, int elements, double error) {
    return new MultiDimensionalBloomFilter(
        attributes, BloomShape.forElements(elements, error), LIMIT);
  }

  @Override
  TupleFilter limited(MemoryLimit limit) {
    return new MultiDimensionalBloomFilter(3, new BloomShape(1_000, 2), limit);
  }
}
