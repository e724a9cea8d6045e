/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.core.predicate.FormRanges;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.UsableIndexes;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A part of an index whose postings lie in the order of a column: the condition fixes all columns
 * before it.
 *
 * @param leading the values of the columns before it, in their {@link PostingForm}
 * @param range the forms of the column's values that rows may have, and maybe others
 */
@InterfaceAudience.Private
public record OrderedAccess(IndexDefinition index, List<byte[]> leading, ValueRange range) {

  private static final Comparator<OrderedAccess> NARROWEST_FIRST =
      Comparator.comparing((OrderedAccess access) -> access.leading().size())
          .reversed()
          .thenComparing(OrderedAccess::hasFurtherColumns);

  /**
   * The narrowest part of an index that has the order and all rows that meet a condition; of two
   * alike the one of the index that is named first.
   *
   * @param condition which rows without the column do not meet
   */
  public static Optional<OrderedAccess> of(
      RowOrder order, RowPredicate condition, Collection<IndexDefinition> indexes) {
    Map<ColumnRef, ValueRange> ranges = new HashMap<>();
    List<RowPredicate> parts =
        condition instanceof RowPredicate.All all ? all.parts() : List.of(condition);
    for (RowPredicate part : parts) {
      // What is said of numbers is asked of the rows.
      if (part instanceof RowPredicate.Column one && one.order() == ValueType.BYTES) {
        ranges.merge(one.column(), one.range(), ValueRange::intersect);
      }
    }
    if (!ranges.containsKey(order.column())
        || ranges.values().stream().anyMatch(ValueRange::isEmpty)) {
      return Optional.empty();
    }
    // Sorting keeps the order of those that are alike.
    return UsableIndexes.of(indexes).in(condition).list().stream()
        .flatMap(index -> of(order, ranges, index).stream())
        .sorted(NARROWEST_FIRST)
        .findFirst();
  }

  private static Optional<OrderedAccess> of(
      RowOrder order, Map<ColumnRef, ValueRange> ranges, IndexDefinition index) {
    List<byte[]> leading = new ArrayList<>();
    for (ColumnRef next : index.columns()) {
      ValueRange range = ranges.get(next);
      ValueType type = index.types().get(leading.size());
      if (next.equals(order.column())) {
        return isInOrder(type, order.type())
            ? Optional.of(new OrderedAccess(index, leading, forms(type, range)))
            : Optional.empty();
      }
      if (range == null || !range.isSingleValue()) {
        return Optional.empty();
      }
      leading.add(PostingForm.of(type, range.lower()));
    }
    return Optional.empty();
  }

  /** Whether postings of one type lie in the order of another. */
  private static boolean isInOrder(ValueType stored, ValueType wanted) {
    boolean bytes =
        stored.encoding() == ValueType.Encoding.AS_IT_IS
            && wanted.encoding() == ValueType.Encoding.AS_IT_IS;
    return bytes || stored == wanted;
  }

  /** From the lowest form of a range of cells to the highest. */
  private static ValueRange forms(ValueType type, ValueRange cells) {
    List<ValueRange> ranges =
        FormRanges.of(type, cells)
            .or(() -> FormRanges.of(type, ValueRange.atLeast(new byte[0])))
            .orElseThrow();
    return ValueRange.from(ranges.get(0).lower(), ranges.get(ranges.size() - 1).upper());
  }

  /** A cell of the column in the form that postings hold. */
  public byte[] formOf(byte[] cell) {
    return PostingForm.of(index.types().get(position()), cell);
  }

  /** Which of the index's columns has the order, from 0 on. */
  public int position() {
    return leading.size();
  }

  /** Whether postings of one value are in the order of further columns, and not of rows. */
  public boolean hasFurtherColumns() {
    return index.columns().size() > position() + 1;
  }

  /** The same postings in whatever order. */
  public AccessPlan unordered() {
    return new AccessPlan.Sweep(index, List.of(new AccessPlan.Slice(leading, Optional.of(range))));
  }
}
