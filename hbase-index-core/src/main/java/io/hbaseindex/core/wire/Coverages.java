/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.route.IndexCoverage;

/**
 * A set of columns under one definition: {@code var space │ var version │ int64 seed │ int64
 * shape}.
 */
final class Coverages {
  private Coverages() {}

  static void write(WireWriter out, IndexCoverage index) {
    out.var(index.space());
    out.var(index.version());
    out.int64(index.seed());
    out.int64(index.shape());
  }

  static IndexCoverage read(WireReader in) {
    return new IndexCoverage(in.var(), in.var(), in.int64(), in.int64());
  }
}
