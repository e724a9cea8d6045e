/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import io.hbaseindex.seeds.timecount.filter.CountAccumulator;
import io.hbaseindex.seeds.timecount.filter.ElementPositions;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.MultiBloomFilter;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The closed filters of a history, by time (the paper's MBF_Table): each is in the store from the
 * moment it is added, and perhaps also in memory.
 *
 * <p>Only the headers are held for all filters, so finding those of a time span reads nothing. A
 * merge writes its result before it deletes what it replaces; what a crash leaves of the latter is
 * recognised by its {@link MbfId} and deleted when the table is opened again.
 *
 * <p>At {@code maxFilters} filters no more are added, with an error that says so: drop or merge old
 * ones.
 */
@InterfaceAudience.Private
public final class MbfTable {
  private final MbfStore store;
  private final MbfParameters parameters;
  private final long seed;
  private final int maxFilters;
  private final FilterCache cache;
  private final TreeMap<MbfId, MbfHeader> entries = new TreeMap<>();

  /** Filters that a merge has replaced and that may still be in the store. */
  private final Set<MbfId> leftovers = new HashSet<>();

  private long nextGroup;

  private MbfTable(
      MbfStore store, MbfParameters parameters, long seed, int maxFilters, long cacheBytes) {
    this.store = store;
    this.parameters = parameters;
    this.seed = seed;
    this.maxFilters = maxFilters;
    this.cache = new FilterCache(cacheBytes);
  }

  /** The table of what a store holds. */
  public static MbfTable open(
      MbfStore store, MbfParameters parameters, long seed, int maxFilters, long cacheBytes)
      throws IOException {
    MbfTable table = new MbfTable(store, parameters, seed, maxFilters, cacheBytes);
    for (MbfId id : table.withoutLeftovers(store.list())) {
      table.entries.put(id, table.readHeader(id));
      table.nextGroup = id.last() + 1;
    }
    return table;
  }

  /** Deletes filters that a merge has replaced; the others must not share a group. */
  private List<MbfId> withoutLeftovers(List<MbfId> stored) throws IOException {
    // By first group and widest first: what replaces a filter comes before it.
    List<MbfId> inOrder = new ArrayList<>(stored);
    inOrder.sort(
        Comparator.comparingLong(MbfId::first)
            .thenComparing(Comparator.comparingLong(MbfId::last).reversed()));
    List<MbfId> current = new ArrayList<>();
    for (MbfId id : inOrder) {
      MbfId before = current.isEmpty() ? null : current.get(current.size() - 1);
      if (before == null || !before.overlaps(id)) {
        current.add(id);
      } else if (before.contains(id)) {
        store.delete(id);
      } else {
        throw new CorruptMbfException(id, "filter " + before + " stands for some of its groups");
      }
    }
    return current;
  }

  private MbfHeader readHeader(MbfId id) throws IOException {
    MbfHeader header;
    try (InputStream in = store.read(id)) {
      header = MbfCodec.readHeader(id, in);
    }
    if (header.seed() != seed || !header.parameters().sharesPositionsWith(parameters)) {
      throw new IOException(
          "Cannot open stored filter "
              + id
              + ": it was written with another hash seed or shape, "
              + header.parameters()
              + "; open it with the settings it was written with");
    }
    return header;
  }

  /** Stores a filter that gets no more events. */
  public void add(MultiBloomFilter filter) throws IOException {
    if (entries.size() >= maxFilters) {
      throw new IOException(
          "Cannot close a filter: the table holds "
              + entries.size()
              + " of at most "
              + maxFilters
              + " filters; merge or drop old ones");
    }
    put(MbfId.of(nextGroup), filter);
    nextGroup++;
  }

  /** Number of windows that {@link #count} may look at. */
  public long windowsIn(TimeSpan span) {
    return entries.values().stream()
        .filter(entry -> entry.span().overlaps(span))
        .mapToLong(MbfHeader::windows)
        .sum();
  }

  /** Adds the share of all filters of the accumulator's span to its count. */
  public void count(ElementPositions element, CountAccumulator answer) throws IOException {
    for (MbfHeader entry : entries.values()) {
      if (entry.span().overlaps(answer.asked())) {
        load(entry.id()).count(element, answer);
      }
    }
  }

  /**
   * Adds up neighbouring windows in each filter that ends before {@code time}.
   *
   * @return the number of filters that changed
   */
  public int mergeWindowsBefore(long time) throws IOException {
    int changed = 0;
    for (MbfHeader entry : before(time)) {
      MultiBloomFilter merged = load(entry.id()).withMergedNeighbours();
      if (merged.windows().size() < entry.windows()) {
        put(entry.id(), merged);
        changed++;
      }
    }
    return changed;
  }

  /**
   * Joins pairs of successive filters that end before {@code time}. A pair that would exceed {@link
   * MbfParameters#MAX_WINDOWS} or {@link MbfParameters#MAX_FILTER_BYTES} is left as it is, and so
   * is one with a filter between them that does not end before {@code time}.
   *
   * @return the number of pairs joined
   */
  public int mergeFiltersBefore(long time) throws IOException {
    deleteLeftovers();
    int joined = 0;
    MbfHeader waiting = null;
    for (MbfHeader entry : before(time)) {
      if (waiting != null && areNeighbours(waiting, entry) && fitTogether(waiting, entry)) {
        join(waiting.id(), entry.id());
        joined++;
        waiting = null;
      } else {
        waiting = entry;
      }
    }
    return joined;
  }

  /**
   * Forgets all filters that end before {@code time}.
   *
   * @return the number of filters dropped
   */
  public int dropBefore(long time) throws IOException {
    // First: without the filter that replaced them they would be taken for filters in use.
    deleteLeftovers();
    List<MbfHeader> old = before(time);
    for (MbfHeader entry : old) {
      store.delete(entry.id());
      cache.remove(entry.id());
      entries.remove(entry.id());
    }
    return old.size();
  }

  public Collection<MbfHeader> entries() {
    return entries.values();
  }

  public long cachedBytes() {
    return cache.bytes();
  }

  private List<MbfHeader> before(long time) {
    return entries.values().stream().filter(entry -> entry.span().endsBefore(time)).toList();
  }

  /** Whether a filter made of both would stand for these two and for nobody else. */
  private boolean areNeighbours(MbfHeader one, MbfHeader next) {
    return entries.higherKey(one.id()).equals(next.id());
  }

  private static boolean fitTogether(MbfHeader one, MbfHeader other) {
    return one.windows() + other.windows() <= MbfParameters.MAX_WINDOWS
        && (long) one.contentBytes() + other.contentBytes() <= MbfParameters.MAX_FILTER_BYTES;
  }

  private void join(MbfId one, MbfId other) throws IOException {
    put(one.through(other), load(one).mergedWith(load(other)));
    for (MbfId replaced : List.of(one, other)) {
      entries.remove(replaced);
      cache.remove(replaced);
      leftovers.add(replaced);
    }
    deleteLeftovers();
  }

  /** A failure leaves files nobody reads; the next merge, drop or opening deletes them. */
  private void deleteLeftovers() throws IOException {
    for (Iterator<MbfId> each = leftovers.iterator(); each.hasNext(); ) {
      store.delete(each.next());
      each.remove();
    }
  }

  private void put(MbfId id, MultiBloomFilter filter) throws IOException {
    MbfHeader header = MbfCodec.headerOf(id, seed, filter);
    store.write(id, out -> MbfCodec.write(header, filter, out));
    entries.put(id, header);
    cache.put(id, filter);
  }

  private MultiBloomFilter load(MbfId id) throws IOException {
    MultiBloomFilter filter = cache.get(id);
    if (filter == null) {
      try (InputStream in = store.read(id)) {
        filter = MbfCodec.read(id, in);
      }
      cache.put(id, filter);
    }
    return filter;
  }
}
