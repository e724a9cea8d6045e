/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.SizeClass;

/**
 * What readers see of one size class: which blocks and loose planes there are. The lists never
 * change; the bits in them do.
 */
record ClassView(SizeClass sizeClass, ColumnBlock[] blocks, LoosePlane[] loose) {
  /** Adds to a set the owners of all segments of this class that may hold the element. */
  void collect(long element, OwnerSet into) {
    if (blocks.length > 0) {
      int[] positions = positions(element);
      for (ColumnBlock block : blocks) {
        block.collect(positions, into);
      }
    }
    for (LoosePlane segment : loose) {
      if (sizeClass.matches(element, segment.plane())) {
        into.add(segment.owner());
      }
    }
  }

  /** Classes that have blocks have few enough cells for int positions. */
  private int[] positions(long element) {
    int[] positions = new int[sizeClass.slices()];
    for (int slice = 0; slice < positions.length; slice++) {
      positions[slice] = (int) sizeClass.position(element, slice);
    }
    return positions;
  }
}
