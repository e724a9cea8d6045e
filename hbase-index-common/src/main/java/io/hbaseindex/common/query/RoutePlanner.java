/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.common.table.TableShape;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.PostingElements;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Turns a condition on columns into a predicate on the elements that filters hold. Conditions that
 * filters cannot judge, such as a range, are left out. The result may be weaker than the condition,
 * never stronger.
 */
@InterfaceAudience.Private
public final class RoutePlanner {
  private final TableIndexes indexes;
  private final long shape;

  private RoutePlanner(TableIndexes indexes, long shape) {
    this.indexes = indexes;
    this.shape = shape;
  }

  /**
   * Plans for regions that run with a table descriptor of one shape.
   *
   * @param table the descriptor that the condition was judged by
   * @param indexes the indexes that it declares
   */
  public static RoutePlanner of(TableDescriptor table, TableIndexes indexes) {
    return new RoutePlanner(indexes, TableShape.of(table));
  }

  /** What filters can say about the condition; empty if that is nothing. */
  public Optional<RoutePredicate> plan(RowPredicate predicate) {
    if (predicate instanceof RowPredicate.Column column) {
      return all(List.of(column));
    }
    if (predicate instanceof RowPredicate.All all) {
      return all(all.parts());
    }
    return any(((RowPredicate.Any) predicate).parts());
  }

  private Optional<RoutePredicate> all(List<RowPredicate> parts) {
    Map<ColumnRef, byte[]> values = new HashMap<>();
    List<RoutePredicate> known = new ArrayList<>();
    for (RowPredicate part : parts) {
      if (part instanceof RowPredicate.Column column) {
        if (column.range().isSingleValue()) {
          values.put(column.column(), column.range().lower());
        }
      } else {
        plan(part).ifPresent(known::add);
      }
    }
    for (IndexDefinition index : indexes.definitions()) {
      if (values.keySet().containsAll(index.columns())) {
        List<byte[]> wanted = index.columns().stream().map(values::get).toList();
        known.add(element(index, wanted));
      }
    }
    return known.size() > 1
        ? Optional.of(new RoutePredicate.AllOf(known))
        : known.stream().findFirst();
  }

  private Optional<RoutePredicate> any(List<RowPredicate> parts) {
    List<RoutePredicate> known = new ArrayList<>();
    for (RowPredicate part : parts) {
      Optional<RoutePredicate> planned = plan(part);
      if (planned.isEmpty()) {
        return Optional.empty();
      }
      known.add(planned.get());
    }
    return Optional.of(new RoutePredicate.AnyOf(known));
  }

  private RoutePredicate element(IndexDefinition index, List<byte[]> values) {
    return new RoutePredicate.Element(
        new IndexCoverage(index.id(), index.version(), indexes.seed(), shape),
        PostingElements.of(indexes.seed(), index).ofValues(values));
  }
}
