package io.hbaseindex.core.wire;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.SizeClass;

/**
 * An ordered log of filter changes as bytes. Consecutive changes of one kind in one segment are a
 * run, whose positions are written as differences: an inserted element sets one bit per slice, in
 * order, so most differences are about as large as a slice.
 *
 * <pre>
 *   run*, then uint8 0
 *   run: uint8 kind │ var segment │ …
 *     1 added    uint8 slices │ var slots
 *     2 set      var count │ count × signed var difference to the position before, first to 0
 *     3 cleared  likewise
 *     4 dropped
 * </pre>
 */
final class ChangesCodec {
  private static final int END = 0;
  private static final int ADDED = 1;
  private static final int SET = 2;
  private static final int CLEARED = 3;
  private static final int DROPPED = 4;

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

  /** Gathers a run until a change of another kind or segment comes. */
  private static final class RunWriter implements FilterChangeListener {
    private final WireWriter out;
    private WireWriter positions = new WireWriter();
    private int kind;
    private int segment;
    private int count;
    private long last;

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
      positions.signedVar(position - last);
      last = position;
      count++;
    }

    void flush() {
      if (count > 0) {
        out.uint8(kind);
        out.var(segment);
        out.var(count);
        out.append(positions);
        positions = new WireWriter();
      }
      count = 0;
      last = 0;
    }
  }
}
