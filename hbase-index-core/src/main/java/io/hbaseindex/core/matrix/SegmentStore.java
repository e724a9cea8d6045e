/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.SizeClass;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The segments of all owners, by size class, within the byte budget. Belongs to the updater, but
 * for {@link #segments}.
 *
 * <p>Each update asks for {@link #bytesFor} its demand first; once that is known to fit, {@link
 * #place} cannot fail, because only {@link #settle} takes bytes beyond it, and only if they fit.
 */
final class SegmentStore {
  private final MatrixBudget budget;
  private final Map<SizeClass, ClassMatrix> classes = new LinkedHashMap<>();
  private ClassView[] view = {};
  private volatile int segments;

  SegmentStore(MatrixBudget budget) {
    this.budget = budget;
  }

  MatrixBudget budget() {
    return budget;
  }

  /** Number of segments. */
  int segments() {
    return segments;
  }

  /** The least bytes that placing these segments takes. */
  long bytesFor(SegmentDemand demand) {
    long bytes = demand.segments() * SegmentSlot.BYTES;
    for (Map.Entry<SizeClass, Integer> entry : demand.counts().entrySet()) {
      ClassMatrix home = classes.get(entry.getKey());
      bytes +=
          home == null
              ? entry.getValue() * LoosePlane.bytesFor(entry.getKey().cells())
              : home.bytesToPlace(entry.getValue());
    }
    return bytes;
  }

  /** Whether retired columns have to be reclaimed before these segments are placed. */
  boolean needsRetiredColumns(SegmentDemand demand) {
    for (Map.Entry<SizeClass, Integer> entry : demand.counts().entrySet()) {
      ClassMatrix home = classes.get(entry.getKey());
      if (home != null && home.needsRetiredColumns(entry.getValue())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Gives a segment a place; readers find it from now on, or once {@link #view} was published.
   *
   * @param plane its bits, which are copied, or null for none
   */
  SegmentSlot place(int owner, int id, SizeClass sizeClass, BitPlane plane) {
    ClassMatrix home = classes.computeIfAbsent(sizeClass, c -> new ClassMatrix(c, budget));
    SegmentSlot slot = new SegmentSlot(id, owner, home);
    budget.take(SegmentSlot.BYTES);
    home.place(slot, plane);
    segments = segments + 1;
    return slot;
  }

  /** Takes segments away; the caller has waited for the readers that may still need them. */
  void remove(SegmentSlot... slots) {
    for (SegmentSlot slot : slots) {
      slot.home().remove(slot);
      budget.giveBack(SegmentSlot.BYTES);
    }
    segments = segments - slots.length;
  }

  /** Lets the columns of removed segments be used again; no reader may still know them. */
  void reclaim() {
    for (ClassMatrix sizeClass : classes.values()) {
      sizeClass.reclaim();
    }
  }

  /** Moves segments to where they are best kept, where some have come or gone. */
  void settle() {
    for (ClassMatrix sizeClass : classes.values()) {
      sizeClass.settle();
    }
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
