/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.SizeClass;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The net effect of an ordered batch of changes: for each segment, whether it is new, whether it is
 * gone, and the last state of each bit that was named.
 *
 * <p>Only the end state may be applied sets first and clears later. Replaying the batch itself in
 * that order would end a bit that was cleared and then set again as cleared, and lose an element.
 */
final class CoalescedChanges {
  /** One segment's part. */
  static final class Segment {
    private static final int INDEX_BITS = 29;
    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;
    private static final int INITIAL_CHANGES = 8;

    private final int id;
    private SizeClass added;
    private boolean dropped;
    private long lastCell = -1;

    /** Position times two, plus one if the bit was set; in the order of the batch. */
    private long[] changes = new long[INITIAL_CHANGES];

    private int length;
    private int sets;

    private Segment(int id) {
      this.id = id;
    }

    int id() {
      return id;
    }

    /** The class of a segment that the batch adds, or null if it was there before. */
    SizeClass added() {
      return added;
    }

    /** Whether the segment is gone in the end. */
    boolean dropped() {
      return dropped;
    }

    /** The highest position named, or -1. */
    long lastCell() {
      return lastCell;
    }

    int sets() {
      return sets;
    }

    int clears() {
      return length - sets;
    }

    /** Position of a bit that is set in the end. */
    long set(int index) {
      return changes[index] >>> 1;
    }

    /** Position of a bit that is cleared in the end. */
    long clear(int index) {
      return changes[sets + index] >>> 1;
    }

    private void append(long position, boolean set) {
      if (dropped) {
        throw invalid(id, "a bit changes after it was dropped");
      }
      if (position >= SizeClass.MAX_CELLS) {
        throw invalid(id, "position was " + position + ", the limit is " + SizeClass.MAX_CELLS);
      }
      if (length == changes.length) {
        changes = Arrays.copyOf(changes, 2 * length);
      }
      changes[length++] = position << 1 | (set ? 1 : 0);
      sets += set ? 1 : 0;
      lastCell = Math.max(lastCell, position);
    }

    /** Keeps the last change of each bit, and puts the sets before the clears. */
    private void coalesce() {
      if (sets == length) {
        return;
      }
      if (length > INDEX_MASK) {
        throw invalid(id, "it has " + length + " changes; send it whole instead");
      }
      long[] ordered = new long[length];
      for (int i = 0; i < length; i++) {
        ordered[i] = changes[i] >>> 1 << INDEX_BITS | i;
      }
      Arrays.sort(ordered);
      long[] last = new long[length];
      int setEnd = 0;
      int clearStart = length;
      for (int i = 0; i < length; i++) {
        boolean superseded =
            i + 1 < length && ordered[i] >>> INDEX_BITS == ordered[i + 1] >>> INDEX_BITS;
        if (!superseded) {
          long change = changes[(int) (ordered[i] & INDEX_MASK)];
          if ((change & 1) != 0) {
            last[setEnd++] = change;
          } else {
            last[--clearStart] = change;
          }
        }
      }
      System.arraycopy(last, clearStart, last, setEnd, length - clearStart);
      changes = last;
      sets = setEnd;
      length = setEnd + length - clearStart;
    }
  }

  private final Map<Integer, Segment> segments = new LinkedHashMap<>();

  private CoalescedChanges() {}

  /**
   * The end state of a batch.
   *
   * @throws IllegalArgumentException if the batch is not one a filter can have reported
   */
  static CoalescedChanges of(FilterChanges batch) {
    CoalescedChanges coalesced = new CoalescedChanges();
    batch.replay(coalesced.new Collector());
    coalesced.segments().forEach(Segment::coalesce);
    return coalesced;
  }

  /** The segments that the batch names, in the order it first names them. */
  Collection<Segment> segments() {
    return segments.values();
  }

  /** Whether the end state takes anything away from what was there before. */
  boolean removes() {
    for (Segment segment : segments()) {
      if (segment.added == null && (segment.dropped || segment.clears() > 0)) {
        return true;
      }
    }
    return false;
  }

  private static IllegalArgumentException invalid(int segment, String reason) {
    return new IllegalArgumentException(
        "Cannot apply changes of segment " + segment + ": " + reason);
  }

  private final class Collector implements FilterChangeListener {
    private Segment current;

    @Override
    public void segmentAdded(int id, SizeClass sizeClass) {
      if (segments.containsKey(id)) {
        throw invalid(id, "it was named in the batch before it was added");
      }
      segment(id).added = sizeClass;
    }

    @Override
    public void bitSet(int id, long position) {
      segment(id).append(position, true);
    }

    @Override
    public void bitCleared(int id, long position) {
      segment(id).append(position, false);
    }

    @Override
    public void segmentDropped(int id) {
      Segment segment = segment(id);
      if (segment.dropped) {
        throw invalid(id, "it was dropped twice");
      }
      segment.dropped = true;
    }

    private Segment segment(int id) {
      if (current == null || current.id != id) {
        current = segments.computeIfAbsent(id, Segment::new);
      }
      return current;
    }
  }
}
