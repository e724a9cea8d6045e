/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.SizeClass;

/**
 * An ordered log of filter changes as bytes. Consecutive changes of one kind in one segment are a
 * run. Elements that set several bits are sent as such, with the shape that positions follow from;
 * other positions are written as differences.
 *
 * <pre>
 *   run*, then uint8 0
 *   run: uint8 kind │ var segment │ …
 *     1 added    uint8 slices │ var slots
 *     2 set      var count │ count × signed var difference to the position before, first to 0
 *     3 cleared  likewise
 *     4 dropped
 *     5 elements uint8 slices │ var slots │ var count │ count × (int64 element │ var slices)
 *                slices: a bit for each in which the element's bit was set, the lowest for the
 *                first; 0 for all
 * </pre>
 */
final class ChangesCodec {
  private static final int END = 0;
  private static final int ADDED = 1;
  private static final int SET = 2;
  private static final int CLEARED = 3;
  private static final int DROPPED = 4;
  private static final int ELEMENTS = 5;
  private static final int LEAST_ELEMENT_BYTES = Long.BYTES + 1;

  private ChangesCodec() {}

  static void write(WireWriter out, FilterChanges changes) {
    RunWriter runs = new RunWriter(out);
    changes.replay(runs);
    runs.flush();
    out.uint8(END);
  }

  static FilterChanges read(WireReader in) {
    FilterChanges changes = new FilterChanges();
    for (int kind = in.uint8(); kind != END; kind = in.uint8()) {
      int segment = in.varInt();
      switch (kind) {
        case ADDED -> changes.segmentAdded(segment, new SizeClass(in.uint8(), in.var()));
        case SET, CLEARED -> readRun(in, kind == SET, segment, changes);
        case DROPPED -> changes.segmentDropped(segment);
        case ELEMENTS -> readElements(in, segment, changes);
        default -> throw new IllegalArgumentException("a change was of kind " + kind);
      }
    }
    return changes;
  }

  private static void readRun(WireReader in, boolean set, int segment, FilterChanges changes) {
    long position = 0;
    for (int left = in.count(1); left > 0; left--) {
      position += in.signedVar();
      if (position < 0 || position >= SizeClass.MAX_CELLS) {
        throw new IllegalArgumentException("a position was " + position);
      }
      if (set) {
        changes.bitSet(segment, position);
      } else {
        changes.bitCleared(segment, position);
      }
    }
  }

  private static void readElements(WireReader in, int segment, FilterChanges changes) {
    SizeClass shape = new SizeClass(in.uint8(), in.var());
    long all = allSlices(shape);
    for (int left = in.count(LEAST_ELEMENT_BYTES); left > 0; left--) {
      long element = in.int64();
      long slices = in.var();
      if ((slices & ~all) != 0) {
        throw new IllegalArgumentException(
            "an element set slices " + Long.toBinaryString(slices) + " of " + shape.slices());
      }
      changes.elementSet(segment, shape, element, slices == 0 ? all : slices);
    }
  }

  private static long allSlices(SizeClass shape) {
    return -1L >>> Long.SIZE - shape.slices();
  }

  /** Gathers a run until a change of another kind or segment comes. */
  private static final class RunWriter implements FilterChangeListener {
    private final WireWriter out;
    private WireWriter items = new WireWriter();
    private int kind;
    private int segment;
    private int count;
    private long last;
    private SizeClass shape;

    RunWriter(WireWriter out) {
      this.out = out;
    }

    @Override
    public void segmentAdded(int id, SizeClass sizeClass) {
      flush();
      out.uint8(ADDED);
      out.var(id);
      out.uint8(sizeClass.slices());
      out.var(sizeClass.slots());
    }

    @Override
    public void bitSet(int id, long position) {
      add(SET, id, position);
    }

    @Override
    public void elementSet(int id, SizeClass sizeClass, long element, long slices) {
      if (kind != ELEMENTS || segment != id || !sizeClass.equals(shape)) {
        flush();
        kind = ELEMENTS;
        segment = id;
        shape = sizeClass;
      }
      items.int64(element);
      items.var(slices == allSlices(sizeClass) ? 0 : slices);
      count++;
    }

    @Override
    public void bitCleared(int id, long position) {
      add(CLEARED, id, position);
    }

    @Override
    public void segmentDropped(int id) {
      flush();
      out.uint8(DROPPED);
      out.var(id);
    }

    private void add(int newKind, int id, long position) {
      if (kind != newKind || segment != id) {
        flush();
        kind = newKind;
        segment = id;
      }
      items.signedVar(position - last);
      last = position;
      count++;
    }

    void flush() {
      if (count > 0) {
        out.uint8(kind);
        out.var(segment);
        if (kind == ELEMENTS) {
          out.uint8(shape.slices());
          out.var(shape.slots());
        }
        out.var(count);
        out.append(items);
        items = new WireWriter();
      }
      count = 0;
      last = 0;
    }
  }
}
