/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.memory.PagedMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A counting filter that grows and deletes exactly (SSCBF): it may report an absent element as
 * present, with a bounded probability; it never reports a present one as absent.
 *
 * <p><b>Structure.</b> An ordered chain of {@linkplain SplitCountingBloomFilter segments}. When the
 * last one is half full, another is added behind it. All but the last are <em>sealed</em>: none of
 * their bits goes from 0 to 1 again, ever.
 *
 * <p><b>The first-positive rule.</b> {@code insert(x)} goes to the first segment that already
 * answers positive for x, else to the last one, or to a new one if that is full. {@code delete(x)}
 * goes to the first positive segment. The published filter does not define deletion from a chain,
 * and the obvious ways (any segment with room, the newest, the last positive, all positive ones)
 * lose elements: they decrement counters in a segment that was only a false positive.
 *
 * <p><b>Why it is exact.</b>
 *
 * <ol>
 *   <li>A sealed segment's counters never go 0→1: an insert reaches a sealed segment only if it is
 *       positive, that is if all its counters are above zero. So once a sealed segment answers
 *       negative for x it always will.
 *   <li>At x's first insert every segment before the chosen one is sealed and negative, hence stays
 *       negative; the chosen one is positive as long as a copy of x is counted in it. So the chosen
 *       segment is x's first positive one until x's last delete, and every insert and delete of x
 *       goes there.
 *   <li>Hence each counter is the exact sum of the copies of its residents, or is stuck.
 * </ol>
 *
 * <p>It rests on three things: adding a segment and inserting are one step (one writer); a delete
 * happens once, and only for a present element; the last segment is never dropped, for the one
 * before would not be sealed any more. Extra inserts merely cost precision. Segments may differ in
 * size.
 *
 * <p><b>Growth.</b> A new segment takes the smallest size level of the {@link FilterGeometry} that
 * holds as many elements as are alive: sizes double while the set grows and stay put under churn.
 * It also takes the smallest ordinal that no other segment of the chain has, and with it that
 * ordinal's share of the error. No ordinal is used twice at a time, so the errors of all segments
 * add up to no more than the geometry's bound, and a chain that was sized for its elements spends
 * no slices on segments that it never gets.
 *
 * <p><b>Memory</b> comes out of a {@link PagedMemory} that may refuse it. A filter that gets none
 * for another segment goes on with the last one beyond half fill: {@link #currentError} rises, and
 * nothing is lost. One that gets none for copies of elements has counters that stick.
 *
 * <p><b>Room.</b> A sealed segment that has lost all its bits is dropped. Beyond that, room that
 * deletes have freed is won back only by a rebuild from the live elements, which also makes one
 * segment of many; {@link #rebuildPays()} says when.
 *
 * <p><b>Cost.</b> A lookup may ask the segments in any order, because they do not share elements;
 * it begins with the newest, the largest. An absent element is asked four bits in nearly all
 * segments and more in few.
 *
 * <p><b>Frequent elements.</b> An element whose cells have reached {@value #HEAVY_FROM} is tracked
 * in a bounded side table that takes its further copies.
 *
 * <p><b>Threads.</b> One writer at a time, by the caller's care. Any number of readers call {@link
 * #mightContain} without waiting, and see every element whose insert has returned.
 */
@InterfaceAudience.Private
public final class ScalableSplitCountingBloomFilter implements CountingFilter {
  /** The lowest of an element's counters from which on it is tracked in the heavy table. */
  static final int HEAVY_FROM = SplitCountingBloomFilter.FREQUENT;

  /** Default for the number of frequent elements tracked: at most 2 MiB a filter. */
  public static final int DEFAULT_HEAVY_LIMIT = 1 << 16;

  /** Why a rebuild from the live elements would pay. */
  public enum RebuildReason {
    /** The chain takes about twice the memory that its live elements need, or more. */
    SPARSE,
    /** Stuck counters keep bits set that no live element needs. */
    STUCK_COUNTERS,
    /** There was no memory for another segment, and the last one is too full to keep the error. */
    OVERFULL,
    /**
     * Each lookup and each write asks more segments than would do. A chain that grows gets there
     * each time that its elements are half as many again, so all rebuilds for that reason together
     * read less than three times as much as the last.
     */
    MANY_SEGMENTS
  }

  /**
   * How many times the memory that it would take anew a chain may take. One with {@link
   * #ROOM_TO_GROW} takes up to 1.72 times as much as one without, since sizes are rounded up.
   */
  private static final double SPARSE_FACTOR = 1.9;

  private static final double STUCK_SHARE = 0.01;

  /** How many times the error that was promised is too much. */
  private static final int OVERFULL_FACTOR = 10;

  /**
   * Room that a rebuilt filter gets beyond the elements there are, so that it does not grow at
   * once.
   */
  private static final double ROOM = 1.04;

  /** The same for a filter that has grown, and may well go on. */
  private static final double ROOM_TO_GROW = 1.5;

  /** A segment with its place in the chain. */
  static final class Link {
    final int id;
    final int level;
    final int ordinal;
    final SplitCountingBloomFilter filter;

    Link(int id, int level, int ordinal, SplitCountingBloomFilter filter) {
      this.id = id;
      this.level = level;
      this.ordinal = ordinal;
      this.filter = filter;
    }
  }

  private final FilterGeometry geometry;
  private final FilterChangeListener listener;
  private final PagedMemory memory;
  private final HeavyTable heavy;
  private int nextId;

  /** Never changed in place: readers take it once and see a whole chain. */
  private volatile Link[] chain;

  /** An empty filter on the Java heap that reports its changes from the first segment on. */
  public ScalableSplitCountingBloomFilter(FilterGeometry geometry, FilterChangeListener listener) {
    this(geometry, listener, 0, DEFAULT_HEAVY_LIMIT);
  }

  /**
   * An empty filter on the Java heap.
   *
   * @param expected number of distinct elements that the first segment shall take, so that a chain
   *     whose size is known starts with one segment instead of growing through many
   * @param heavyLimit number of frequent elements tracked at most
   */
  public ScalableSplitCountingBloomFilter(
      FilterGeometry geometry, FilterChangeListener listener, long expected, int heavyLimit) {
    this(PagedMemory.heap(), geometry, listener, heavyLimit);
    grow(expected);
  }

  /** A filter without a segment, of no use before one is {@linkplain #append appended}. */
  ScalableSplitCountingBloomFilter(
      PagedMemory memory, FilterGeometry geometry, FilterChangeListener listener, int heavyLimit) {
    this.memory = memory;
    this.geometry = geometry;
    this.listener = listener;
    this.heavy = new HeavyTable(memory, heavyLimit);
    this.chain = new Link[0];
  }

  /**
   * An empty filter whose first segment takes {@code expected} distinct elements, to be freed by
   * {@link #free}; empty if there is no memory for that segment.
   */
  public static Optional<ScalableSplitCountingBloomFilter> within(
      PagedMemory memory, FilterGeometry geometry, FilterChangeListener listener, long expected) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(memory, geometry, listener, DEFAULT_HEAVY_LIMIT);
    return filter.grow(expected).map(first -> filter);
  }

  /** Bytes of memory that an empty filter takes whose first segment is for so many elements. */
  public static long bytesFor(FilterGeometry geometry, long expected) {
    return SplitCountingBloomFilter.bytesFor(
        geometry.sizeClass(geometry.smallestLevelFor(expected), 0));
  }

  /**
   * A new filter with the same parameters over exactly the given elements. This one stays as it is;
   * replacing it is up to the caller, who knows which writes happen meanwhile.
   *
   * @param live every live element, once per copy
   * @param expected estimated number of distinct ones; a wrong estimate costs memory or lookups
   *     only
   */
  public ScalableSplitCountingBloomFilter rebuild(
      PrimitiveIterator.OfLong live, long expected, FilterChangeListener newListener) {
    ScalableSplitCountingBloomFilter fresh =
        new ScalableSplitCountingBloomFilter(geometry, newListener, expected, heavy.limit());
    while (live.hasNext()) {
      fresh.insert(live.nextLong());
    }
    return fresh;
  }

  @Override
  public boolean mightContain(long element) {
    Link[] links = chain;
    BitPlane.beginReading();
    long mixed = BitMixer.mix(element);
    // The newest segments are the largest, so that a present element is found soon.
    for (int at = links.length - 1; at >= 0; at--) {
      if (links[at].filter.mightContainMixed(mixed)) {
        return true;
      }
    }
    return false;
  }

  /**
   * How often an element is in the filter: exact or too high, never too low. Empty if nobody knows,
   * since all its counters stick. Writer only.
   *
   * <p>All its copies that are not in the table of frequent elements are in the first segment that
   * answers positive.
   */
  public OptionalLong count(long element) {
    Link first = firstPositive(element);
    if (first == null) {
      return OptionalLong.of(0);
    }
    long counted = first.filter.countMixed(BitMixer.mix(element));
    return counted == Long.MAX_VALUE
        ? OptionalLong.empty()
        : OptionalLong.of(counted + heavy.copiesOf(element));
  }

  @Override
  public void insert(long element) {
    if (heavy.addCopy(element)) {
      return;
    }
    if (countUp(element) >= HEAVY_FROM) {
      heavy.track(element);
    }
  }

  /** Counts an element up in the chain, whether it is tracked or not; its lowest counter then. */
  int countUp(long element) {
    Link last = last();
    boolean full = last.filter.isFull();
    // With room in the last segment it makes no difference whether that answers positive.
    Link target = firstPositive(element, full ? chain.length : chain.length - 1);
    if (target == null) {
      target = full ? grow(geometry.elementsToAdd(estimatedElements())).orElse(last) : last;
    }
    return target.filter.insert(element, target.id, listener);
  }

  @Override
  public boolean delete(long element) {
    if (heavy.removeCopy(element)) {
      return true;
    }
    Link target = firstPositive(element);
    if (target == null) {
      return false;
    }
    target.filter.delete(element, target.id, listener);
    if (target != last() && target.filter.isEmpty()) {
      drop(target);
    }
    return true;
  }

  /** The bits of all segments as they are now; writer only. */
  public FilterSnapshot snapshot() {
    List<FilterSnapshot.Segment> segments = new ArrayList<>();
    for (Link link : chain) {
      segments.add(
          new FilterSnapshot.Segment(link.id, link.filter.sizeClass(), link.filter.plane()));
    }
    return new FilterSnapshot(segments);
  }

  /** The parameters that sizes and errors of the segments follow. */
  public FilterGeometry geometry() {
    return geometry;
  }

  /** Number of segments. */
  public int segmentCount() {
    return chain.length;
  }

  /** Cells of all segments: the bits of plane that the master holds. */
  public long cells() {
    long cells = 0;
    for (Link link : chain) {
      cells += link.filter.sizeClass().cells();
    }
    return cells;
  }

  /** Bytes of memory in counters and the heavy table. */
  public long bytes() {
    long bytes = heavy.bytes();
    for (Link link : chain) {
      bytes += link.filter.bytes();
    }
    return bytes;
  }

  /** Gives the memory back. The filter must not be written any more; what it answers is void. */
  public void free() {
    for (Link link : chain) {
      link.filter.free();
    }
    heavy.free();
  }

  /** Estimated number of distinct live elements. */
  public double estimatedElements() {
    double elements = 0;
    for (Link link : chain) {
      elements += link.filter.estimatedElements();
    }
    return elements;
  }

  /** The probability that an absent element passes, from the segments' present fill. */
  public double currentError() {
    double negative = 1;
    for (Link link : chain) {
      negative *= 1 - link.filter.currentError();
    }
    return 1 - negative;
  }

  /** Number of counters that are never decremented again. */
  public long stuckCounters() {
    long stuck = 0;
    for (Link link : chain) {
      stuck += link.filter.stuckCounters();
    }
    return stuck;
  }

  /**
   * Whether building the filter anew from the live elements would win back memory, precision or
   * time.
   */
  public Optional<RebuildReason> rebuildPays() {
    long cells = cells();
    if (cells > SPARSE_FACTOR * geometry.cellsFor(elementsToRebuildFor())) {
      return Optional.of(RebuildReason.SPARSE);
    }
    if (stuckCounters() > STUCK_SHARE * cells) {
      return Optional.of(RebuildReason.STUCK_COUNTERS);
    }
    if (isOverfull()) {
      return Optional.of(RebuildReason.OVERFULL);
    }
    return chain.length > geometry.segmentsFor(elementsToRebuildFor())
        ? Optional.of(RebuildReason.MANY_SEGMENTS)
        : Optional.empty();
  }

  /** Whether far more absent elements pass than the geometry allows, for want of memory. */
  public boolean isOverfull() {
    return currentError() > OVERFULL_FACTOR * geometry.chainErrorBound();
  }

  /**
   * How many elements a filter that is built anew is to be sized for: those there are, and room.
   */
  public long elementsToRebuildFor() {
    double room = chain.length > 1 ? ROOM_TO_GROW : ROOM;
    return (long) Math.ceil(room * estimatedElements());
  }

  Link[] chain() {
    return chain;
  }

  HeavyTable heavy() {
    return heavy;
  }

  private Link firstPositive(long element) {
    return firstPositive(element, chain.length);
  }

  /** The first of so many segments that answers positive; null if none does. */
  private Link firstPositive(long element, int segments) {
    Link[] links = chain;
    long mixed = BitMixer.mix(element);
    for (int at = 0; at < segments; at++) {
      if (links[at].filter.holdsMixed(mixed)) {
        return links[at];
      }
    }
    return null;
  }

  private Link last() {
    Link[] links = chain;
    return links[links.length - 1];
  }

  /** Adds a segment for so many elements; empty if there is no memory for it. */
  private Optional<Link> grow(long elements) {
    int level = geometry.smallestLevelFor(elements);
    int ordinal = geometry.shared() ? smallestFreeOrdinal() : 0;
    SizeClass shape = geometry.sizeClass(level, ordinal);
    return SplitCountingBloomFilter.within(memory, shape)
        .map(filter -> append(new Link(nextId, level, ordinal, filter)));
  }

  /** Adds a segment that is made already behind the others. */
  Link append(Link added) {
    nextId = Math.max(nextId, added.id + 1);
    Link[] longer = Arrays.copyOf(chain, chain.length + 1);
    longer[longer.length - 1] = added;
    listener.segmentAdded(added.id, added.filter.sizeClass());
    chain = longer;
    return added;
  }

  private int smallestFreeOrdinal() {
    BitSet used = new BitSet();
    for (Link link : chain) {
      used.set(link.ordinal);
    }
    return used.nextClearBit(0);
  }

  private void drop(Link dropped) {
    chain = Arrays.stream(chain).filter(link -> link != dropped).toArray(Link[]::new);
    listener.segmentDropped(dropped.id);
    dropped.filter.free();
  }
}
