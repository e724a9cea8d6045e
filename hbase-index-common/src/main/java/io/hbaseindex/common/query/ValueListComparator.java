/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.predicate.ValueSet;
import java.nio.BufferUnderflowException;
import java.util.Collection;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A comparator that is equal to each value of a list, and takes the same time however long that is.
 * In a {@code SingleColumnValueFilter} with {@code EQUAL} it asks whether a column is in the list:
 *
 * <pre>{@code
 * new SingleColumnValueFilter(F, CITY, CompareOperator.EQUAL, ValueListComparator.of(cities));
 * }</pre>
 *
 * <p>Region servers need the jar of hbase-index to know it, whether the table has an index or not.
 */
@InterfaceAudience.Public
public final class ValueListComparator extends ByteArrayComparable {
  private final ValueSet values;

  private ValueListComparator(ValueSet values) {
    super(values.encode());
    this.values = values;
  }

  /**
   * A comparator for these values.
   *
   * @throws IllegalArgumentException if there are none, or if they take more than 64 MB, with 16
   *     bytes for each beside its own
   */
  public static ValueListComparator of(Collection<byte[]> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot compare with a list of values: it was empty; give at least one");
    }
    ValueSet set = ValueSet.of(values);
    if (!set.isSendable()) {
      throw new IllegalArgumentException(
          "Cannot compare with a list of %d values: they took more than %d bytes; use several scans"
              .formatted(set.size(), ValueSet.MOST_BYTES));
    }
    return new ValueListComparator(set);
  }

  /** The values. */
  @InterfaceAudience.Private
  ValueSet values() {
    return values;
  }

  /** The list as bytes. */
  @Override
  public byte[] toByteArray() {
    return getValue();
  }

  /** Reads what {@link #toByteArray} has written; HBase calls it. */
  public static ValueListComparator parseFrom(byte[] bytes) throws DeserializationException {
    try {
      return new ValueListComparator(ValueSet.parse(bytes));
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new DeserializationException(e);
    }
  }

  /** 0 for each value of the list, and 1 for all others. */
  @Override
  public int compareTo(byte[] value, int offset, int length) {
    return values.contains(value, offset, length) ? 0 : 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueListComparator that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }
}
