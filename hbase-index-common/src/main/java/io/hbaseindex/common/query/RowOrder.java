/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The order of rows by the newest value of a column, and of equal values by the rows' keys.
 * Descending is the exact reverse: equal values come by falling keys.
 *
 * @param type what values are compared as, by their {@link PostingForm}; cells that are no values
 *     of the type come behind all that are
 */
@InterfaceAudience.Private
public record RowOrder(ColumnRef column, ValueType type, boolean descending)
    implements Comparator<RowOrder.Place> {

  /** The order byte by byte. */
  public RowOrder(ColumnRef column, boolean descending) {
    this(column, ValueType.BYTES, descending);
  }

  /** Where a row stands: its value and its key. */
  public record Place(byte[] value, byte[] row) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Place that
          && Arrays.equals(value, that.value)
          && Arrays.equals(row, that.row);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(value) + Arrays.hashCode(row);
    }
  }

  @Override
  public int compare(Place first, Place second) {
    int byValue = compareValues(first.value, second.value);
    return byValue != 0 ? byValue : directed(Arrays.compareUnsigned(first.row, second.row));
  }

  /** Compares two values, in the direction of this order. */
  public int compareValues(byte[] first, byte[] second) {
    return directed(
        Arrays.compareUnsigned(PostingForm.of(type, first), PostingForm.of(type, second)));
  }

  private int directed(int ascending) {
    return descending ? -ascending : ascending;
  }

  @Override
  public String toString() {
    return column
        + (type == ValueType.BYTES ? "" : " as " + type.keyword())
        + (descending ? " desc" : "");
  }
}
