/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.hash.ElementList;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The filter of one region, and its replacement while that is being built: a complete filter never
 * answers negative for a live posting.
 *
 * <p>A rebuild runs beside the writers and must neither miss a posting nor take one back that it
 * has not counted. It goes in this order:
 *
 * <ol>
 *   <li>{@link #startRebuild}: from now on writers feed the new filter beside the old one;
 *   <li>{@link #rebuildMayScan} says when every batch that had begun before has ended: such a batch
 *       has not fed the new filter, so the scan has to see what it wrote;
 *   <li>the caller opens its scan only then, and calls {@link #scanned} for every live posting.
 *       Postings that a writer has fed already are counted twice, which costs precision only;
 *   <li>{@link #completeRebuild}: batches that begin from now on also take back elements of the
 *       indexes that the scan was complete for. A batch that began before never does: the scan may
 *       have missed what it ended.
 * </ol>
 *
 * <p>The old filter is fed on until {@link #retain} is told that the master does not answer by it
 * any more. So a rebuild needs memory for two filters. If there is none for the second, the region
 * keeps the one it has, unless that one is {@linkplain
 * io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter.RebuildReason#OVERFULL overfull}: then
 * it gives that one up, and the region is open until the new one is complete.
 *
 * <p>A filter that was <em>stored</em> takes the place of the scan's first part: {@link
 * #startLoading} begins like a rebuild, but what writers insert is kept in a list, and goes into
 * the filter when that has been read. Two writers of one chain could leave an element in two
 * segments, which deletes do not expect.
 *
 * <p><b>Storing.</b> The newest filter may be stored with a timestamp t if it holds every posting
 * that was live after the last write up to t. It may not, if it has taken out a posting that ended
 * later: that end need not outlive the process, since it is in no file yet. So ends are remembered
 * while a flush is under way, or the time of the last one is kept.
 *
 * <p>Batches are not tracked one by one. Each start and each completion of a rebuild begins a new
 * <em>phase</em>; a batch carries the number of the phase it began in, and the filter counts how
 * many batches of each phase are under way.
 *
 * <p>One caller at a time.
 */
class RegionFilter {
  private FilterGeometry geometry;
  private final PagedMemory memory;
  private final List<RecordedFilter> fed = new ArrayList<>();
  private final TreeMap<Long, Integer> underWay = new TreeMap<>();
  private RecordedFilter newest;
  private RecordedFilter rebuilt;

  /** What was inserted since a stored filter began to be read; null if none is. */
  private ElementList arrivals;

  private RegionBounds arrivedBounds = RegionBounds.NOTHING;

  /** A timestamp that no posting of a batch that has begun is above. */
  private LongSupplier stamps = () -> Long.MAX_VALUE;

  private long phase;
  private long rebuildPhase;
  private int suspended;
  private boolean closed;

  RegionFilter(FilterGeometry geometry, PagedMemory memory) {
    this.geometry = geometry;
    this.memory = memory;
  }

  /** Sets what the next filter is to be like. */
  void aimAt(FilterGeometry next) {
    geometry = next;
  }

  /**
   * Sets what tells a timestamp that no posting of a batch that has begun is above. Without it a
   * filter cannot be stored, because nobody can tell which ends it lacks.
   */
  void stampBy(LongSupplier latest) {
    stamps = latest;
  }

  /** A batch begins; returns the phase that its deletes and its end have to name. */
  long beginBatch() {
    underWay.merge(phase, 1, Integer::sum);
    return phase;
  }

  /** A batch that began in the given phase has passed its last step, or has failed. */
  void endBatch(long phase) {
    Integer count = underWay.get(phase);
    if (count == null) {
      throw new IllegalStateException(
          "Cannot end a batch of phase " + phase + ": none is under way; end each batch once");
    }
    if (count == 1) {
      underWay.remove(phase);
    } else {
      underWay.put(phase, count - 1);
    }
  }

  /** A posting that was not live may become live. */
  void insert(long element) {
    for (RecordedFilter filter : fed) {
      filter.insert(element);
    }
    if (rebuilt != null) {
      rebuilt.overcount(); // the scan may meet the posting, too
    }
    if (arrivals != null && !arrivals.add(element)) {
      arrivals = null;
    }
  }

  /** Postings within these bounds may become live; bounds become wider only, whatever ends. */
  void widen(RegionBounds by) {
    for (RecordedFilter filter : fed) {
      filter.widen(by);
    }
    if (arrivals != null) {
      arrivedBounds = arrivedBounds.with(by, RegionBounds.MOST_BYTES);
    }
  }

  /**
   * A live posting has ended, by a batch that has succeeded and began in the given phase. A filter
   * takes an element of it back only if it has certainly counted it: taking back what was never
   * inserted would damage the answers for other postings.
   *
   * @param space of the set of columns that the element is of
   */
  void delete(long phase, long space, long element) {
    for (RecordedFilter filter : fed) {
      if (counts(filter, phase, space)) {
        filter.delete(element, stamps.getAsLong());
      } else {
        filter.overcount(); // it may have counted the posting all the same
      }
    }
  }

  /** Whether a filter has counted every element of a set that a batch of a phase can end. */
  boolean counts(RecordedFilter filter, long phase, long space) {
    return filter.counts(phase, space);
  }

  /**
   * Begins a rebuild; one that was under way is given up.
   *
   * <p>A filter that is there knows best how many distinct elements there are. The caller's guess,
   * which may count each of many equal postings, serves only without one: a filter sized by it may
   * be far too large, and one sized by it again would be no better and ask for the next rebuild.
   *
   * @param expected estimated number of distinct elements
   * @return whether there was memory for it; if not, {@link #newest} may be gone
   */
  boolean startRebuild(long expected) {
    requireNotSuspended();
    abandonRebuild();
    long elements = newest == null ? expected : newest.filter().elementsToRebuildFor();
    Optional<RecordedFilter> fresh = RecordedFilter.within(memory, geometry, elements);
    if (fresh.isEmpty() && newest != null && newest.filter().isOverfull()) {
      free();
      fresh = RecordedFilter.within(memory, geometry, elements);
    }
    if (fresh.isEmpty()) {
      return false;
    }
    rebuilt = fresh.get();
    fed.add(rebuilt);
    rebuildPhase = ++phase;
    return true;
  }

  /** Begins to read a stored filter; a rebuild that was under way is given up. */
  void startLoading() {
    requireNotSuspended();
    abandonRebuild();
    arrivals = new ElementList();
    arrivedBounds = RegionBounds.NOTHING;
    rebuildPhase = ++phase;
  }

  /** An empty filter that a stored one is to be read into; empty if there is no memory for it. */
  Optional<RecordedFilter> emptyOf(FilterImage.Outline outline) {
    return RecordedFilter.within(memory, outline);
  }

  /**
   * A stored filter has been read, with every live posting of the given indexes that it may lack,
   * of the batches that began before {@link #startLoading}.
   *
   * @return whether it is in use from now on; if not, it is freed
   */
  boolean completeLoading(RecordedFilter loaded, List<IndexCoverage> coverage) {
    if (arrivals == null) {
      loaded.free();
      return false;
    }
    for (long element : arrivals.toArray()) {
      loaded.insert(element);
    }
    arrivals = null;
    loaded.widen(arrivedBounds);
    fed.add(loaded);
    loaded.complete(++phase, coverage, stamps.getAsLong());
    newest = loaded;
    return true;
  }

  /** Whether every batch that began before the rebuild has ended. */
  boolean rebuildMayScan() {
    return isRebuilding() && underWay.headMap(rebuildPhase).isEmpty();
  }

  /** The rebuild's scan has met a live posting. */
  void scanned(long element) {
    if (!closed) {
      requireRebuild().insert(element);
    }
  }

  /**
   * The rebuild's scan has met every live posting of the given indexes.
   *
   * @param bounds of these postings; what writers have inserted meanwhile is known
   */
  void completeRebuild(List<IndexCoverage> coverage, RegionBounds bounds) {
    RecordedFilter complete = requireRebuild();
    complete.widen(bounds);
    complete.complete(++phase, coverage, stamps.getAsLong());
    newest = complete;
    rebuilt = null;
  }

  /** Gives up a rebuild that is under way, if there is one. */
  void abandonRebuild() {
    arrivals = null;
    if (rebuilt != null) {
      fed.remove(rebuilt);
      rebuilt.free();
      rebuilt = null;
    }
  }

  boolean isRebuilding() {
    return rebuilt != null || arrivals != null;
  }

  /** Whether a stored filter is being read. */
  boolean isLoading() {
    return arrivals != null;
  }

  /** From now on the ends of postings are remembered, so that the filter can be stored. */
  void rememberEnds() {
    if (newest != null) {
      newest.rememberEnds();
    }
  }

  /** The ends of postings are no longer remembered. */
  void forgetEnds() {
    if (newest != null) {
      newest.forgetEnds(stamps.getAsLong());
    }
  }

  /** Whether the newest filter lacks no posting that was live after the last write up to then. */
  boolean mayBeStored(long through) {
    return newest != null && newest.forgottenThrough() <= through;
  }

  /** One whose error is smaller than it has to be stays until it is rebuilt for another reason. */
  boolean rebuildPays() {
    return !isRebuilding()
        && newest != null
        && (newest.filter().rebuildPays().isPresent()
            || newest.lacksBounds()
            || newest.filter().geometry().error() > geometry.error());
  }

  /**
   * Whether the newest filter was written to while it was built: what it counted once too often
   * stays in it. One that is built in peace has nothing of that.
   */
  boolean isOvercounting() {
    return !isRebuilding() && newest != null && newest.isOvercounting();
  }

  /** The newest complete filter, or null. */
  RecordedFilter newest() {
    return newest;
  }

  /** Stops feeding every filter but the newest, the one being built, and the two given ones. */
  void retain(RecordedFilter published, RecordedFilter staged) {
    for (RecordedFilter filter : List.copyOf(fed)) {
      if (filter != newest && filter != rebuilt && filter != published && filter != staged) {
        fed.remove(filter);
        filter.free();
      }
    }
  }

  /**
   * Postings are about to change in a way that is not told: from now on there is no complete filter
   * and none can be built, until {@link #resume} has been called as often as this.
   */
  void suspend() {
    free();
    suspended++;
  }

  /** Gives all memory back to others; the region has no filter until the next is built. */
  void leaveRoom() {
    free();
  }

  /** The region has closed: gives all memory back. A scan that is still under way feeds nothing. */
  void close() {
    free();
    closed = true;
  }

  private void free() {
    fed.forEach(RecordedFilter::free);
    fed.clear();
    newest = null;
    rebuilt = null;
    arrivals = null;
  }

  /** What {@link #suspend} was called for is over; a rebuild sees it. */
  void resume() {
    if (suspended == 0) {
      throw new IllegalStateException("Cannot resume a region's filter: it was not suspended");
    }
    suspended--;
  }

  boolean isSuspended() {
    return suspended > 0;
  }

  private void requireNotSuspended() {
    if (suspended > 0) {
      throw new IllegalStateException(
          "Cannot rebuild a region's filter: postings are changing behind it; resume it first");
    }
  }

  private RecordedFilter requireRebuild() {
    if (rebuilt == null) {
      throw new IllegalStateException("Cannot go on with a rebuild: none is under way");
    }
    return rebuilt;
  }
}
