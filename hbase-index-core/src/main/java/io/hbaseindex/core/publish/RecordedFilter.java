/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.hash.ElementList;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import java.util.List;
import java.util.Optional;

/**
 * A counting filter whose changes can be sent to a log. The log runs only while the filter is being
 * published, so an open region pays nothing for changes that nobody is told.
 */
final class RecordedFilter {
  /** So much may bounds take of any region. */
  private static final long LEAST_BYTES_OF_BOUNDS = 1 << 14;

  private final Relay relay;
  private final ScalableSplitCountingBloomFilter filter;

  /** Batches of this phase or later have been seen whole: begun after the filter was complete. */
  private long completeFrom = Long.MAX_VALUE;

  private List<IndexCoverage> coverage = List.of();
  private boolean overcounting;

  /** One that is read from a file has any values until it is said otherwise. */
  private RegionBounds bounds;

  /** What has been deleted since it began to be remembered; null if it is not. */
  private ElementList ends;

  /** Of the postings whose end has left its trace nowhere but in the counters, the last. */
  private long forgottenThrough = Long.MIN_VALUE;

  /** Whether it is read from a file, and that has no bounds as far as it has been read. */
  private boolean storedWithoutBounds;

  private RecordedFilter(
      Relay relay,
      ScalableSplitCountingBloomFilter filter,
      RegionBounds bounds,
      boolean storedWithoutBounds) {
    this.relay = relay;
    this.filter = filter;
    this.bounds = bounds;
    this.storedWithoutBounds = storedWithoutBounds;
  }

  /** An empty filter for so many distinct elements; empty if there is no memory for it. */
  static Optional<RecordedFilter> within(
      PagedMemory memory, FilterGeometry geometry, long expected) {
    Relay relay = new Relay();
    return ScalableSplitCountingBloomFilter.within(memory, geometry, relay, expected)
        .map(filter -> new RecordedFilter(relay, filter, RegionBounds.NOTHING, false));
  }

  /** An empty filter of the given outline; empty if there is no memory for it. */
  static Optional<RecordedFilter> within(PagedMemory memory, FilterImage.Outline outline) {
    Relay relay = new Relay();
    return FilterImage.emptyOf(memory, outline, relay)
        .map(filter -> new RecordedFilter(relay, filter, RegionBounds.EVERYTHING, true));
  }

  /** Gives the filter's memory back; nobody feeds or asks it any more. */
  void free() {
    stopRecording();
    filter.free();
  }

  void insert(long element) {
    filter.insert(element);
  }

  /** Bounds of all that has been inserted. */
  RegionBounds bounds() {
    return bounds;
  }

  /** The filter has these values, too; a log is told only by what the bounds become wider. */
  void widen(RegionBounds values) {
    RegionBounds more = bounds.lacking(values);
    if (more.isNothing()) {
      return;
    }
    RegionBounds wider = bounds.union(more);
    long most = mostBytesOfBounds();
    if (wider.bytes() > most) {
      wider = wider.bounded(most / 2);
      more = bounds.uncovered(wider);
    }
    bounds = wider;
    relay.widened(more);
  }

  /** Bounds take their part of a server's heap as filters do of the memory for them. */
  private long mostBytesOfBounds() {
    return Math.min(RegionBounds.MOST_BYTES, Math.max(LEAST_BYTES_OF_BOUNDS, 2 * filter.bytes()));
  }

  /** Sets the bounds of what a filter that is read from a file holds. */
  void restore(RegionBounds stored) {
    bounds = stored;
    storedWithoutBounds = false;
  }

  /** Whether every posting that a batch of this phase can end has been inserted here. */
  boolean counts(long phase, long space) {
    return phase >= completeFrom && covers(space);
  }

  /** Whether it holds every live posting of a set, once it is complete. */
  boolean covers(long space) {
    for (IndexCoverage covered : coverage) {
      if (covered.space() == space) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param stamp at or above the timestamp of the posting's end
   */
  void delete(long element, long stamp) {
    filter.delete(element);
    if (ends == null || !ends.add(element)) {
      ends = null;
      forgottenThrough = Math.max(forgottenThrough, stamp);
    }
  }

  /** From now on deleted elements are remembered, as far as there is room for them. */
  void rememberEnds() {
    if (ends == null) {
      ends = new ElementList();
    }
  }

  boolean remembersEnds() {
    return ends != null;
  }

  /** The deleted elements that are remembered. */
  long[] ends() {
    return ends.toArray();
  }

  /**
   * Deleted elements are no longer remembered.
   *
   * @param stamp at or above the timestamps of their postings' ends
   */
  void forgetEnds(long stamp) {
    if (ends != null && !ends.isEmpty()) {
      forgottenThrough = Math.max(forgottenThrough, stamp);
    }
    ends = null;
  }

  /**
   * The filter lacks no posting whose end has a timestamp above this one, but for those that are
   * remembered.
   */
  long forgottenThrough() {
    return forgottenThrough;
  }

  /** Some element may be counted more often from now on than it has live postings. */
  void overcount() {
    overcounting = true;
  }

  /** Whether an element may stay when its last posting has gone. */
  boolean isOvercounting() {
    return overcounting;
  }

  /**
   * @param stamp at or above the timestamp of every posting that had ended by then
   */
  void complete(long phase, List<IndexCoverage> covered, long stamp) {
    completeFrom = phase;
    forgottenThrough = stamp;
    coverage = List.copyOf(covered);
  }

  boolean isComplete() {
    return completeFrom != Long.MAX_VALUE;
  }

  List<IndexCoverage> coverage() {
    return coverage;
  }

  ScalableSplitCountingBloomFilter filter() {
    return filter;
  }

  /** Bytes of the bits and the bounds, which a master holds of the filter. */
  long bytesToPublish() {
    return Math.max(1, filter.cells() / Byte.SIZE) + bounds.bytes();
  }

  /** Whether an earlier release has stored it: it excludes nothing by a range. */
  boolean lacksBounds() {
    return storedWithoutBounds;
  }

  FilterSnapshot snapshot() {
    return filter.snapshot();
  }

  /** From now on every change goes to the given log and to no other. */
  void record(ChangeLog log) {
    relay.target = log;
    relay.log = log;
  }

  /** From now on no change is logged. */
  void stopRecording() {
    relay.target = FilterChangeListener.NONE;
    relay.log = null;
  }

  private static final class Relay implements FilterChangeListener {
    private FilterChangeListener target = FilterChangeListener.NONE;

    /** The same, if it is a log; null if there is none. */
    private ChangeLog log;

    void widened(RegionBounds by) {
      if (log != null) {
        log.widened(by);
      }
    }

    @Override
    public void segmentAdded(int segment, SizeClass sizeClass) {
      target.segmentAdded(segment, sizeClass);
    }

    @Override
    public void bitSet(int segment, long position) {
      target.bitSet(segment, position);
    }

    @Override
    public void elementSet(int segment, SizeClass sizeClass, long element, long slices) {
      target.elementSet(segment, sizeClass, element, slices);
    }

    @Override
    public void bitCleared(int segment, long position) {
      target.bitCleared(segment, position);
    }

    @Override
    public void segmentDropped(int segment) {
      target.segmentDropped(segment);
    }
  }
}
