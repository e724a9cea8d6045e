/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.common.table.TableShape;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingElements;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.core.predicate.FormRanges;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.RowPredicate.Subject;
import io.hbaseindex.core.predicate.UsableIndexes;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Turns a condition on columns into a predicate on the elements that filters hold, and on their
 * bounds. Conditions that filters cannot judge are left out. The result may be weaker than the
 * condition, never stronger.
 *
 * <p>Of each index the largest {@linkplain IndexDefinition#routes sets} are asked for whose columns
 * the condition fixes, and all of them have to hold; a smaller set says nothing that a larger one
 * does not. Where the condition allows several values, their combinations are asked for one by one,
 * unless they are too many: then smaller sets are.
 *
 * <p>A range of values, such as those that begin with a prefix, is asked of the bounds of every
 * index whose first column it is on.
 *
 * <p>A partial index is asked only where the condition implies that of the index: its filters know
 * nothing of other rows.
 *
 * <p>Indexes are asked independently of each other, also where one knows more columns than another:
 * one of them may still be built in some region.
 */
@InterfaceAudience.Private
public final class RoutePlanner {
  /** How many combinations of the values of several columns are asked for. */
  static final int MOST_COMBINATIONS = 64;

  private final TableIndexes indexes;

  /** Those that may be asked whatever the condition. */
  private final UsableIndexes unconditional;

  private final long shape;

  /** How the values of each index are hashed, by its number. */
  private final Map<Integer, PostingElements> elements = new HashMap<>();

  /** What each set is called, by its space. */
  private final Map<Long, String> names = new HashMap<>();

  /** What the bounds of each index are called, by the space of all its columns. */
  private final Map<Long, String> boundNames = new HashMap<>();

  private RoutePlanner(TableIndexes indexes, long shape) {
    this.indexes = indexes;
    this.unconditional = UsableIndexes.of(indexes.definitions());
    this.shape = shape;
    for (IndexDefinition index : indexes.definitions()) {
      elements.put(index.id(), PostingElements.of(indexes.seed(), index));
      boundNames.put((long) index.id(), index.name() + "(" + index.columns().get(0) + ") bounds");
      for (RouteSet set : index.routes()) {
        names.put(set.space(index.id()), index.name() + "(" + set.text(index) + ")");
      }
    }
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
    return plan(predicate, unconditional);
  }

  /**
   * How to ask how far the values of a column reach in each region, for rows that meet a condition;
   * empty if no index can say, or rows without the column may meet it.
   */
  public Optional<RegionEdge.Question> edges(RowPredicate predicate, RowOrder order) {
    return unconditional.in(predicate).list().stream()
        .filter(IndexDefinition::routesRanges)
        .filter(index -> index.columns().get(0).equals(order.column()))
        .filter(index -> index.types().get(0) == order.type())
        .filter(index -> requires(predicate, order.column()))
        .findFirst()
        .map(index -> new RegionEdge.Question(coverage(index, index.id()), order.descending()));
  }

  private static boolean requires(RowPredicate predicate, ColumnRef column) {
    if (predicate instanceof RowPredicate.All all) {
      return all.parts().stream().anyMatch(part -> requires(part, column));
    }
    return predicate instanceof RowPredicate.Column leaf && leaf.column().equals(column);
  }

  private Optional<RoutePredicate> plan(RowPredicate predicate, UsableIndexes around) {
    UsableIndexes usable = around.in(predicate);
    if (predicate instanceof RowPredicate.All all) {
      return all(all.parts(), usable);
    }
    if (predicate instanceof RowPredicate.Any any && AllowedValues.of(any).isEmpty()) {
      return any(any.parts(), usable);
    }
    return all(List.of(predicate), usable);
  }

  /** Whether the first column of some index narrows the condition down, if only to a range. */
  public boolean isServed(RowPredicate predicate) {
    return isServed(predicate, unconditional);
  }

  private static boolean isServed(RowPredicate predicate, UsableIndexes around) {
    UsableIndexes usable = around.in(predicate);
    if (predicate instanceof RowPredicate.All all) {
      return all.parts().stream().anyMatch(part -> isServed(part, usable));
    }
    if (predicate instanceof RowPredicate.Any any) {
      return any.parts().stream().allMatch(part -> isServed(part, usable));
    }
    RowPredicate.Column leaf = (RowPredicate.Column) predicate;
    return usable.list().stream()
        .filter(index -> index.columns().get(0).equals(leaf.column()))
        .map(index -> index.types().get(0))
        .anyMatch(type -> FormRanges.of(type, leaf.order(), leaf.range()).isPresent());
  }

  private Optional<RoutePredicate> all(List<RowPredicate> parts, UsableIndexes usable) {
    Map<Subject, List<byte[]>> allowed = new HashMap<>();
    Map<Subject, ValueRange> ranges = new LinkedHashMap<>();
    List<RoutePredicate> known = new ArrayList<>();
    for (RowPredicate part : parts) {
      Optional<AllowedValues> values = AllowedValues.of(part);
      if (values.isPresent()) {
        allowed.merge(values.get().subject(), values.get().values(), RoutePlanner::fewer);
      } else if (part instanceof RowPredicate.Column column) {
        ranges.merge(column.subject(), column.range(), ValueRange::intersect);
      } else {
        plan(part, usable).ifPresent(known::add);
      }
    }
    Set<ColumnRef> longLists = new HashSet<>();
    for (IndexDefinition index : usable.list()) {
      Map<ColumnRef, List<byte[]>> forms = forms(index, allowed);
      for (RouteSet set : largest(index, forms)) {
        // A long list is of one column, and asked once, however many indexes begin with it.
        if (combinations(index, set, forms) <= MOST_COMBINATIONS
            || longLists.add(index.columns().get(0))) {
          known.add(anyCombination(index, set, forms));
        }
      }
      ranges.forEach((subject, range) -> withinBounds(index, subject, range).ifPresent(known::add));
    }
    return known.size() > 1
        ? Optional.of(new RoutePredicate.AllOf(known))
        : known.stream().findFirst();
  }

  /** What the bounds of an index can say about a range; empty if that is nothing. */
  private Optional<RoutePredicate> withinBounds(
      IndexDefinition index, Subject subject, ValueRange range) {
    if (!index.routesRanges() || !index.columns().get(0).equals(subject.column())) {
      return Optional.empty();
    }
    IndexCoverage whole = coverage(index, index.id());
    if (range.isEmpty()) {
      return Optional.of(new RoutePredicate.Range(whole, ValueRange.nothing()));
    }
    return FormRanges.of(index.types().get(0), subject.order(), range)
        .map(
            forms ->
                anyOf(
                    forms.stream()
                        .<RoutePredicate>map(form -> new RoutePredicate.Range(whole, form))
                        .toList()));
  }

  private static RoutePredicate anyOf(List<RoutePredicate> parts) {
    return parts.size() == 1 ? parts.get(0) : new RoutePredicate.AnyOf(parts);
  }

  private IndexCoverage coverage(IndexDefinition index, long space) {
    return new IndexCoverage(space, index.version(), indexes.seed(), shape);
  }

  /**
   * What is allowed in the columns of an index, as its postings hold it. A number may stand in a
   * cell of any scale, or in one that is no decimal as HBase writes it.
   */
  private static Map<ColumnRef, List<byte[]>> forms(
      IndexDefinition index, Map<Subject, List<byte[]>> allowed) {
    Map<ColumnRef, List<byte[]>> forms = new HashMap<>();
    for (int i = 0; i < index.columns().size(); i++) {
      ColumnRef column = index.columns().get(i);
      ValueType type = index.types().get(i);
      List<byte[]> cells = allowed.get(new Subject(column, ValueType.BYTES));
      List<byte[]> numbers =
          type == ValueType.BYTES ? null : allowed.get(new Subject(column, type));
      if (cells != null) {
        forms.put(column, cells.stream().map(cell -> PostingForm.of(type, cell)).toList());
      } else if (numbers != null) {
        List<byte[]> all = new ArrayList<>(numbers);
        all.add(new byte[] {PostingForm.OTHER});
        forms.put(column, all);
      }
    }
    return forms;
  }

  /** Both are allowed, so either list says all. */
  private static List<byte[]> fewer(List<byte[]> one, List<byte[]> other) {
    return other.size() < one.size() ? other : one;
  }

  private Optional<RoutePredicate> any(List<RowPredicate> parts, UsableIndexes usable) {
    List<RoutePredicate> known = new ArrayList<>();
    for (RowPredicate part : parts) {
      Optional<RoutePredicate> planned = plan(part, usable);
      if (planned.isEmpty()) {
        return Optional.empty();
      }
      known.add(planned.get());
    }
    return Optional.of(new RoutePredicate.AnyOf(known));
  }

  /** The sets of an index that can be asked for, without those that others contain. */
  private static List<RouteSet> largest(
      IndexDefinition index, Map<ColumnRef, List<byte[]>> allowed) {
    List<RouteSet> possible =
        index.routes().stream()
            .filter(set -> allowed.keySet().containsAll(set.columnsOf(index)))
            .filter(set -> isAskable(index, set, allowed))
            .toList();
    return possible.stream()
        .filter(
            set -> possible.stream().noneMatch(other -> !other.equals(set) && other.contains(set)))
        .toList();
  }

  /** The values of one column are as many as they are; those of several multiply, up to a bound. */
  private static boolean isAskable(
      IndexDefinition index, RouteSet set, Map<ColumnRef, List<byte[]>> allowed) {
    return set.columnsOf(index).size() == 1
        || combinations(index, set, allowed) <= MOST_COMBINATIONS;
  }

  private static long combinations(
      IndexDefinition index, RouteSet set, Map<ColumnRef, List<byte[]>> allowed) {
    long product = 1;
    for (ColumnRef column : set.columnsOf(index)) {
      product = Math.min(Integer.MAX_VALUE, product * allowed.get(column).size());
    }
    return product;
  }

  private RoutePredicate anyCombination(
      IndexDefinition index, RouteSet set, Map<ColumnRef, List<byte[]>> allowed) {
    List<List<byte[]>> combinations = List.of(List.of());
    for (ColumnRef column : set.columnsOf(index)) {
      List<List<byte[]>> longer = new ArrayList<>();
      for (List<byte[]> before : combinations) {
        for (byte[] value : allowed.get(column)) {
          List<byte[]> next = new ArrayList<>(before);
          next.add(value);
          longer.add(next);
        }
      }
      combinations = longer;
    }
    IndexCoverage coverage = coverage(index, set.space(index.id()));
    PostingElements hashes = elements.get(index.id());
    List<RoutePredicate> asked = new ArrayList<>();
    for (List<byte[]> values : combinations) {
      asked.add(new RoutePredicate.Element(coverage, hashes.ofForms(set, values)));
    }
    return anyOf(asked);
  }

  /**
   * The sets of columns that a predicate asks for, as {@code index(column+column)}, and the bounds,
   * as {@code index(column) bounds}.
   */
  public List<String> setsOf(RoutePredicate predicate) {
    Set<String> asked = new LinkedHashSet<>();
    addSets(predicate, asked);
    return List.copyOf(asked);
  }

  private void addSets(RoutePredicate predicate, Set<String> asked) {
    if (predicate instanceof RoutePredicate.Element element) {
      asked.add(nameOf(names, element.index().space()));
    } else if (predicate instanceof RoutePredicate.Range range) {
      asked.add(nameOf(boundNames, range.index().space()));
    } else if (predicate instanceof RoutePredicate.AllOf all) {
      all.parts().forEach(part -> addSets(part, asked));
    } else {
      ((RoutePredicate.AnyOf) predicate).parts().forEach(part -> addSets(part, asked));
    }
  }

  private static String nameOf(Map<Long, String> names, long space) {
    String name = names.get(space);
    if (name == null) {
      throw new IllegalArgumentException(
          "Cannot name what is asked for: no index of the table has " + space);
    }
    return name;
  }

  /** The values that a condition allows for one column: cells, or numbers by their form. */
  private record AllowedValues(Subject subject, List<byte[]> values) {
    /** Reads "the column is v" and "the column is v, or w, or …"; empty for everything else. */
    static Optional<AllowedValues> of(RowPredicate predicate) {
      if (predicate instanceof RowPredicate.Column column) {
        return isSingle(column)
            ? Optional.of(new AllowedValues(column.subject(), List.of(column.range().lower())))
            : Optional.empty();
      }
      return predicate instanceof RowPredicate.Any any ? ofList(any) : Optional.empty();
    }

    /** A number is all forms that begin with it. */
    private static boolean isSingle(RowPredicate.Column column) {
      ValueRange range = column.range();
      return column.order() == ValueType.BYTES
          ? range.isSingleValue()
          : range.equals(ValueRange.startingWith(range.lower()));
    }

    private static Optional<AllowedValues> ofList(RowPredicate.Any any) {
      Subject subject = null;
      SortedSet<byte[]> values = new TreeSet<>(Arrays::compareUnsigned);
      for (RowPredicate part : any.parts()) {
        Optional<AllowedValues> one =
            part instanceof RowPredicate.Column ? of(part) : Optional.empty();
        if (one.isEmpty() || subject != null && !subject.equals(one.get().subject())) {
          return Optional.empty();
        }
        subject = one.get().subject();
        values.addAll(one.get().values());
      }
      return Optional.of(new AllowedValues(subject, List.copyOf(values)));
    }
  }
}
