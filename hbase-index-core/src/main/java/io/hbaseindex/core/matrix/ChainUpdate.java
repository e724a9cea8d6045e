/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * A batch of changes that fits the chain it is for, ready to be carried out in two steps with a
 * grace period between them.
 */
final class ChainUpdate {
  private final int owner;
  private final CoalescedChanges batch;
  private final SegmentDemand demand;
  private final List<BitPlane> planes = new ArrayList<>();
  private SegmentSlot[] chain;

  private ChainUpdate(
      int owner, SegmentSlot[] chain, CoalescedChanges batch, SegmentDemand demand) {
    this.owner = owner;
    this.chain = chain;
    this.batch = batch;
    this.demand = demand;
  }

  /** Makes the planes of added segments, which is not to be done under a lock. */
  void allocate() {
    for (CoalescedChanges.Segment segment : batch.segments()) {
      if (isNew(segment)) {
        planes.add(new BitPlane(segment.added().cells()));
      }
    }
  }

  /**
   * Checks a batch against the chain of its owner; changes nothing.
   *
   * @throws IllegalArgumentException if the batch cannot have come from the filter whose bits the
   *     chain has
   */
  static ChainUpdate of(int owner, SegmentSlot[] chain, CoalescedChanges batch) {
    SegmentDemand demand = new SegmentDemand();
    for (CoalescedChanges.Segment segment : batch.segments()) {
      SegmentSlot slot = OwnerTable.find(chain, segment.id());
      if (segment.added() == null && slot == null) {
        throw misfit(owner, segment, "has no such segment");
      }
      if (segment.added() != null && slot != null) {
        throw misfit(owner, segment, "has that segment already");
      }
      SizeClass sizeClass = slot == null ? segment.added() : slot.sizeClass();
      if (segment.lastCell() >= sizeClass.cells()) {
        throw misfit(
            owner,
            segment,
            "has " + sizeClass.cells() + " cells there, position was " + segment.lastCell());
      }
      if (isNew(segment)) {
        demand.add(sizeClass);
      }
    }
    return new ChainUpdate(owner, chain, batch, demand);
  }

  private static IllegalArgumentException misfit(
      int owner, CoalescedChanges.Segment segment, String reason) {
    return new IllegalArgumentException(
        "Cannot apply changes of segment "
            + segment.id()
            + ": owner "
            + owner
            + " "
            + reason
            + "; send its filter whole");
  }

  /** The segments to be added. */
  SegmentDemand demand() {
    return demand;
  }

  /** Whether there is a second step. */
  boolean removes() {
    return batch.removes();
  }

  /**
   * First step: all that the end state has. Returns the chain with the segments that were added.
   */
  SegmentSlot[] addAndSet(SegmentStore store) {
    if (demand.segments() > 0) {
      addSegments(store);
    }
    for (CoalescedChanges.Segment segment : batch.segments()) {
      if (segment.sets() > 0 && !segment.dropped()) {
        SegmentSlot slot = OwnerTable.find(chain, segment.id());
        for (int i = 0; i < segment.sets(); i++) {
          slot.set(segment.set(i));
        }
      }
    }
    return chain;
  }

  private void addSegments(SegmentStore store) {
    List<SegmentSlot> longer = new ArrayList<>(Arrays.asList(chain));
    Iterator<BitPlane> plane = planes.iterator();
    for (CoalescedChanges.Segment segment : batch.segments()) {
      if (isNew(segment)) {
        longer.add(store.place(owner, segment.id(), segment.added(), plane.next()));
      }
    }
    longer.sort(SegmentSlot.BY_ID);
    chain = longer.toArray(SegmentSlot[]::new);
  }

  /**
   * Second step, after the grace period: clears what the end state has not. Returns the chain
   * without the segments that it has not, either.
   */
  SegmentSlot[] clear() {
    for (CoalescedChanges.Segment segment : batch.segments()) {
      // What is new has nothing to lose.
      if (segment.added() == null && !segment.dropped()) {
        SegmentSlot slot = OwnerTable.find(chain, segment.id());
        for (int i = 0; i < segment.clears(); i++) {
          slot.clear(segment.clear(i));
        }
      }
    }
    List<SegmentSlot> shorter = new ArrayList<>(Arrays.asList(chain));
    shorter.removeAll(Arrays.asList(dropped()));
    return shorter.toArray(SegmentSlot[]::new);
  }

  /** The segments that the end state has not. */
  SegmentSlot[] dropped() {
    return batch.segments().stream()
        .filter(segment -> segment.added() == null && segment.dropped())
        .map(segment -> OwnerTable.find(chain, segment.id()))
        .toArray(SegmentSlot[]::new);
  }

  private static boolean isNew(CoalescedChanges.Segment segment) {
    return segment.added() != null && !segment.dropped();
  }
}
