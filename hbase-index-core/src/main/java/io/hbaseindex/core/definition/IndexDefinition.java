/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One index of one table: its name, the columns it covers and how it is kept.
 *
 * <pre>{@code
 * IndexDefinition.on("f", "email").named("by_email").eager()
 * IndexDefinition.on("f", "country").and("f", "city").named("by_place").lazy()
 * IndexDefinition.on("f", "country").and("f", "city").and("f", "status").named("by_state")
 *     .routes("f:country", "f:status").eager()
 * IndexDefinition.on("f", "city").including("f:name", "f:email").named("by_city").eager()
 * IndexDefinition.on("f", "status").withTimes().named("by_status").eager()
 * IndexDefinition.on("f", "age").as(ValueType.LONG).named("by_age").eager()
 * IndexDefinition.on("f", "city").where("f:status=open").named("open_by_city").eager()
 * IndexDefinition.on("f", "email").noRanges().named("by_email").eager()
 * }</pre>
 *
 * <p>An index of several columns serves predicates that fix a leading part of its columns by
 * equality, with at most one range or prefix on the column after them. A row without the first
 * column is not in the index; a later column that a row lacks is indexed as absent, so such a row
 * is still found by its leading columns.
 *
 * <p>Scans that fix a leading part of the columns, or all of them, are sent only to regions that
 * may hold such a row. So are those that fix the columns of a set that is declared by {@link
 * Builder#routes}.
 *
 * <p>An eager index may {@linkplain Builder#including include} further columns. Their cells stand
 * in the index beside the indexed values, and scans that read no other columns are answered from
 * the index alone. With {@linkplain Builder#withTimes times} it holds of its own columns when their
 * cells were written, as it does if it includes columns: rows are then counted by time.
 *
 * <p>A column that has a {@linkplain Builder#as type} is kept in the order of its values: numbers
 * in that of the numbers, negative ones before others, rather than in that of their bytes.
 *
 * <p>An index that has a {@linkplain Builder#where condition} is partial: other rows are not in it,
 * and it serves only predicates that no other row meets.
 *
 * <p>The id tells the postings of two indexes apart. It is assigned when the index is added to a
 * table and never used again in that table, not even after the index is dropped. Immutable.
 */
@InterfaceAudience.Public
public final class IndexDefinition {
  /** The id of a definition that no table has assigned one to yet. */
  public static final int UNASSIGNED = 0;

  /** How many columns an index has at most. */
  public static final int MAX_COLUMNS = 4;

  /** How many columns an index includes at most. */
  public static final int MAX_INCLUDED = 16;

  /** How many characters the name of an index has at most. */
  public static final int MAX_NAME_LENGTH = 64;

  private final int id;
  private final int version;
  private final String name;
  private final List<ColumnRef> columns;
  private final List<ValueType> types;

  /** Asked for each posting. */
  private final boolean hasTypes;

  private final List<ColumnRef> included;
  private final boolean times;
  private final List<ColumnRef> held;
  private final IndexCondition condition;
  private final IndexMode mode;

  /** Declared beyond those that every index has; by mask. */
  private final SortedSet<Integer> declared;

  private final boolean ranges;

  private IndexDefinition(Builder parts) {
    id = parts.id;
    version = parts.version;
    name = parts.name;
    columns = List.copyOf(parts.columns);
    types = List.copyOf(parts.types);
    hasTypes = types.stream().anyMatch(type -> type != ValueType.BYTES);
    included = List.copyOf(parts.included);
    times = parts.times;
    held = Stream.concat(columns.stream(), included.stream()).toList();
    condition = parts.condition;
    mode = parts.mode;
    ranges = parts.ranges;
    DefinitionRules.require(this);
    declared = new TreeSet<>(parts.declared);
    for (List<ColumnRef> route : parts.routes) {
      RouteSet set = RouteSet.of(route, this);
      if (!set.isLeading()) {
        declared.add(set.mask());
      }
    }
  }

  /** Starts the definition of an index whose first column is {@code family:qualifier}. */
  public static Builder on(String family, String qualifier) {
    return new Builder(List.of(ColumnRef.of(family, qualifier)));
  }

  /** Starts the definition of an index whose first column is {@code family:qualifier}. */
  public static Builder on(byte[] family, byte[] qualifier) {
    return new Builder(List.of(ColumnRef.of(family, qualifier)));
  }

  /** The id, {@link #UNASSIGNED} until a table has assigned one. */
  public int id() {
    return id;
  }

  /** Counts the changes made to the definition under this id, from 1 on. */
  public int version() {
    return version;
  }

  /** The name, unique in its table. */
  public String name() {
    return name;
  }

  /** The columns in index order; at least one. */
  public List<ColumnRef> columns() {
    return columns;
  }

  /** What each of the columns holds; {@link ValueType#BYTES} where nothing was declared. */
  public List<ValueType> types() {
    return types;
  }

  /** The columns for a person, each with its type in brackets where it has one. */
  public List<String> typedColumns() {
    return IntStream.range(0, columns.size())
        .mapToObj(
            i ->
                types.get(i) == ValueType.BYTES
                    ? columns.get(i).toString()
                    : "%s (%s)".formatted(columns.get(i), types.get(i).keyword()))
        .toList();
  }

  /** Whether a column holds something else than bytes. */
  public boolean hasTypes() {
    return hasTypes;
  }

  /** The columns whose cells stand in the index beside the indexed values, in declared order. */
  public List<ColumnRef> included() {
    return included;
  }

  /** Whether the times of the indexed columns' cells stand in the index, too. */
  public boolean hasTimes() {
    return times;
  }

  /** Whether postings carry cells: values of included columns, and the times of all. */
  public boolean carriesCells() {
    return times || !included.isEmpty();
  }

  /** The columns that postings hold: those of the index, then the included ones. */
  public List<ColumnRef> heldColumns() {
    return held;
  }

  /** The columns that decide which postings a row has: those of the index and of its condition. */
  public List<ColumnRef> decidingColumns() {
    return Stream.concat(columns.stream(), condition.columns().stream()).distinct().toList();
  }

  /** The columns that postings depend on: those that they hold, then others of the condition. */
  public List<ColumnRef> allColumns() {
    return Stream.concat(heldColumns().stream(), condition.columns().stream()).distinct().toList();
  }

  /** What rows have to be like to be in the index; {@link IndexCondition#NONE} if it has all. */
  public IndexCondition condition() {
    return condition;
  }

  /** Whether the index leaves out rows that do not meet its condition. */
  public boolean isPartial() {
    return !condition.isNone();
  }

  /** Whether writes end postings or readers do. */
  public IndexMode mode() {
    return mode;
  }

  /** Whether writes end the postings of values that they hide. */
  public boolean isEager() {
    return mode == IndexMode.EAGER;
  }

  /**
   * The sets of columns that scans are routed by: the leading ones from the first column to all of
   * them, then those that are declared.
   */
  public List<RouteSet> routes() {
    List<RouteSet> routes = new ArrayList<>();
    for (int leading = 1; leading <= columns.size(); leading++) {
      routes.add(RouteSet.leading(leading, columns.size()));
    }
    routes.addAll(declaredRoutes());
    return routes;
  }

  /** The sets of columns that were declared beyond the leading ones. */
  public List<RouteSet> declaredRoutes() {
    return declared.stream().map(mask -> new RouteSet(mask, columns.size())).toList();
  }

  /** Whether scans for a range of its first column are routed. */
  public boolean routesRanges() {
    return ranges;
  }

  /** The same index with the declared sets of another one of the same columns added to its own. */
  public IndexDefinition withMoreRoutes(IndexDefinition other) {
    Builder parts = new Builder(this);
    parts.declared.addAll(other.declared);
    return new IndexDefinition(parts);
  }

  /**
   * The same index including just these columns. If it includes others now, that is a new version,
   * which is built anew.
   */
  public IndexDefinition withIncluded(List<ColumnRef> others) {
    if (others.equals(included)) {
      return this;
    }
    Builder parts = new Builder(this).next();
    parts.included.clear();
    return new IndexDefinition(parts.including(others));
  }

  /** The same index with the times of cells in it; as {@link #withIncluded}, if it has none now. */
  IndexDefinition withTimes() {
    return carriesCells() ? this : new IndexDefinition(new Builder(this).next().withTimes());
  }

  /**
   * The same index with columns of these types. If they are others than now, that is a new version,
   * which has to be given an id of its own: its postings are none of the old one's.
   */
  IndexDefinition withTypes(List<ValueType> others) {
    return others.equals(types)
        ? this
        : new IndexDefinition(new Builder(this).next().id(UNASSIGNED).types(others));
  }

  /** The same index with this condition; as {@link #withTypes}, if it is another one than now. */
  IndexDefinition withCondition(IndexCondition other) {
    return other.equals(condition)
        ? this
        : new IndexDefinition(new Builder(this).next().id(UNASSIGNED).condition(other));
  }

  /**
   * Whether another index of this name, whatever its id, finds just the same rows. Its routes may
   * differ, which follow from the postings, and its types, included columns, times and condition,
   * which can be changed.
   */
  public boolean isSameIndex(IndexDefinition other) {
    return name.equals(other.name) && columns.equals(other.columns) && mode == other.mode;
  }

  /** Whether the index is on this column, alone or with others. */
  public boolean covers(ColumnRef column) {
    return columns.contains(column);
  }

  IndexDefinition withId(int assigned) {
    return new IndexDefinition(new Builder(this).id(assigned));
  }

  /**
   * Name, id and what decides which postings the index has, without its routes, which follow from
   * the postings. Regions keep a checksum of it, so it is the same in every release.
   */
  public String contentText() {
    return name + " (" + DefinitionText.ofPostings(this) + ")";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexDefinition that
        && id == that.id
        && version == that.version
        && name.equals(that.name)
        && columns.equals(that.columns)
        && types.equals(that.types)
        && included.equals(that.included)
        && times == that.times
        && condition.equals(that.condition)
        && mode == that.mode
        && declared.equals(that.declared)
        && ranges == that.ranges;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        id, version, name, columns, types, included, times, condition, mode, declared, ranges);
  }

  @Override
  public String toString() {
    return name + " (" + DefinitionText.of(this) + ")";
  }

  /**
   * Collects columns, routes, included columns, a condition and a name; ends with {@link #eager} or
   * {@link #lazy}.
   */
  public static final class Builder {
    private final List<ColumnRef> columns = new ArrayList<>();
    private final List<ValueType> types = new ArrayList<>();
    private final List<List<ColumnRef>> routes = new ArrayList<>();
    private final SortedSet<Integer> declared = new TreeSet<>();
    private final List<ColumnRef> included = new ArrayList<>();
    private int id = UNASSIGNED;
    private int version = 1;
    private boolean times;
    private IndexCondition condition = IndexCondition.NONE;
    private boolean ranges = true;
    private IndexMode mode = IndexMode.EAGER;
    private String name = "";

    Builder(List<ColumnRef> columns) {
      columns.forEach(this::add);
    }

    private Builder(IndexDefinition from) {
      columns.addAll(from.columns);
      types.addAll(from.types);
      declared.addAll(from.declared);
      included.addAll(from.included);
      id = from.id;
      version = from.version;
      times = from.times;
      condition = from.condition;
      ranges = from.ranges;
      mode = from.mode;
      name = from.name;
    }

    Builder id(int assigned) {
      id = assigned;
      return this;
    }

    Builder version(int number) {
      version = number;
      return this;
    }

    private Builder next() {
      return version(version + 1);
    }

    Builder types(List<ValueType> all) {
      types.clear();
      types.addAll(all);
      return this;
    }

    private Builder add(ColumnRef column) {
      columns.add(column);
      types.add(ValueType.BYTES);
      return this;
    }

    /** Says what the column named last holds. */
    public Builder as(ValueType type) {
      types.set(types.size() - 1, type);
      return this;
    }

    /** Adds the next column of a composite index. */
    public Builder and(String family, String qualifier) {
      return add(ColumnRef.of(family, qualifier));
    }

    /** Adds the next column of a composite index. */
    public Builder and(byte[] family, byte[] qualifier) {
      return add(ColumnRef.of(family, qualifier));
    }

    /** Gives the index its name. */
    public Builder named(String indexName) {
      name = indexName;
      return this;
    }

    /**
     * Also routes scans that fix the values of just these columns. May be called several times, for
     * a set each.
     *
     * @param set columns of the index as {@code family:qualifier}, its first column among them
     */
    public Builder routes(String... set) {
      return routes(Arrays.stream(set).map(ColumnRef::parse).toList());
    }

    /** As {@link #routes(String...)}. */
    public Builder routes(List<ColumnRef> set) {
      routes.add(List.copyOf(set));
      return this;
    }

    /**
     * Keeps the cells of these columns in the index. May be called several times.
     *
     * @param further columns as {@code family:qualifier}, none of them a column of the index
     */
    public Builder including(String... further) {
      return including(Arrays.stream(further).map(ColumnRef::parse).toList());
    }

    /** As {@link #including(String...)}. */
    public Builder including(List<ColumnRef> further) {
      included.addAll(further);
      return this;
    }

    /**
     * Keeps the times of the indexed columns' cells in the index, so that counts by time need no
     * rows. An index that {@linkplain #including includes} columns has them anyway.
     */
    public Builder withTimes() {
      times = true;
      return this;
    }

    /**
     * Leaves out rows that do not meet a condition.
     *
     * @param text as {@link IndexCondition#parse} reads it, such as {@code f:status=open}
     */
    public Builder where(String text) {
      return where(IndexCondition.parse(text));
    }

    /** As {@link #where(String)}. */
    public Builder where(IndexCondition rows) {
      rows.requirePossible();
      return condition(rows);
    }

    /** Also one that no row can meet: tables have such indexes from before they were refused. */
    Builder condition(IndexCondition rows) {
      condition = rows;
      return this;
    }

    /**
     * Has scans for a range of values visit all regions, and spares writes and masters what it
     * takes to leave some out.
     */
    public Builder noRanges() {
      ranges = false;
      return this;
    }

    /** The definition, kept exact by every write. */
    public IndexDefinition eager() {
      return build(IndexMode.EAGER);
    }

    /** The definition, cleaned up after the fact. */
    public IndexDefinition lazy() {
      return build(IndexMode.LAZY);
    }

    IndexDefinition build(IndexMode kind) {
      mode = kind;
      return new IndexDefinition(this);
    }
  }
}
