/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An ordered log of the changes of one chain: what a filter told it as a listener, it tells another
 * listener again, change by change, in the same order.
 *
 * <p>A log is a sequence of 64-bit entries, so that the many changes of a batch cost eight bytes
 * each and no object. The top three bits say what an entry is; a change of a bit belongs to the
 * segment that the last {@code SEGMENT} entry before it has named, which is written only when the
 * segment differs from the one before.
 *
 * <pre>
 *   63 61 60                                                       0
 *   ┌────┬──────────────────────────────────────────────────────────┐
 *   │ 0  │                          segment id, 32 bits             │ SEGMENT
 *   │ 1  │        slices, from bit 40 on  │  slots, 40 bits         │ ADDED
 *   │ 2  │                                  position                │ SET
 *   │ 3  │                                  position                │ CLEARED
 *   │ 4  │                                  0                       │ DROPPED
 *   │ 5  │        slices, from bit 40 on  │  slots, 40 bits         │ SHAPE
 *   │ 6  │        bit per slice; the element is the next entry      │ ELEMENT
 *   └────┴──────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Elements that set {@value #ELEMENT_FROM} bits or more are kept as such: in two entries, and
 * one more where the segment or its shape, which positions follow from, differs from those before.
 *
 * <p>The layout lives in memory only; what is sent is written by the wire format, from a replay.
 *
 * <p>A log does not bound itself, because a listener may not fail: whoever collects changes watches
 * {@link #size()} and falls back to a whole snapshot when a log grows longer than that is worth.
 *
 * <p>Not safe for use by several threads at once; hand a log over, or lock.
 */
@InterfaceAudience.Private
public final class FilterChanges implements FilterChangeListener {
  private static final int KIND_SHIFT = 61;
  private static final int SLICES_SHIFT = 40;
  private static final long PAYLOAD = (1L << KIND_SHIFT) - 1;
  private static final long SLOTS = (1L << SLICES_SHIFT) - 1;

  private static final int SEGMENT = 0;
  private static final int ADDED = 1;
  private static final int SET = 2;
  private static final int CLEARED = 3;
  private static final int DROPPED = 4;
  private static final int SHAPE = 5;
  private static final int ELEMENT = 6;

  private static final int ELEMENT_FROM = 3;

  /** Slices that the bits of an entry have room for. */
  private static final int ELEMENT_SLICES = KIND_SHIFT;

  private static final int INITIAL_ENTRIES = 16;

  private long[] entries = new long[INITIAL_ENTRIES];
  private int length;
  private int changes;
  private int segment;

  /** The shape that the next element counts on; null after another segment was named. */
  private SizeClass shape;

  @Override
  public void segmentAdded(int segment, SizeClass sizeClass) {
    select(segment);
    append(ADDED, packed(sizeClass));
  }

  @Override
  public void bitSet(int segment, long position) {
    select(segment);
    append(SET, position & PAYLOAD);
  }

  @Override
  public void elementSet(int segment, SizeClass sizeClass, long element, long slices) {
    if (Long.bitCount(slices) < ELEMENT_FROM || sizeClass.slices() > ELEMENT_SLICES) {
      FilterChangeListener.super.elementSet(segment, sizeClass, element, slices);
      return;
    }
    select(segment);
    if (!sizeClass.equals(shape)) {
      put((long) SHAPE << KIND_SHIFT | packed(sizeClass));
      shape = sizeClass;
    }
    put((long) ELEMENT << KIND_SHIFT | slices);
    put(element);
    changes += Long.bitCount(slices);
  }

  @Override
  public void bitCleared(int segment, long position) {
    select(segment);
    append(CLEARED, position & PAYLOAD);
  }

  @Override
  public void segmentDropped(int segment) {
    select(segment);
    append(DROPPED, 0);
  }

  /** Number of changes in the log; every bit counts. */
  public int size() {
    return changes;
  }

  /** Whether there is no change in the log. */
  public boolean isEmpty() {
    return changes == 0;
  }

  /** Bytes of heap the entries take; a measure of what it costs to hold or send the log. */
  public long bytes() {
    return (long) length * Long.BYTES;
  }

  /** Forgets all changes; the memory is kept for the next ones. */
  public void clear() {
    length = 0;
    changes = 0;
    shape = null;
  }

  /** Tells a listener every change, oldest first. The listener must not change this log. */
  public void replay(FilterChangeListener listener) {
    int current = 0;
    SizeClass shaped = null;
    for (int at = 0; at < length; at++) {
      long payload = entries[at] & PAYLOAD;
      switch ((int) (entries[at] >>> KIND_SHIFT)) {
        case SEGMENT -> current = (int) payload;
        case ADDED -> listener.segmentAdded(current, unpacked(payload));
        case SET -> listener.bitSet(current, payload);
        case CLEARED -> listener.bitCleared(current, payload);
        case DROPPED -> listener.segmentDropped(current);
        case SHAPE -> shaped = unpacked(payload);
        case ELEMENT -> listener.elementSet(current, shaped, entries[++at], payload);
        default -> throw new AssertionError("no such kind of entry: " + entries[at]);
      }
    }
  }

  private void select(int segment) {
    if (length == 0 || segment != this.segment) {
      put((long) SEGMENT << KIND_SHIFT | Integer.toUnsignedLong(segment));
      this.segment = segment;
      shape = null;
    }
  }

  private static long packed(SizeClass sizeClass) {
    return (long) sizeClass.slices() << SLICES_SHIFT | sizeClass.slots();
  }

  private static SizeClass unpacked(long payload) {
    return new SizeClass((int) (payload >>> SLICES_SHIFT), payload & SLOTS);
  }

  private void append(int kind, long payload) {
    put((long) kind << KIND_SHIFT | payload);
    changes++;
  }

  private void put(long entry) {
    if (length == entries.length) {
      entries = Arrays.copyOf(entries, Math.multiplyExact(length, 2));
    }
    entries[length++] = entry;
  }

  /** Two logs are equal when they hold the same changes in the same order. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FilterChanges log
        && Arrays.equals(entries, 0, length, log.entries, 0, log.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int at = 0; at < length; at++) {
      hash = 31 * hash + Long.hashCode(entries[at]);
    }
    return hash;
  }

  @Override
  public String toString() {
    return changes + " filter changes";
  }
}
