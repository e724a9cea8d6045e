/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.core.hash.ElementHasher;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The elements that filters hold for the postings of one index, whatever the row: one for each set
 * of columns that scans are routed by.
 *
 * <p>A posting yields the same list of elements to whoever asks, so that its end takes out of a
 * filter just what its start has put in (E1):
 *
 * <ul>
 *   <li>one for the values of all columns, absent ones included;
 *   <li>one for each smaller set, if the row has all columns of the set. A scan that fixes a column
 *       wants a row that has it.
 * </ul>
 *
 * <p>What is hashed are the values as they stand in the index row key, so that elements can be
 * taken from a posting alone, also where a long value is kept as prefix and hash only. Whoever asks
 * for values and whoever stores them come to the same element.
 *
 * <p>Immutable and safe for use by many threads.
 */
@InterfaceAudience.Private
public final class PostingElements {
  /** Takes the elements of postings. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes one element.
     *
     * @param space the {@linkplain RouteSet#space space} of its set
     */
    void take(long space, long element);
  }

  private record HashedSet(RouteSet columns, long space, ElementHasher hasher) {}

  private final int width;
  private final List<HashedSet> sets;

  private PostingElements(int width, List<HashedSet> sets) {
    this.width = width;
    this.sets = sets;
  }

  /**
   * The elements of one index.
   *
   * @param seed the seed of the table's hashes
   */
  public static PostingElements of(long seed, IndexDefinition index) {
    return new PostingElements(
        index.columns().size(),
        index.routes().stream()
            .map(
                set -> {
                  long space = set.space(index.id());
                  return new HashedSet(set, space, ElementHasher.of(seed, space));
                })
            .toList());
  }

  /**
   * The element of a combination of values.
   *
   * @param set one of the index's {@linkplain IndexDefinition#routes routes}
   * @param values one per column of the set; with all columns of the index, null where a row lacks
   *     one
   */
  public long ofValues(RouteSet set, List<byte[]> values) {
    int length = 0;
    for (byte[] value : values) {
      length += ValueCodec.encodedLength(value);
    }
    byte[] encoded = new byte[length];
    int at = 0;
    for (byte[] value : values) {
      at = ValueCodec.write(value, encoded, at);
    }
    return hasherOf(set).hash(encoded);
  }

  private ElementHasher hasherOf(RouteSet set) {
    for (HashedSet hashed : sets) {
      if (hashed.columns.equals(set)) {
        return hashed.hasher;
      }
    }
    throw new IllegalArgumentException("Cannot hash the values of " + set + ": it is no route");
  }

  /** Gives a sink all elements of a posting, from its key. */
  public void ofKey(IndexRowKeys keys, byte[] indexRow, Sink sink) {
    int[] ends = keys.valueEnds(indexRow, width);
    int start = keys.valuesOffset(indexRow, 0);
    int absent = 0;
    for (int column = 1; column < width; column++) {
      absent |= ValueCodec.isAbsent(indexRow, ends[column - 1]) ? 1 << column : 0;
    }
    for (HashedSet set : sets) {
      RouteSet columns = set.columns;
      if (columns.isWhole() || (columns.mask() & absent) == 0) {
        sink.take(set.space, hash(set, indexRow, start, ends));
      }
    }
  }

  private static long hash(HashedSet set, byte[] indexRow, int start, int[] ends) {
    int count = Integer.bitCount(set.columns.mask());
    if (set.columns.isLeading()) {
      return set.hasher.hash(indexRow, start, ends[count - 1] - start);
    }
    byte[] joined = new byte[ends[ends.length - 1] - start];
    int at = 0;
    for (int column = 0; column < ends.length; column++) {
      if (set.columns.has(column)) {
        int from = column == 0 ? start : ends[column - 1];
        System.arraycopy(indexRow, from, joined, at, ends[column] - from);
        at += ends[column] - from;
      }
    }
    return set.hasher.hash(joined, 0, at);
  }
}
