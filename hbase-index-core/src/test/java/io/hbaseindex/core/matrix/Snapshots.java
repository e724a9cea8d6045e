/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.List;

/** Filters with known elements. */
final class Snapshots {
  private Snapshots() {}

  /** One segment, id 0, that holds the elements. */
  static FilterSnapshot of(SizeClass sizeClass, long... elements) {
    BitPlane plane = new BitPlane(sizeClass.cells());
    for (long element : elements) {
      for (int slice = 0; slice < sizeClass.slices(); slice++) {
        plane.set(sizeClass.position(element, slice));
      }
    }
    return new FilterSnapshot(List.of(new FilterSnapshot.Segment(0, sizeClass, plane)));
  }

  /** So many segments, ids from 0 on, that hold nothing. */
  static FilterSnapshot empty(SizeClass sizeClass, int segments) {
    List<FilterSnapshot.Segment> chain = new ArrayList<>();
    for (int id = 0; id < segments; id++) {
      chain.add(new FilterSnapshot.Segment(id, sizeClass, new BitPlane(sizeClass.cells())));
    }
    return new FilterSnapshot(chain);
  }
}
