/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.route.IndexCoverage;

/** An index of one column, as one definition. */
record SimIndex(int column, IndexCoverage coverage) {
  long element(int value) {
    long space = coverage.space() * 1_000 + coverage.version();
    return BitMixer.mix(coverage.seed() + BitMixer.mix(space) + value);
  }
}
