/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.entry.IndexRowKeys;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * For each index {@linkplain ValuePrefixes prefixes} that cover the value of the first column of
 * every posting: bounds may be wider than the values, never narrower (E4).
 *
 * <p>Values are compared {@linkplain IndexRowKeys#encoded as keys of postings have them}. Of a long
 * one the first {@value ValuePrefixes#LENGTH} bytes count, and stand for all that begin with them.
 *
 * <p>Bounds of postings and bounds of a filter are told apart by what they say of indexes that they
 * do not name: some postings have {@link #NOTHING} of these, a filter may have {@link #EVERYTHING}.
 * So bounds that were never told exclude nothing. Immutable.
 */
@InterfaceAudience.Private
public final class RegionBounds {
  private static final int[] NONE = {};

  /** Bounds of no posting at all. */
  public static final RegionBounds NOTHING =
      new RegionBounds(NONE, new ValuePrefixes[0], ValuePrefixes.NOTHING);

  /** Bounds that exclude no value of any index. */
  public static final RegionBounds EVERYTHING =
      new RegionBounds(NONE, new ValuePrefixes[0], ValuePrefixes.EVERYTHING);

  /** The bounds of one region take so many bytes at most: those of some 200,000 values. */
  public static final long MOST_BYTES = 1 << 20;

  /** The indexes that are named, rising, and what each has: other than {@link #others}. */
  private final int[] indexes;

  private final ValuePrefixes[] prefixes;
  private final ValuePrefixes others;

  private RegionBounds(int[] indexes, ValuePrefixes[] prefixes, ValuePrefixes others) {
    this.indexes = indexes;
    this.prefixes = prefixes;
    this.others = others;
  }

  /**
   * Bounds of some indexes.
   *
   * @param named by the id of the index
   * @param ofOthers whether other indexes may have any value; if not, they have none
   */
  public static RegionBounds of(Map<Integer, ValuePrefixes> named, boolean ofOthers) {
    TreeMap<Integer, ValuePrefixes> rising = new TreeMap<>(named);
    return of(
        rising.keySet().stream().mapToInt(Integer::intValue).toArray(),
        rising.values().toArray(ValuePrefixes[]::new),
        ofOthers);
  }

  /** Takes the arrays; what is as that of indexes without a name needs none. */
  private static RegionBounds of(int[] indexes, ValuePrefixes[] prefixes, boolean ofOthers) {
    ValuePrefixes others = ofOthers ? ValuePrefixes.EVERYTHING : ValuePrefixes.NOTHING;
    int kept = 0;
    for (int at = 0; at < indexes.length; at++) {
      if (!prefixes[at].equals(others)) {
        indexes[kept] = indexes[at];
        prefixes[kept++] = prefixes[at];
      }
    }
    if (kept == 0) {
      return ofOthers ? EVERYTHING : NOTHING;
    }
    return kept == indexes.length
        ? new RegionBounds(indexes, prefixes, others)
        : new RegionBounds(Arrays.copyOf(indexes, kept), Arrays.copyOf(prefixes, kept), others);
  }

  /** The values of some postings, by the id of their index, as their keys have them. */
  public static RegionBounds ofValues(Map<Integer, ? extends Collection<byte[]>> values) {
    Map<Integer, ValuePrefixes> whole = new TreeMap<>();
    values.forEach((index, some) -> whole.put(index, ValuePrefixes.whole(some)));
    return of(whole, false);
  }

  /** What covers the values of an index. */
  public ValuePrefixes of(int indexId) {
    int at = Arrays.binarySearch(indexes, indexId);
    return at < 0 ? others : prefixes[at];
  }

  /** The indexes that are named. */
  public SortedMap<Integer, ValuePrefixes> named() {
    SortedMap<Integer, ValuePrefixes> named = new TreeMap<>();
    for (int at = 0; at < indexes.length; at++) {
      named.put(indexes[at], prefixes[at]);
    }
    return Collections.unmodifiableSortedMap(named);
  }

  /** Whether no index may have any value. */
  public boolean isNothing() {
    return indexes.length == 0 && others.isEmpty();
  }

  /** Whether indexes that are not named may have any value. */
  public boolean anyOfOthers() {
    return !others.isEmpty();
  }

  /** Bounds that have all values of both. */
  public RegionBounds union(RegionBounds other) {
    return other.isNothing() ? this : combined(other, ValuePrefixes::union);
  }

  /**
   * These bounds made wider so that they have some values. They take about so many bytes at most;
   * half as many when they had to be made coarser for it.
   */
  public RegionBounds with(RegionBounds values, long most) {
    RegionBounds wider = union(lacking(values));
    return wider.bytes() <= most ? wider : wider.bounded(most / 2);
  }

  /** What these have to be made wider by so that they have some values, rounded outward. */
  public RegionBounds lacking(RegionBounds values) {
    return combined(values, ValuePrefixes::lacking);
  }

  /** The part of other bounds that is not within these. */
  public RegionBounds uncovered(RegionBounds other) {
    return combined(other, ValuePrefixes::uncovered);
  }

  private RegionBounds combined(RegionBounds other, BinaryOperator<ValuePrefixes> operator) {
    int[] all = new int[indexes.length + other.indexes.length];
    ValuePrefixes[] each = new ValuePrefixes[all.length];
    int count = 0;
    int own = 0;
    int its = 0;
    while (own < indexes.length || its < other.indexes.length) {
      boolean isOwn =
          its == other.indexes.length || own < indexes.length && indexes[own] <= other.indexes[its];
      boolean isIts =
          own == indexes.length || its < other.indexes.length && other.indexes[its] <= indexes[own];
      all[count] = isOwn ? indexes[own] : other.indexes[its];
      each[count++] =
          operator.apply(
              isOwn ? prefixes[own++] : others, isIts ? other.prefixes[its++] : other.others);
    }
    return of(
        Arrays.copyOf(all, count),
        Arrays.copyOf(each, count),
        !operator.apply(others, other.others).isEmpty());
  }

  /** Bounds that have all values of these, and take about so many bytes at most. */
  public RegionBounds bounded(long most) {
    if (bytes() <= most) {
      return this;
    }
    long each = most / indexes.length;
    ValuePrefixes[] fewer = prefixes.clone();
    Arrays.setAll(fewer, at -> prefixes[at].bounded(each));
    return of(indexes.clone(), fewer, anyOfOthers());
  }

  /** These bounds for the indexes that are named here; of others nothing is said any more. */
  public RegionBounds ofAll(Iterable<Integer> indexIds) {
    Map<Integer, ValuePrefixes> told = new TreeMap<>();
    indexIds.forEach(index -> told.put(index, of(index)));
    return of(told, true);
  }

  /** Bytes of memory that they take, and about as many when they are sent. */
  public long bytes() {
    long all = 0;
    for (ValuePrefixes some : prefixes) {
      all += some.bytes();
    }
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RegionBounds that
        && Arrays.equals(indexes, that.indexes)
        && Arrays.equals(prefixes, that.prefixes)
        && others.equals(that.others);
  }

  @Override
  public int hashCode() {
    return 31 * named().hashCode() + others.hashCode();
  }

  @Override
  public String toString() {
    return named() + (anyOfOthers() ? ", others any" : "");
  }
}
