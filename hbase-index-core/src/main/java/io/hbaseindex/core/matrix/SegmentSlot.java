/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.SizeClass;
import java.util.Comparator;

/**
 * The present place of one segment of one owner: a column of a block, or a plane of its own.
 * Belongs to the updater; readers never see it.
 */
final class SegmentSlot {
  /** Bytes of heap of a slot and of the reference its owner has to it. */
  static final long BYTES = 64;

  static final Comparator<SegmentSlot> BY_ID = Comparator.comparingInt(SegmentSlot::id);

  private final int id;
  private final int owner;
  private final ClassMatrix home;
  private ColumnBlock block;
  private int column;
  private LoosePlane loose;

  SegmentSlot(int id, int owner, ClassMatrix home) {
    this.id = id;
    this.owner = owner;
    this.home = home;
  }

  int id() {
    return id;
  }

  int owner() {
    return owner;
  }

  ClassMatrix home() {
    return home;
  }

  SizeClass sizeClass() {
    return home.sizeClass();
  }

  /** The block the segment has a column in, or null if it is loose. */
  ColumnBlock block() {
    return block;
  }

  int column() {
    return column;
  }

  /** The segment's plane if it is loose, else null. */
  LoosePlane loose() {
    return loose;
  }

  void moveTo(ColumnBlock block, int column) {
    this.block = block;
    this.column = column;
    this.loose = null;
  }

  void moveTo(LoosePlane loose) {
    this.block = null;
    this.loose = loose;
  }

  void set(long position) {
    if (block != null) {
      block.set(column, position);
    } else {
      loose.plane().set(position);
    }
  }

  void clear(long position) {
    if (block != null) {
      block.clear(column, position);
    } else {
      loose.plane().clear(position);
    }
  }

  /** The segment's bits; a copy unless it is loose. */
  BitPlane plane() {
    return block != null ? block.plane(column) : loose.plane();
  }
}
