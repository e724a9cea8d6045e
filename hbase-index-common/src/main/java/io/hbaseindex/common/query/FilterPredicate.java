/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/**
 * Finds a condition on newest column values that holds for every row a filter lets through.
 *
 * <p>HBase returns a row if at least one of its cells is included and {@code filterRow()} does not
 * then refuse the whole row. A filter enforces a condition in one of these two ways:
 *
 * <ul>
 *   <li><b>by row</b>: {@code filterRow()} refuses every row that fails it. SingleColumnValueFilter
 *       does, if it asks for the latest version and refuses rows without the column. It lets cells
 *       through before it has met its column.
 *   <li><b>by cell</b>: no cell of a failing row is included. ColumnValueFilter does, for families
 *       that keep one version; its {@code filterRow()} refuses nothing.
 * </ul>
 *
 * <p>The two must be kept apart. A list of which all filters must pass enforces all conditions of
 * its members, each in its own way. A list of which one must pass includes a cell if one member
 * does, and refuses a row if all members do: it enforces "one of" only over conditions that every
 * member enforces in the same way. (One SingleColumnValueFilter or one ColumnValueFilter passes
 * rows that meet neither condition: the first includes the cells before its column, the second
 * keeps the row from being refused.)
 *
 * <p>A list hands a cell to its later members only if the earlier ones included it. Beside a filter
 * that can hide a newest cell, a condition therefore speaks of the newest value only where a family
 * keeps a single version; elsewhere such conditions are not used.
 */
final class FilterPredicate {
  private final Function<byte[], Integer> maxVersions;
  private final Function<Filter, FilterTrait> furtherTraits;
  private boolean versionSelective;
  private boolean unknown;
  private boolean exact = true;
  private boolean olderVersions;

  /**
   * @param maxVersions versions a family keeps, null for a family the table does not have
   * @param furtherTraits traits of filters beyond those of the HBase client library
   * @param cellsMayHide whether filters that are not seen here may hide newest cells
   */
  FilterPredicate(
      Function<byte[], Integer> maxVersions,
      Function<Filter, FilterTrait> furtherTraits,
      boolean cellsMayHide) {
    this.maxVersions = maxVersions;
    this.furtherTraits = furtherTraits;
    this.versionSelective = cellsMayHide;
  }

  /** Conditions enforced by row and by cell, either may be absent. */
  private record Enforced(Optional<RowPredicate> byRow, Optional<RowPredicate> byCell) {
    static final Enforced NOTHING = new Enforced(Optional.empty(), Optional.empty());

    Optional<RowPredicate> both() {
      List<RowPredicate> parts = new ArrayList<>();
      byRow.ifPresent(parts::add);
      byCell.ifPresent(parts::add);
      return parts.isEmpty() ? Optional.empty() : Optional.of(RowPredicate.all(parts));
    }
  }

  ScanVerdict judge(Filter filter) {
    survey(filter);
    if (unknown) {
      return new ScanVerdict.Plain(PlainScanReason.UNKNOWN_FILTER);
    }
    Optional<RowPredicate> predicate = enforced(filter).both();
    if (predicate.isPresent()) {
      return new ScanVerdict.Eligible(predicate.get(), exact);
    }
    return new ScanVerdict.Plain(
        olderVersions ? PlainScanReason.OLDER_VERSIONS : PlainScanReason.NO_CONDITION);
  }

  private void survey(Filter filter) {
    if (filter.getClass() == FilterList.class) {
      ((FilterList) filter).getFilters().forEach(this::survey);
      return;
    }
    FilterTrait trait = KnownFilters.traitOf(filter);
    if (trait == FilterTrait.UNKNOWN) {
      trait = furtherTraits.apply(filter);
    }
    unknown |= trait == FilterTrait.UNKNOWN;
    versionSelective |= trait == FilterTrait.VERSION_SELECTIVE;
  }

  private Enforced enforced(Filter filter) {
    if (filter.getClass() == FilterList.class) {
      FilterList list = (FilterList) filter;
      List<Enforced> members = list.getFilters().stream().map(this::enforced).toList();
      return list.getOperator() == FilterList.Operator.MUST_PASS_ALL ? all(members) : any(members);
    }
    Enforced leaf = Enforced.NOTHING;
    if (filter instanceof SingleColumnValueFilter single) {
      leaf = singleColumn(single);
    } else if (filter instanceof ColumnValueFilter column) {
      leaf = columnValue(column);
    }
    exact &= leaf != Enforced.NOTHING;
    return leaf;
  }

  private Enforced all(List<Enforced> members) {
    Optional<RowPredicate> byCell = conjunction(members, Enforced::byCell);
    // No cell belongs to two columns, so such a list may refuse rows that meet every condition.
    exact &= byCell.isEmpty() || members.size() == 1;
    return new Enforced(conjunction(members, Enforced::byRow), byCell);
  }

