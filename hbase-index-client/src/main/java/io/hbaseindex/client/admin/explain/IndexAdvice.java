/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.UsableIndexes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An index that would lead to the rows of a query at once, where those of its table do not.
 *
 * @param columns its columns, in order
 * @param types what the table's indexes, or the query, say of the values of some of them
 */
@InterfaceAudience.Public
public record IndexAdvice(List<ColumnRef> columns, Map<ColumnRef, ValueType> types) {

  /** Copies the list and the map. */
  public IndexAdvice {
    columns = List.copyOf(columns);
    types = Map.copyOf(types);
  }

  /**
   * The index for a conjunction: the columns that it fixes, by a value or a list of values, and
   * behind them one of those for which it has a range.
   *
   * @return empty if an index of the table will do, or if the query is no such conjunction
   */
  static Optional<IndexAdvice> of(RowPredicate query, TableIndexes indexes) {
    Map<ColumnRef, ValueType> orders = new LinkedHashMap<>();
    Set<ColumnRef> fixed = new LinkedHashSet<>();
    for (RowPredicate part : query instanceof RowPredicate.All all ? all.parts() : List.of(query)) {
      List<RowPredicate.Column> alternatives = alternativesOf(part);
      if (alternatives.stream().map(RowPredicate.Column::subject).distinct().count() == 1) {
        RowPredicate.Column one = alternatives.get(0);
        orders.putIfAbsent(one.column(), one.order());
        if (alternatives.stream().allMatch(each -> each.range().isSingleValue())) {
          fixed.add(one.column());
        }
      }
    }
    List<ColumnRef> columns =
        Stream.concat(
                fixed.stream(),
                orders.keySet().stream().filter(column -> !fixed.contains(column)).limit(1))
            .limit(IndexDefinition.MAX_COLUMNS)
            .toList();
    int fixedFirst = Math.min(fixed.size(), columns.size());
    boolean there =
        UsableIndexes.of(indexes.definitions()).in(query).list().stream()
            .anyMatch(index -> leadsTo(index.columns(), columns, fixedFirst));
    if (columns.isEmpty() || there) {
      return Optional.empty();
    }
    Map<ColumnRef, ValueType> types = new LinkedHashMap<>();
    for (ColumnRef column : columns) {
      ValueType declared = indexes.typeOf(column);
      types.put(column, declared == ValueType.BYTES ? orders.get(column) : declared);
    }
    types.values().removeIf(ValueType.BYTES::equals);
    return Optional.of(new IndexAdvice(columns, types));
  }

  /** The values or ranges that a part allows; none if it is more complicated. */
  private static List<RowPredicate.Column> alternativesOf(RowPredicate part) {
    List<RowPredicate> parts = part instanceof RowPredicate.Any any ? any.parts() : List.of(part);
    List<RowPredicate.Column> alternatives = new ArrayList<>();
    for (RowPredicate one : parts) {
      if (!(one instanceof RowPredicate.Column column)) {
        return List.of();
      }
      alternatives.add(column);
    }
    return alternatives;
  }

  /** Whether an index begins with the columns that are fixed, in any order, and then the others. */
  private static boolean leadsTo(List<ColumnRef> index, List<ColumnRef> columns, int fixed) {
    return index.size() >= columns.size()
        && Set.copyOf(index.subList(0, fixed)).equals(Set.copyOf(columns.subList(0, fixed)))
        && index.subList(fixed, columns.size()).equals(columns.subList(fixed, columns.size()));
  }

  /** A name for it, of the qualifiers of its columns as far as a name may have their characters. */
  public String name() {
    String name =
        columns.stream()
            .map(ColumnRef::toString)
            .map(column -> column.substring(column.indexOf(':') + 1).replaceAll("\\W", ""))
            .collect(Collectors.joining("_", "by_", ""));
    return name.substring(0, Math.min(name.length(), IndexDefinition.MAX_NAME_LENGTH));
  }
}
