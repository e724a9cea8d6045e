/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** Kinds in random order, each once before any comes again. */
final class Deck<T> {
  private final List<T> kinds;
  private final SplittableRandom random;
  private final List<T> left = new ArrayList<>();

  Deck(List<T> kinds, SplittableRandom random) {
    this.kinds = List.copyOf(kinds);
    this.random = random;
  }

  T draw() {
    if (left.isEmpty()) {
      left.addAll(kinds);
      Collections.shuffle(left, new Random(random.nextLong()));
    }
    return left.remove(left.size() - 1);
  }
}
