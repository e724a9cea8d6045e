/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;

/** A segment that is asked by itself, because its class has too few to share a block. */
record LoosePlane(BitPlane plane, int owner) {
  private static final long OVERHEAD = 96;

  /** Bytes of heap a loose segment of {@code cells} cells takes. */
  static long bytesFor(long cells) {
    return BitPlane.bytesFor(cells) + OVERHEAD;
  }
}