  private static Optional<RowPredicate> conjunction(
      List<Enforced> members, Function<Enforced, Optional<RowPredicate>> way) {
    List<RowPredicate> parts = members.stream().map(way).flatMap(Optional::stream).toList();
    return parts.isEmpty() ? Optional.empty() : Optional.of(RowPredicate.all(parts));
  }

  private Enforced any(List<Enforced> members) {
    // A list without members lets everything pass, whatever its operator says.
    Enforced merged =
        new Enforced(disjunction(members, Enforced::byRow), disjunction(members, Enforced::byCell));
    exact &= merged.byRow().isPresent() != merged.byCell().isPresent();
    return merged;
  }

  private static Optional<RowPredicate> disjunction(
      List<Enforced> members, Function<Enforced, Optional<RowPredicate>> way) {
    List<RowPredicate> parts = members.stream().map(way).flatMap(Optional::stream).toList();
    boolean everyMember = !members.isEmpty() && parts.size() == members.size();
    return everyMember ? Optional.of(RowPredicate.any(parts)) : Optional.empty();
  }

  private Enforced singleColumn(SingleColumnValueFilter filter) {
    if (!filter.getFilterIfMissing()) {
      return Enforced.NOTHING;
    }
    if (!filter.getLatestVersionOnly()) {
      olderVersions = true;
      return Enforced.NOTHING;
    }
    Optional<RowPredicate> condition =
        condition(
            filter.getFamily(),
            filter.getQualifier(),
            filter.getCompareOperator(),
            filter.getComparator());
    if (condition.isPresent() && versionSelective && maxVersions.apply(filter.getFamily()) != 1) {
      olderVersions = true;
      return Enforced.NOTHING;
    }
    return condition.isPresent() ? new Enforced(condition, Optional.empty()) : Enforced.NOTHING;
  }

  private Enforced columnValue(ColumnValueFilter filter) {
    Optional<RowPredicate> condition =
        condition(
            filter.getFamily(),
            filter.getQualifier(),
            filter.getCompareOperator(),
            filter.getComparator());
    if (condition.isPresent() && maxVersions.apply(filter.getFamily()) != 1) {
      olderVersions = true;
      return Enforced.NOTHING;
    }
    return condition.isPresent() ? new Enforced(Optional.empty(), condition) : Enforced.NOTHING;
  }

  private Optional<RowPredicate> condition(
      byte[] family, byte[] qualifier, CompareOperator operator, ByteArrayComparable comparator) {
    if (family == null || maxVersions.apply(family) == null || IndexFamily.is(family)) {
      return Optional.empty();
    }
    ColumnRef column = ColumnRef.of(family, Objects.requireNonNullElse(qualifier, new byte[0]));
    if (comparator.getClass() == LongComparator.class
        || comparator.getClass() == BigDecimalComparator.class) {
      // HBase fails on cells that are no such numbers, or reads some number out of them.
      exact = false;
      return NumberComparison.of(column, operator, comparator);
    }
    if (comparator instanceof ValueListComparator list) {
      return operator == CompareOperator.EQUAL
          ? Optional.of(anyOf(column, list))
          : Optional.empty();
    }
    return range(operator, comparator).map(range -> new RowPredicate.Column(column, range));
  }

  private static RowPredicate anyOf(ColumnRef column, ValueListComparator list) {
    return RowPredicate.any(
        list.values().values().stream()
            .<RowPredicate>map(value -> new RowPredicate.Column(column, ValueRange.equalTo(value)))
            .toList());
  }

  private static Optional<ValueRange> range(
      CompareOperator operator, ByteArrayComparable comparator) {
    byte[] operand = comparator.getValue();
    if (comparator.getClass() == BinaryComparator.class) {
      return switch (operator) {
        case EQUAL -> Optional.of(ValueRange.equalTo(operand));
        case LESS -> Optional.of(ValueRange.lessThan(operand));
        case LESS_OR_EQUAL -> Optional.of(ValueRange.atMost(operand));
        case GREATER -> Optional.of(ValueRange.greaterThan(operand));
        case GREATER_OR_EQUAL -> Optional.of(ValueRange.atLeast(operand));
        case NOT_EQUAL, NO_OP -> Optional.empty();
      };
    }
    if (comparator.getClass() == BinaryPrefixComparator.class) {
      return switch (operator) {
        case EQUAL -> Optional.of(ValueRange.startingWith(operand));
        case LESS -> Optional.of(ValueRange.lessThan(operand));
        case LESS_OR_EQUAL -> Optional.of(ValueRange.atMostStartingWith(operand));
        case GREATER -> Optional.of(ValueRange.aboveStartingWith(operand));
        case GREATER_OR_EQUAL -> Optional.of(ValueRange.atLeast(operand));
        case NOT_EQUAL, NO_OP -> Optional.empty();
      };
    }
    return Optional.empty();
  }
}
