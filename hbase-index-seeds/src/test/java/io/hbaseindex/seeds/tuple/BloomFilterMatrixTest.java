/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import io.hbaseindex.core.filter.BloomShape;
import java.util.SplittableRandom;

class BloomFilterMatrixTest extends TupleFilterContract {
  @Override
  TupleFilter random(SplittableRandom random) {
    int attributes = random.nextInt(1, 6);
    return new BloomFilterMatrix(attributes, random.nextInt(1, 9), random.nextInt(1, 8), LIMIT);
  }

  @Override
  TupleFilter sized(int attributes, int elements, double error) {
    BloomShape shape = BloomShape.forElements(elements, error);
    return new BloomFilterMatrix(attributes, shape.bits(), shape.hashes(), LIMIT);
  }

  @Override
  TupleFilter limited(MemoryLimit limit) {
    return new BloomFilterMatrix(3, 20, 2, limit);
  }
}
