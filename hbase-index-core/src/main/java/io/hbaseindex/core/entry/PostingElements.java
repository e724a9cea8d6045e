/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.hash.ElementHasher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
 * <p>Decimals are hashed without their scale, so that one element stands for all decimals that are
 * the same number; and all cells of such a column that are no decimals share one.
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

  /**
   * A set of columns and how it is hashed.
   *
   * @param types of its columns
   * @param stretch whether keys hold what is hashed in one stretch, and as it is
   */
  private record HashedSet(
      RouteSet columns, List<ValueType> types, boolean stretch, long space, ElementHasher hasher) {
    static HashedSet of(RouteSet set, IndexDefinition index, long seed) {
      List<ValueType> types =
          IntStream.range(0, set.width()).filter(set::has).mapToObj(index.types()::get).toList();
      boolean stretch = set.isLeading() && !types.contains(ValueType.DECIMAL);
      long space = set.space(index.id());
      return new HashedSet(set, types, stretch, space, ElementHasher.of(seed, space));
    }
  }

  private final List<ValueType> types;
  private final List<HashedSet> sets;

  private PostingElements(List<ValueType> types, List<HashedSet> sets) {
    this.types = types;
    this.sets = sets;
  }

  /**
   * The elements of one index.
   *
   * @param seed the seed of the table's hashes
   */
  public static PostingElements of(long seed, IndexDefinition index) {
    return new PostingElements(
        index.types(), index.routes().stream().map(set -> HashedSet.of(set, index, seed)).toList());
  }

  /**
   * The element of a combination of values.
   *
   * @param set one of the index's {@linkplain IndexDefinition#routes routes}
   * @param cells one per column of the set; with all columns of the index, null where a row lacks
   *     one
   */
  public long ofValues(RouteSet set, List<byte[]> cells) {
    return ofForms(set, PostingForm.of(hashed(set).types, cells));
  }

  /**
   * As {@link #ofValues}, with values in their {@link PostingForm}; of decimals the {@linkplain
   * DecimalForm#numberOf number} will do.
   */
  public long ofForms(RouteSet set, List<byte[]> forms) {
    HashedSet hashed = hashed(set);
    List<byte[]> values = new ArrayList<>(forms.size());
    int length = 0;
    for (int i = 0; i < forms.size(); i++) {
      byte[] value = hashedForm(hashed.types.get(i), forms.get(i));
      length += ValueCodec.encodedLength(value);
      values.add(value);
    }
    byte[] encoded = new byte[length];
    int at = 0;
    for (byte[] value : values) {
      at = ValueCodec.write(value, encoded, at);
    }
    return hashed.hasher.hash(encoded);
  }

  private static byte[] hashedForm(ValueType type, byte[] form) {
    if (type != ValueType.DECIMAL || form == null) {
      return form;
    }
    return form.length > 0 && form[0] == PostingForm.OTHER
        ? new byte[] {PostingForm.OTHER}
        : DecimalForm.numberIn(form);
  }

  private HashedSet hashed(RouteSet set) {
    for (HashedSet hashed : sets) {
      if (hashed.columns.equals(set)) {
        return hashed;
      }
    }
    throw new IllegalArgumentException("Cannot hash the values of " + set + ": it is no route");
  }

  /** Gives a sink all elements of a posting, from its key. */
  public void ofKey(IndexRowKeys keys, byte[] indexRow, Sink sink) {
    int width = types.size();
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

  private long hash(HashedSet set, byte[] indexRow, int start, int[] ends) {
    if (set.stretch) {
      return set.hasher.hash(indexRow, start, ends[set.types.size() - 1] - start);
    }
    // Decimals without their scale take less than in the key, so there is room for all.
    byte[] joined = new byte[ends[ends.length - 1] - start];
    int at = 0;
    for (int column = 0; column < ends.length; column++) {
      if (set.columns.has(column)) {
        int from = column == 0 ? start : ends[column - 1];
        at = copyHashed(types.get(column), indexRow, from, ends[column], joined, at);
      }
    }
    return set.hasher.hash(joined, 0, at);
  }

  /**
   * Copies what is hashed of the value that a key holds; returns where the next byte goes. Only
   * decimals are read and written anew: of a long value the key has no more than its encoding.
   */
  private static int copyHashed(
      ValueType type, byte[] key, int from, int end, byte[] target, int at) {
    if (type == ValueType.DECIMAL) {
      return ValueCodec.write(hashedForm(type, ValueCodec.read(key, from, end)), target, at);
    }
    System.arraycopy(key, from, target, at, end - from);
    return at + end - from;
  }
}
