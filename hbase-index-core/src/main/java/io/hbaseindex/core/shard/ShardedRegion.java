/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.publish.FilterStoring;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.RegionPublishStatus;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.publish.WriteTicket;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The filter of one open region, cut into shards by the hash of the value, and the region's way to
 * the holder of each shard.
 *
 * <p>Each shard is a {@link PublishedRegion} of its own: it has its own filter, generation and
 * trust, and knows nothing of the others. A write touches the shards of its own values and waits
 * for those alone, so a holder that hangs or moves holds up, and opens, its share of the values
 * only. With the master as the only holder there is one shard.
 *
 * <p>A region may {@linkplain #moveTo move} its shards to other places while it is open. That is as
 * if it was closed and opened again at once: the shards there were are released, and the new ones
 * are open until their filters have been built. A batch stays with the shards that it began with.
 * What it writes is in none of the new filters, so their scan waits for its end; and a batch that
 * begins after the move waits until the former shards are trusted no more.
 *
 * <p>Safe for use by many threads: the lock of this object is taken before those of publishers and
 * shards, and nothing waits.
 */
@InterfaceAudience.Private
public final class ShardedRegion {
  /** Makes the shard of this region that belongs to a place. */
  public interface Opener {
    Part open(ShardPlace place);
  }

  /**
   * One shard.
   *
   * @param publisher speaks to the shard's holder
   */
  public record Part(ServerPublisher publisher, PublishedRegion region) {
    void forget() {
      publisher.forget(region);
    }
  }

  private final String region;
  private final Opener opener;
  private final List<ShardCut> former = new ArrayList<>();
  private ShardCut current;
  private int suspended;
  private boolean releasing;

  /**
   * A region that has just opened.
   *
   * @param region its encoded name
   */
  public ShardedRegion(String region, List<ShardPlace> places, Opener opener) {
    this.region = region;
    this.opener = opener;
    this.current = cut(places);
  }

  private ShardCut cut(List<ShardPlace> places) {
    return new ShardCut(
        places, places.stream().map(opener::open).toList(), Shards.ofBounds(region, places.size()));
  }

  /**
   * Keeps the filter at these places from now on.
   *
   * @return whether it was kept elsewhere before, so that it has to be built anew
   */
  public synchronized boolean moveTo(List<ShardPlace> places) {
    forgetWhatIsOver();
    if (releasing || current.places.equals(places)) {
      return false;
    }
    ShardCut next = cut(places);
    for (int times = 0; times < suspended; times++) {
      next.regions().forEach(PublishedRegion::suspend);
    }
    current.regions().forEach(PublishedRegion::release);
    former.add(current);
    current = next;
    return true;
  }

  private void forgetWhatIsOver() {
    former.removeIf(
        cut -> {
          boolean over = cut.batches == 0 && cut.regions().allMatch(PublishedRegion::isReleased);
          if (over) {
            cut.parts.forEach(Part::forget);
          }
          return over;
        });
  }

  // ---- writes ----

  /**
   * A batch begins, before anything is written: postings that become live are inserted. For filters
   * that are complete without bounds.
   *
   * @param started elements of postings that were not live, as far as is known, and will be
   * @param kept elements of postings that are live and stay so: whoever wrote them may still wait
   * @param ended elements of postings that the batch may end
   */
  public ShardedBatch begin(long[] started, long[] kept, long[] ended) {
    return begin(started, kept, ended, RegionBounds.NOTHING, false);
  }

  /**
   * As above.
   *
   * @param bounds of the postings that become live and of those that stay so
   * @param everywhere whether the batch waits for all shards, since filters of earlier incarnations
   *     may lack values that it does not name
   */
  public ShardedBatch begin(
      long[] started, long[] kept, long[] ended, RegionBounds bounds, boolean everywhere) {
    ShardCut cut;
    List<PublishedRegion> before;
    synchronized (this) {
      cut = current;
      cut.batches++;
      forgetWhatIsOver();
      before = former.stream().flatMap(ShardCut::regions).toList();
    }
    BitSet awaited = new BitSet();
    // One shard has all values, also those that are not named here.
    awaited.set(0, everywhere || cut.parts.size() == 1 ? cut.parts.size() : 0);
    return new ShardedBatch(this, cut, before, awaited, started, kept, ended, bounds);
  }

  /**
   * What a batch has to wait for that changes no posting, where filters of earlier incarnations may
   * lack it. No rebuild waits for the end of such a batch.
   *
   * @return whether it may be acknowledged
   */
  public synchronized BooleanSupplier passing() {
    forgetWhatIsOver();
    List<BooleanSupplier> waits = new ArrayList<>();
    for (PublishedRegion part : current.regions().toList()) {
      WriteTicket ticket = part.insert();
      waits.add(() -> part.isSettled(ticket));
    }
    former.stream().flatMap(ShardCut::regions).forEach(part -> waits.add(part::isReleased));
    return () -> waits.stream().allMatch(BooleanSupplier::getAsBoolean);
  }

  synchronized void ended(ShardCut cut) {
    cut.batches--;
  }

  // ---- rebuilds ----

  /**
   * Begins to build the filter anew; a rebuild that was under way is given up.
   *
   * @param expected estimated number of distinct elements
   * @return whether the server had memory for it; if not, it is to be tried again later
   */
  public synchronized boolean startRebuild(long expected) {
    long each = (expected + current.parts.size() - 1) / current.parts.size();
    boolean started = true;
    for (PublishedRegion part : current.regions().toList()) {
      started &= part.startRebuild(each);
    }
    if (!started) {
      abandonRebuild();
    }
    return started;
  }

  /** As {@link PublishedRegion#aimAt}, for all shards. */
  public synchronized void aimAt(FilterGeometry next) {
    current.regions().forEach(part -> part.aimAt(next));
  }

  /** As {@link PublishedRegion#leaveRoom}, for all shards. */
  public synchronized void leaveRoom() {
    current.regions().forEach(PublishedRegion::leaveRoom);
  }

  /** Whether the rebuild's scan may be opened: all batches that began before it have ended. */
  public synchronized boolean rebuildMayScan() {
    return former.stream().allMatch(cut -> cut.batches == 0)
        && all(PublishedRegion::rebuildMayScan);
  }

  /** The rebuild's scan has met these live postings. */
  public synchronized void scanned(long... elements) {
    int shards = current.parts.size();
    if (shards == 1) {
      current.parts.get(0).region().scanned(elements);
      return;
    }
    for (long element : elements) {
      current.parts.get(Shards.of(element, shards)).region().scanned(element);
    }
  }

  /** The rebuild's scan is through: the filter holds every live posting of the given indexes. */
  public synchronized void completeRebuild(List<IndexCoverage> coverage) {
    current.regions().forEach(part -> part.completeRebuild(coverage));
  }

  /**
   * As {@link #completeRebuild(List)}.
   *
   * @param bounds of all postings that the scan has met
   */
  public synchronized void completeRebuild(List<IndexCoverage> coverage, RegionBounds bounds) {
    List<Integer> indexes = coverage.stream().map(IndexCoverage::indexId).distinct().toList();
    for (int shard = 0; shard < current.parts.size(); shard++) {
      PublishedRegion part = current.parts.get(shard).region();
      part.completeRebuild(
          coverage, shard == current.bounded ? bounds.ofAll(indexes) : RegionBounds.EVERYTHING);
    }
  }

  /** Gives up a rebuild that is under way, if there is one. */
  public synchronized void abandonRebuild() {
    current.regions().forEach(PublishedRegion::abandonRebuild);
  }

  /** Whether a rebuild is under way. */
  public synchronized boolean isRebuilding() {
    return all(PublishedRegion::isRebuilding);
  }

  /** Whether building the filter anew would win back memory or precision. */
  public synchronized boolean rebuildPays() {
    return current.regions().anyMatch(PublishedRegion::rebuildPays);
  }

  /** Whether the filter may still hold elements whose last posting has gone. */
  public synchronized boolean isOvercounting() {
    return current.regions().anyMatch(PublishedRegion::isOvercounting);
  }

  // ---- the stored filter ----

  /** How many shards there are. */
  public synchronized int shards() {
    return current.parts.size();
  }

  /** As {@link PublishedRegion#startLoading}, for all shards. */
  public synchronized void startLoading() {
    current.regions().forEach(PublishedRegion::startLoading);
  }

  /** Whether the stored filters of all shards are being read. */
  public synchronized boolean isLoading() {
    return all(PublishedRegion::isLoading);
  }

  /** What the stored filters of the shards are to be read into, after {@link #startLoading}. */
  public synchronized ShardedLoading loading() {
    return new ShardedLoading(current.regions().toList(), current.bounded);
  }

  /** A flush is about to begin: from now on the ends of postings are remembered. */
  public synchronized void rememberEnds() {
    current.regions().forEach(PublishedRegion::rememberEnds);
  }

  /** The flush is over, and the filter stored or not: ends are no longer remembered. */
  public synchronized void forgetEnds() {
    current.regions().forEach(PublishedRegion::forgetEnds);
  }

  /**
   * As {@link PublishedRegion#startStoring}, for all shards, in their order; empty if there is one
   * whose filter cannot be stored.
   */
  public synchronized List<FilterStoring> startStoring(long through) {
    List<FilterStoring> storing =
        current
            .regions()
            .map(part -> part.startStoring(through))
            .flatMap(Optional::stream)
            .toList();
    return storing.size() == current.parts.size() ? storing : List.of();
  }

  /** Bytes of memory that the filters in use take; 0 without any. */
  public synchronized long filterBytes() {
    return current.regions().mapToLong(PublishedRegion::filterBytes).sum();
  }

  /** As {@link PublishedRegion#count}, by the shard that the element belongs to. */
  public OptionalLong count(long space, long element) {
    PublishedRegion shard;
    synchronized (this) {
      shard = current.parts.get(Shards.of(element, current.parts.size())).region();
    }
    return shard.count(space, element);
  }

  // ---- the region as a whole ----

  /** As {@link PublishedRegion#suspend}, for all shards. */
  public synchronized void suspend() {
    suspended++;
    current.regions().forEach(PublishedRegion::suspend);
  }

  /** The change that {@link #suspend} was called for is over; the next rebuild sees it. */
  public synchronized void resume() {
    suspended--;
    current.regions().forEach(PublishedRegion::resume);
  }

  /** Whether a rebuild would be refused, because postings are changing behind the filter. */
  public synchronized boolean isSuspended() {
    return suspended > 0;
  }

  /** Whether no holder can exclude a key of this region. */
  public synchronized boolean isOpenEverywhere() {
    return all(PublishedRegion::isOpenEverywhere) && formerAreReleased();
  }

  private boolean formerAreReleased() {
    return former.stream().flatMap(ShardCut::regions).allMatch(PublishedRegion::isReleased);
  }

  /** The region is closing. Wait for {@link #isReleased} before the close completes. */
  public synchronized void release() {
    releasing = true;
    current.regions().forEach(PublishedRegion::release);
  }

  /** Whether nobody trusts this incarnation any more. */
  public synchronized boolean isReleased() {
    return all(PublishedRegion::isReleased) && formerAreReleased();
  }

  /** Forgets the region, which has been released, and gives its memory back. */
  public synchronized void forget() {
    former.forEach(cut -> cut.parts.forEach(Part::forget));
    former.clear();
    current.parts.forEach(Part::forget);
  }

  /** The numbers of the holders that the region publishes to. */
  public synchronized IntStream holders() {
    return current.places.stream().mapToInt(ShardPlace::holder);
  }

  /** How the region stands: as the shard that stands worst. */
  public synchronized RegionPublishStatus status() {
    return current
        .regions()
        .map(PublishedRegion::status)
        .reduce(RegionPublishStatus::worse)
        .orElseThrow();
  }

  private boolean all(Predicate<PublishedRegion> condition) {
    return current.regions().allMatch(condition);
  }
}
