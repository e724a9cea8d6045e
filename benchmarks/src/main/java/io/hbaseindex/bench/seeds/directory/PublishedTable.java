/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.directory;

import java.util.Arrays;

/** Table 1 of the paper, in per cent: groups of one hundred searches for absent keys. */
enum PublishedTable {
  NEW(39, 16, 53, 30, 28, 39, 40, 32, 38, 43),
  RANDOM(43, 19, 55, 34, 31, 41, 42, 35, 38, 47),
  BLOOM(44, 20, 56, 36, 32, 41, 42, 38, 39, 47);

  private final int[] groups;

  PublishedTable(int... groups) {
    this.groups = groups;
  }

  int group(int index) {
    return groups[index];
  }

  double[] groups() {
    return Arrays.stream(groups).asDoubleStream().toArray();
  }

  /** As printed: 35.8, 38.5 and 39.5. */
  double average() {
    return Arrays.stream(groups).average().orElseThrow();
  }
}
