/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.predicate.ValueRange;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * For each index a range that has the value of the first column of every posting: bounds may be
 * wider than the values, never narrower (E4).
 *
 * <p>Values are compared by their {@link io.hbaseindex.core.entry.PostingForm}, as postings are
 * sorted. Of a long value the first {@value #LENGTH} bytes count, and bounds are rounded outward.
 *
 * <p>Bounds of postings and bounds of a filter are told apart by what they say of indexes that they
 * do not name: some postings have {@link #NOTHING} of these, a filter may have {@link #EVERYTHING}.
 * So bounds that were never told exclude nothing. Immutable.
 */
@InterfaceAudience.Private
public final class RegionBounds {
  /** A time of day with its date as text has room in it, and so have all numbers. */
  public static final int LENGTH = 32;

  /** Bounds of no posting at all. */
  public static final RegionBounds NOTHING = new RegionBounds(Map.of(), ValueRange.nothing());

  /** Bounds that exclude no value of any index. */
  public static final RegionBounds EVERYTHING = new RegionBounds(Map.of(), ValueRange.everything());

  private final Map<Integer, ValueRange> named;
  private final ValueRange others;

  private RegionBounds(Map<Integer, ValueRange> named, ValueRange others) {
    this.named = named;
    this.others = others;
  }

  /**
   * Bounds of some indexes.
   *
   * @param named by the id of the index; rounded outward where they are too long
   * @param ofOthers whether other indexes may have any value; if not, they have none
   */
  public static RegionBounds of(Map<Integer, ValueRange> named, boolean ofOthers) {
    ValueRange others = ofOthers ? ValueRange.everything() : ValueRange.nothing();
    Map<Integer, ValueRange> told = new TreeMap<>();
    named.forEach(
        (index, range) -> {
          ValueRange rounded = range.isEmpty() ? ValueRange.nothing() : range.roundedOut(LENGTH);
          if (!rounded.equals(others)) {
            told.put(index, rounded);
          }
        });
    return new RegionBounds(told, others);
  }

  /** What the values of an index lie in. */
  public ValueRange of(int indexId) {
    return named.getOrDefault(indexId, others);
  }

  /** The indexes that are named. */
  public Map<Integer, ValueRange> named() {
    return Map.copyOf(named);
  }

  /** Whether indexes that are not named may have any value. */
  public boolean anyOfOthers() {
    return !others.isEmpty();
  }

  /** The narrowest bounds that have all values of both. */
  public RegionBounds hull(RegionBounds other) {
    if (other.equals(NOTHING) || equals(other)) {
      return this;
    }
    TreeSet<Integer> indexes = new TreeSet<>(named.keySet());
    indexes.addAll(other.named.keySet());
    Map<Integer, ValueRange> wider = new TreeMap<>();
    indexes.forEach(index -> wider.put(index, of(index).hull(other.of(index))));
    return of(wider, anyOfOthers() || other.anyOfOthers());
  }

  /** These bounds for the indexes that are named here; of others nothing is said any more. */
  public RegionBounds ofAll(Iterable<Integer> indexIds) {
    Map<Integer, ValueRange> told = new TreeMap<>();
    indexIds.forEach(index -> told.put(index, of(index)));
    return of(told, true);
  }

  /** These bounds without the indexes that are not wanted. */
  public RegionBounds only(IntPredicate wanted) {
    Map<Integer, ValueRange> told = new TreeMap<>(named);
    told.keySet().removeIf(index -> !wanted.test(index));
    return told.size() == named.size() ? this : of(told, anyOfOthers());
  }

  /** About how many bytes they take when they are sent. */
  public long weight() {
    return 2 + (8L + 2 * LENGTH) * named.size();
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
