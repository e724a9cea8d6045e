/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import io.hbaseindex.seeds.timecount.filter.MbfParameters;

/** The paper's error formulas, for elements that are all different. */
final class MbfFormulas {
  private final MbfParameters parameters;

  MbfFormulas(MbfParameters parameters) {
    this.parameters = parameters;
  }

  /** P_FP_BF: an absent element passes a bit vector that holds the given number of elements. */
  double bitError(double elements) {
    return bloom(parameters.bits(), parameters.bitHashes(), elements);
  }

  /** P_FP_CBF: a window with the given number of elements reports an absent one. */
  double windowError(double elements) {
    return bloom(parameters.counters(), parameters.counterHashes(), elements);
  }

  /**
   * P_FP_CM, and P_FF: at least one of {@code windows} windows errs, if windows err independently
   * of each other.
   */
  double anyWindowError(double elements, double windows) {
    return 1 - Math.pow(1 - windowError(elements), windows);
  }

  private static double bloom(int cells, int hashes, double elements) {
    return Math.pow(-Math.expm1(hashes * elements * Math.log1p(-1.0 / cells)), hashes);
  }
}
