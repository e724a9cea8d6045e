/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.Arrays;
import java.util.Optional;

/** Finds the keys between regions that come in key order. */
final class KeyGaps {
  private static final byte[] NONE = {};

  /** Where the last region ended; null once one had no end. */
  private byte[] reached = NONE;

  /** Goes on to the end of a region; returns the keys that were left out before it. */
  Optional<RowRange> advance(RowRange range) {
    byte[] from = reached;
    reached = range.end().length == 0 ? null : range.end();
    return Arrays.compareUnsigned(from, range.start()) < 0
        ? Optional.of(new RowRange(from, range.start()))
        : Optional.empty();
  }

  /** The keys left out behind the last region. */
  Optional<RowRange> rest() {
    return reached == null ? Optional.empty() : Optional.of(new RowRange(reached, NONE));
  }
}
