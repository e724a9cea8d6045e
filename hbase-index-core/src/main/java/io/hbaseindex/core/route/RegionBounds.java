/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.entry.IndexRowKeys;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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
  /** Bounds of no posting at all. */
  public static final RegionBounds NOTHING = new RegionBounds(Map.of(), ValuePrefixes.NOTHING);

  /** Bounds that exclude no value of any index. */
  public static final RegionBounds EVERYTHING =
      new RegionBounds(Map.of(), ValuePrefixes.EVERYTHING);

  /** The bounds of one region take so many bytes at most: those of some 200,000 values. */
  public static final long MOST_BYTES = 1 << 20;

  private final Map<Integer, ValuePrefixes> named;
  private final ValuePrefixes others;

  private RegionBounds(Map<Integer, ValuePrefixes> named, ValuePrefixes others) {
    this.named = named;
    this.others = others;
  }

  /**
   * Bounds of some indexes.
   *
   * @param named by the id of the index
   * @param ofOthers whether other indexes may have any value; if not, they have none
   */
  public static RegionBounds of(Map<Integer, ValuePrefixes> named, boolean ofOthers) {
    ValuePrefixes others = ofOthers ? ValuePrefixes.EVERYTHING : ValuePrefixes.NOTHING;
    Map<Integer, ValuePrefixes> told = new TreeMap<>(named);
    told.values().removeIf(others::equals);
    return new RegionBounds(told, others);
  }

  /** The values of some postings, by the id of their index, as their keys have them. */
  public static RegionBounds ofValues(Map<Integer, ? extends Collection<byte[]>> values) {
    Map<Integer, ValuePrefixes> whole = new TreeMap<>();
    values.forEach((index, some) -> whole.put(index, ValuePrefixes.whole(some)));
    return of(whole, false);
  }

  /** What covers the values of an index. */
  public ValuePrefixes of(int indexId) {
    return named.getOrDefault(indexId, others);
  }

  /** The indexes that are named. */
  public Map<Integer, ValuePrefixes> named() {
    return Map.copyOf(named);
  }

  /** Whether indexes that are not named may have any value. */
  public boolean anyOfOthers() {
    return !others.isEmpty();
  }

  /** Bounds that have all values of both. */
  public RegionBounds union(RegionBounds other) {
    return other.equals(NOTHING) ? this : combined(other, ValuePrefixes::union);
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
    TreeSet<Integer> indexes = new TreeSet<>(named.keySet());
    indexes.addAll(other.named.keySet());
    Map<Integer, ValuePrefixes> each = new TreeMap<>();
    indexes.forEach(index -> each.put(index, operator.apply(of(index), other.of(index))));
    return of(each, !operator.apply(others, other.others).isEmpty());
  }

  /** Bounds that have all values of these, and take about so many bytes at most. */
  public RegionBounds bounded(long most) {
    if (bytes() <= most) {
      return this;
    }
    long each = most / named.size();
    Map<Integer, ValuePrefixes> fewer = new TreeMap<>();
    named.forEach((index, prefixes) -> fewer.put(index, prefixes.bounded(each)));
    return of(fewer, anyOfOthers());
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
    for (ValuePrefixes prefixes : named.values()) {
      all += prefixes.bytes();
    }
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RegionBounds that
        && named.equals(that.named)
        && others.equals(that.others);
  }

  @Override
  public int hashCode() {
    return 31 * named.hashCode() + others.hashCode();
  }

  @Override
  public String toString() {
    return named + (anyOfOthers() ? ", others any" : "");
  }
}
