/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;

/** A segment that is asked by itself: it is new, or its class has too few to share a block. */
record LoosePlane(BitPlane plane, int owner) implements Place {
  private static final long OVERHEAD = 96;

  /** Bytes of heap a loose segment of {@code cells} cells takes. */
  static long bytesFor(long cells) {
    return BitPlane.bytesFor(cells) + OVERHEAD;
  }

  @Override
  public void set(long position) {
    plane.set(position);
  }

  @Override
  public void clear(long position) {
    plane.clear(position);
  }

  @Override
  public long word(int index) {
    return plane.word(index);
  }

  @Override
  public void write(int index, long word) {
    plane.write(index, word);
  }
}
