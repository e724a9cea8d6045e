/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.time.MachineClock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One open region as its region server sees it: the filter that the write path feeds, and the
 * publisher that says when a write may be acknowledged.
 *
 * <p>A write batch goes through these steps:
 *
 * <ol>
 *   <li>{@link #beginBatch}, then {@link #insert} with every posting that becomes live, before
 *       anything is written;
 *   <li>the batch is written;
 *   <li>{@link #isSettled} is waited for. That takes at most {@link LeaseTerms#longestWaitNanos};
 *   <li>if the batch has succeeded, {@link #delete} with every posting it has ended, once;
 *   <li>{@link #endBatch}, whatever has become of it. What a failed batch inserted stays inserted.
 * </ol>
 *
 * <p>Safe for use by many threads: every method holds the region's lock for its short time, and
 * none waits.
 */
@InterfaceAudience.Private
public final class PublishedRegion {
  private final int number;
  private final MachineClock clock;
  private final RegionFilter filter;
  private final RegionPublisher publisher;
  private final Set<PublishedRegion> busy;
  private boolean closed;

  /**
   * Made by {@link ServerPublisher#open}.
   *
   * @param busy where the region is while there may be something to do for it; for use by many
   *     threads
   */
  PublishedRegion(
      int number,
      MachineClock clock,
      RegionFilter filter,
      RegionPublisher publisher,
      Set<PublishedRegion> busy) {
    this.number = number;
    this.clock = clock;
    this.filter = filter;
    this.publisher = publisher;
    this.busy = busy;
  }

  /**
   * Something happens to the region. To be called under the lock, as it leaves the busy ones under
   * the lock, so that it cannot leave in between.
   */
  private void happens() {
    if (!closed) {
      busy.add(this);
    }
  }

  /** What makes the parts of a region; the test tree makes broken ones. */
  static class Parts {
    RegionFilter filter(FilterGeometry geometry, PagedMemory memory) {
      return new RegionFilter(geometry, memory);
    }

    RegionPublisher publisher(
        int region,
        RegionIncarnation incarnation,
        RegionFilter filter,
        LeaseTerms terms,
        PublishLimits limits,
        long now) {
      return new RegionPublisher(
          region, incarnation, filter, new RemainingTrust(terms, now), terms, limits, now);
    }
  }

  /** A batch begins; its deletes and its end have to name the returned phase. */
  public synchronized long beginBatch() {
    return filter.beginBatch();
  }

  /**
   * Postings that were not live may become live; returns what the batch has to wait for. For
   * filters that are {@linkplain #completeRebuild(List) complete} without bounds.
   */
  public WriteTicket insert(long... elements) {
    return insert(RegionBounds.NOTHING, elements);
  }

  /**
   * Postings that were not live may become live; returns what the batch has to wait for.
   *
   * @param bounds of these postings, and perhaps of others that are live
   */
  public synchronized WriteTicket insert(RegionBounds bounds, long... elements) {
    happens();
    filter.widen(bounds);
    for (long element : elements) {
      filter.insert(element);
    }
    return publisher.ticket(false, clock.monotonicNanos());
  }

  /**
   * As {@link #insert}, where the elements of the postings are kept elsewhere, and only their
   * bounds here.
   */
  public synchronized WriteTicket widen(RegionBounds bounds) {
    happens();
    filter.widen(bounds);
    return publisher.ticket(true, clock.monotonicNanos());
  }

  /** Whether the batch with this ticket may be acknowledged. */
  public synchronized boolean isSettled(WriteTicket ticket) {
    return publisher.isSettled(ticket, clock.monotonicNanos());
  }

  /**
   * Live postings have ended, by a batch that has succeeded.
   *
   * @param space of the set of columns that the elements are of
   */
  public synchronized void delete(long phase, long space, long... elements) {
    happens();
    for (long element : elements) {
      filter.delete(phase, space, element);
    }
  }

  /** A batch has passed its last step, or has failed. */
  public synchronized void endBatch(long phase) {
    filter.endBatch(phase);
  }

  /**
   * Begins to build the filter anew; a rebuild that was under way is given up.
   *
   * @param expected estimated number of distinct elements
   * @return whether the server had memory for it; if not, it is to be tried again later
   */
  public synchronized boolean startRebuild(long expected) {
    happens();
    boolean started = filter.startRebuild(expected);
    if (filter.newest() == null) {
      publisher.withoutFilter(
          started ? OpenReason.NOT_READY : OpenReason.OVER_BUDGET, clock.monotonicNanos());
    }
    return started;
  }

  /** Sets what the next filter is to be like; it pays to build one if its error is smaller. */
  public synchronized void aimAt(FilterGeometry next) {
    filter.aimAt(next);
  }

  /** Whether the rebuild's scan may be opened: all batches that began before it have ended. */
  public synchronized boolean rebuildMayScan() {
    return filter.rebuildMayScan();
  }

  /** The rebuild's scan has met these live postings. */
  public synchronized void scanned(long... elements) {
    for (long element : elements) {
      filter.scanned(element);
    }
  }

  /** The rebuild's scan is through: the filter holds every live posting of the given indexes. */
  public void completeRebuild(List<IndexCoverage> coverage) {
    completeRebuild(coverage, RegionBounds.EVERYTHING);
  }

  /**
   * As {@link #completeRebuild(List)}.
   *
   * @param bounds of all postings that the scan has met, those of other indexes unbounded
   */
  public synchronized void completeRebuild(List<IndexCoverage> coverage, RegionBounds bounds) {
    happens();
    filter.completeRebuild(coverage, bounds);
  }

  /** Gives up a rebuild that is under way, if there is one. */
  public synchronized void abandonRebuild() {
    filter.abandonRebuild();
  }

  /**
   * Begins to read a stored filter; a rebuild that was under way is given up. What may be lacking
   * in it may be looked for as soon as {@link #rebuildMayScan} says so.
   */
  public synchronized void startLoading() {
    filter.startLoading();
  }

  /** Whether a stored filter is being read. */
  public synchronized boolean isLoading() {
    return filter.isLoading();
  }

  /** What a stored filter is to be read into; empty if the server has no memory for it. */
  public synchronized Optional<FilterLoading> loading(FilterImage.Outline outline) {
    return filter.emptyOf(outline).map(empty -> new FilterLoading(this, empty));
  }

  synchronized boolean completeLoading(RecordedFilter loaded, List<IndexCoverage> coverage) {
    happens();
    return filter.completeLoading(loaded, coverage);
  }

  /**
   * Sets what tells a timestamp that no posting of a batch that has begun is above. A filter cannot
   * be stored without.
   */
  public synchronized void stampBy(LongSupplier latest) {
    filter.stampBy(latest);
  }

  /** A flush is about to begin: from now on the ends of postings are remembered. */
  public synchronized void rememberEnds() {
    filter.rememberEnds();
  }

  /** The flush is over, and the filter stored or not: ends are no longer remembered. */
  public synchronized void forgetEnds() {
    filter.forgetEnds();
  }

  /**
   * Begins to store the filter together with store files that hold all changes of postings up to a
   * timestamp; empty if there is no filter, or it may lack a posting that is live in these files.
   * That is so when a posting has ended later than {@code through} and before {@link
   * #rememberEnds}.
   */
  public synchronized Optional<FilterStoring> startStoring(long through) {
    if (!filter.mayBeStored(through)) {
      return Optional.empty();
    }
    filter.rememberEnds();
    return Optional.of(new FilterStoring(this, filter.newest()));
  }

  /** To be called under the lock. */
  boolean isStorable(RecordedFilter stored) {
    return filter.newest() == stored && stored.remembersEnds();
  }

  /**
   * How many live postings have an element: exact or too high, never too low. Empty if there is no
   * filter that holds all elements of its set, or the filter cannot tell.
   *
   * @param space of the set of columns that the element is of
   */
  public synchronized OptionalLong count(long space, long element) {
    RecordedFilter newest = filter.newest();
    return newest == null || !newest.covers(space)
        ? OptionalLong.empty()
        : newest.filter().count(element);
  }

  /** Bytes of memory that the filter in use takes; 0 without one. */
  public synchronized long filterBytes() {
    return filter.newest() == null ? 0 : filter.newest().filter().bytes();
  }

  /** Leaves the memory of its filter to other regions, and is open until it has one again. */
  public synchronized void leaveRoom() {
    happens();
    filter.leaveRoom();
    publisher.withoutFilter(OpenReason.OVER_BUDGET, clock.monotonicNanos());
  }

  /** Whether building the filter anew would win back memory or precision. */
  public synchronized boolean rebuildPays() {
    return filter.rebuildPays();
  }

  /** Whether the filter may still hold elements whose last posting has gone. */
  public synchronized boolean isOvercounting() {
    return filter.isOvercounting();
  }

  /** Whether a rebuild is under way. */
  public synchronized boolean isRebuilding() {
    return filter.isRebuilding();
  }

  /**
   * Postings are about to change in a way that the filter is not told, for example by a bulk load:
   * the region is open from now on. Wait for {@link #isOpenEverywhere} before the change, and call
   * {@link #resume} once after it. A rebuild that is under way is given up, and none can be started
   * in between: its scan might miss the change.
   */
  public synchronized void suspend() {
    happens();
    publisher.suspend(clock.monotonicNanos());
  }

  /** The change that {@link #suspend} was called for is over; the next rebuild sees it. */
  public synchronized void resume() {
    filter.resume();
  }

  /** Whether a rebuild would be refused, because postings are changing behind the filter. */
  public synchronized boolean isSuspended() {
    return filter.isSuspended();
  }

  /** Whether no master can exclude a key of this region. */
  public synchronized boolean isOpenEverywhere() {
    return publisher.isOpenEverywhere(clock.monotonicNanos());
  }

  /** The region is closing. Wait for {@link #isReleased} before the close completes. */
  public synchronized void release() {
    happens();
    publisher.release(clock.monotonicNanos());
  }

  /** Whether nobody trusts this incarnation any more. */
  public synchronized boolean isReleased() {
    return publisher.isReleased(clock.monotonicNanos());
  }

  /** The region and when it was opened. */
  public RegionIncarnation incarnation() {
    return publisher.incarnation();
  }

  /** How the region stands. */
  public synchronized RegionPublishStatus status() {
    return publisher.status(clock.monotonicNanos());
  }

  /** Gives the memory of the filters back; the region has been released. */
  synchronized void close() {
    closed = true;
    busy.remove(this);
    filter.close();
  }

  int number() {
    return number;
  }

  /** Time has passed; a region that nothing is to be done for leaves the busy ones. */
  synchronized void tick(long now, ServerPublisher.Pulse pulse) {
    publisher.tick(now, pulse);
    if (publisher.isIdle(now)) {
      busy.remove(this);
    } else {
      happens();
    }
  }

  synchronized long nextDeadline(long other, long now) {
    return publisher.nextDeadline(other, now);
  }

  synchronized long nextSending(long other, long now) {
    return publisher.nextSending(other, now);
  }

  synchronized void collect(PushBuilder push, long now) {
    publisher.collect(push, now);
  }

  synchronized long bytesToStage(long now) {
    return publisher.bytesToStage(now);
  }

  synchronized void collectParts(PushBuilder push, long now) {
    publisher.collectParts(push, now);
  }

  synchronized void pushLost(long now) {
    publisher.pushLost(now);
  }

  synchronized void heardFrom(long master, long now) {
    happens();
    publisher.heardFrom(master, now);
  }

  synchronized void onReply(RegionReply reply, boolean senior, long now) {
    happens();
    publisher.onReply(reply, senior, now);
  }
}
