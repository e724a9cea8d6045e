/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The segments of all owners, by size class, within the byte budget. Belongs to the updater, but
 * for {@link #segments}, {@link #isUntidy} and {@link #bytesFor}.
 *
 * <p>Whoever places segments has taken {@link #bytesFor} them before, so {@link #place} cannot
 * fail; only {@link #moveSome} takes bytes beyond it, if there are any.
 */
final class SegmentStore {
  private final MatrixBudget budget;
  private final Map<SizeClass, ClassMatrix> classes = new LinkedHashMap<>();
  private ClassView[] view = {};
  private volatile int segments;

  /** Whether segments have come or gone since there was nothing to move. */
  private volatile boolean untidy;

  SegmentStore(MatrixBudget budget) {
    this.budget = budget;
  }

  /** Number of segments. */
  int segments() {
    return segments;
  }

  /** Whether there may be something to move. */
  boolean isUntidy() {
    return untidy;
  }

  /** The bytes that placing these segments takes. */
  static long bytesFor(SegmentDemand demand) {
    long bytes = demand.segments() * SegmentSlot.BYTES;
    for (Map.Entry<SizeClass, Integer> entry : demand.counts().entrySet()) {
      bytes += entry.getValue() * LoosePlane.bytesFor(entry.getKey().cells());
    }
    return bytes;
  }

  /**
   * Gives a segment a place; readers find it once {@link #view} was published.
   *
   * @param plane its bits, which belong to the store from now on
   */
  SegmentSlot place(int owner, int id, SizeClass sizeClass, BitPlane plane) {
    ClassMatrix home = classes.computeIfAbsent(sizeClass, c -> new ClassMatrix(c, budget));
    segments = segments + 1;
    untidy = true;
    return home.place(id, owner, plane);
  }

  /**
   * Takes segments away; the caller has waited for the readers that may still need them.
   *
   * @return the columns they were in, which may be released after a grace period
   */
  List<ColumnBlock.Column> remove(SegmentSlot... slots) {
    List<ColumnBlock.Column> columns = new ArrayList<>();
    for (SegmentSlot slot : slots) {
      slot.home().remove(slot).ifPresent(columns::add);
      budget.giveBack(SegmentSlot.BYTES);
    }
    segments = segments - slots.length;
    untidy = true;
    return columns;
  }

  /** As {@link ClassMatrix#moveSome}, for the first class that has something to move. */
  ClassMatrix.Moved moveSome(int mostWords) {
    for (ClassMatrix sizeClass : classes.values()) {
      ClassMatrix.Moved moved = sizeClass.moveSome(mostWords);
      if (moved.words() > 0) {
        return moved;
      }
    }
    untidy = false;
    return ClassMatrix.Moved.nothing();
  }

  /** What readers are to see from now on. */
  ClassView[] view() {
    boolean stale = classes.values().removeIf(ClassMatrix::isEmpty);
    for (ClassMatrix sizeClass : classes.values()) {
      stale |= sizeClass.viewIsStale();
    }
    if (stale) {
      view = classes.values().stream().map(ClassMatrix::view).toArray(ClassView[]::new);
    }
    return view;
  }
}
