/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import io.hbaseindex.seeds.timecount.filter.CountAccumulator;
import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.ElementPositions;
import io.hbaseindex.seeds.timecount.filter.MbfHashing;
import io.hbaseindex.seeds.timecount.filter.MultiBloomFilter;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import io.hbaseindex.seeds.timecount.store.MbfHeader;
import io.hbaseindex.seeds.timecount.store.MbfStore;
import io.hbaseindex.seeds.timecount.store.MbfTable;
import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Records the events of a stream and counts, for any element and any span of the past, its events:
 * never too few of those that were recorded, and rarely more than the answer's bound too many.
 *
 * <p>Bounded memory, unbounded past: events go into windows, windows into groups below a bit
 * vector, closed groups into a store. Old groups can be made coarser, joined or dropped, each by
 * its own method, when the caller says so. See {@link MultiBloomFilter} for the structure and
 * docs/SEEDS.md for its measurements.
 *
 * <p>Events in open filters are in memory alone: {@link #flush} before letting go of a history. A
 * history is used by one thread at a time.
 */
@InterfaceAudience.Private
public final class StreamHistory implements TimeCounter {
  /** Times lie within plus and minus this, so that no sum of two overflows. */
  public static final long MAX_TIME = 1L << 60;

  private final MbfHashing hashing;
  private final OpenFilters open;
  private final MbfTable table;
  private final int counterHashes;
  private long lateEvents;

  private StreamHistory(HistorySettings settings, MbfTable table) {
    this.hashing = new MbfHashing(settings.parameters(), settings.seed());
    this.counterHashes = settings.parameters().counterHashes();
    this.table = table;
    long newest = table.entries().stream().mapToLong(e -> e.span().last()).max().orElse(-MAX_TIME);
    this.open = new OpenFilters(settings.parameters(), settings.windowing(), newest, table::add);
  }

  /**
   * Opens the history that a store holds, or an empty one.
   *
   * @throws IOException if the store cannot be read, holds damaged filters, or filters of another
   *     seed or shape
   */
  public static StreamHistory open(HistorySettings settings, MbfStore store) throws IOException {
    return new StreamHistory(
        settings,
        MbfTable.open(
            store,
            settings.parameters(),
            settings.seed(),
            settings.maxFilters(),
            settings.cacheBytes()));
  }

  /**
   * Records an event.
   *
   * @return false if the event came too late for its window and was not recorded, see {@link
   *     Windowing}
   * @throws IOException if a closed filter could not be stored; the event is then not recorded and
   *     the call can be repeated
   */
  public boolean record(byte[] element, long time) throws IOException {
    if (time < -MAX_TIME || time > MAX_TIME) {
      throw new IllegalArgumentException(
          "Cannot record an event: its time was " + time + "; it must lie between -2^60 and 2^60");
    }
    boolean recorded = open.record(hashing.positionsOf(element), time);
    if (!recorded) {
      lateEvents++;
    }
    return recorded;
  }

  @Override
  public CountEstimate count(byte[] element, TimeSpan span, double risk) throws IOException {
    ElementPositions positions = hashing.positionsOf(element);
    long windows = table.windowsIn(span);
    for (MultiBloomFilter filter : open.filters()) {
      windows += filter.windows().size();
    }
    CountAccumulator answer = new CountAccumulator(span, risk, counterHashes, windows);
    table.count(positions, answer);
    for (MultiBloomFilter filter : open.filters()) {
      filter.count(positions, answer);
    }
    return answer.answer();
  }

  /** Closes and stores all open filters, full or not. Events that follow open new ones. */
  public void flush() throws IOException {
    open.closeAll();
  }

  /**
   * Halves the windows of every stored filter that ends before {@code time}: coarser in time, half
   * the room, larger errors.
   *
   * @return the number of filters that changed
   */
  public int mergeWindowsBefore(long time) throws IOException {
    return table.mergeWindowsBefore(time);
  }

  /**
   * Joins pairs of successive stored filters that end before {@code time} below one bit vector:
   * saves a bit vector, and lets more absent elements through to the windows.
   *
   * @return the number of pairs joined
   */
  public int mergeFiltersBefore(long time) throws IOException {
    return table.mergeFiltersBefore(time);
  }

  /**
   * Forgets every stored filter that ends before {@code time}: its events are no longer counted.
   *
   * @return the number of filters dropped
   */
  public int dropBefore(long time) throws IOException {
    return table.dropBefore(time);
  }

  /** Events that came too late and were not recorded, since the history was opened. */
  public long lateEvents() {
    return lateEvents;
  }

  /** Number of filters in the store. */
  public int storedFilters() {
    return table.entries().size();
  }

  /** Windows of the stored filters. */
  public long storedWindows() {
    return table.windowsIn(TimeSpan.ALWAYS);
  }

  /** Bytes of the stored filters. */
  public long storedBytes() {
    return table.entries().stream().mapToLong(MbfHeader::storedBytes).sum();
  }

  /** Bytes of all filters in memory: open ones, and stored ones that are cached. */
  public long memoryBytes() {
    return table.cachedBytes() + open.filters().stream().mapToLong(MultiBloomFilter::bytes).sum();
  }
}
