/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
 * the index alone.
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
  private final List<ColumnRef> included;
  private final IndexCondition condition;
  private final IndexMode mode;

  /** Declared beyond those that every index has; by mask. */
  private final SortedSet<Integer> declared;

  private final boolean ranges;

  /**
   * @param types of the columns; none for bytes in each
   */
  IndexDefinition(
      int id,
      int version,
      String name,
      List<ColumnRef> columns,
      List<ValueType> types,
      List<ColumnRef> included,
      IndexCondition condition,
      IndexMode mode,
      SortedSet<Integer> declared,
      boolean ranges) {
    this.id = id;
    this.version = version;
    this.name = name;
    this.columns = List.copyOf(columns);
    this.included = List.copyOf(included);
    this.condition = condition;
    this.mode = mode;
    this.declared = declared;
    this.ranges = ranges;
    this.types =
        types.isEmpty() ? Collections.nCopies(columns.size(), ValueType.BYTES) : List.copyOf(types);
    DefinitionRules.require(this);
  }

  /** The same index with further sets of columns declared. */
  IndexDefinition declaring(List<List<ColumnRef>> routes) {
    SortedSet<Integer> masks = new TreeSet<>(declared);
    for (List<ColumnRef> route : routes) {
      RouteSet set = setOf(route);
      if (!set.isLeading()) {
        masks.add(set.mask());
      }
    }
    return withDeclared(masks);
  }

  private IndexDefinition withDeclared(SortedSet<Integer> masks) {
    return new IndexDefinition(
        id, version, name, columns, types, included, condition, mode, masks, ranges);
  }

  private RouteSet setOf(List<ColumnRef> route) {
    int mask = 0;
    for (ColumnRef column : route) {
      int at = columns.indexOf(column);
      if (at < 0) {
        throw new DefinitionException(
            "Cannot route by %s in index %s: it is not one of its columns, %s"
                .formatted(column, name, columns));
      }
      mask |= 1 << at;
    }
    if ((mask & 1) == 0) {
      throw new DefinitionException(
          "Cannot route by %s in index %s: the index has no posting of rows without its first column, so it would miss them; add %s to the set, or define another index"
              .formatted(route, name, columns.get(0)));
    }
    return new RouteSet(mask, columns.size());
  }

  /** Starts the definition of an index whose first column is {@code family:qualifier}. */
  public static Builder on(String family, String qualifier) {
    return new Builder(ColumnRef.of(family, qualifier));
  }

  /** Starts the definition of an index whose first column is {@code family:qualifier}. */
  public static Builder on(byte[] family, byte[] qualifier) {
    return new Builder(ColumnRef.of(family, qualifier));
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
    return types.stream().anyMatch(type -> type != ValueType.BYTES);
  }

  /** The columns whose cells stand in the index beside the indexed values, in declared order. */
  public List<ColumnRef> included() {
    return included;
  }

  /** The columns that postings hold: those of the index, then the included ones. */
  public List<ColumnRef> heldColumns() {
    return Stream.concat(columns.stream(), included.stream()).toList();
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
    SortedSet<Integer> all = new TreeSet<>(declared);
    all.addAll(other.declared);
    return withDeclared(all);
  }

  /**
   * The same index including just these columns. If it includes others now, that is a new version,
   * which is built anew.
   */
  public IndexDefinition withIncluded(List<ColumnRef> others) {
    return others.equals(included)
        ? this
        : new IndexDefinition(
            id, version + 1, name, columns, types, others, condition, mode, declared, ranges);
  }

  /**
   * The same index with columns of these types. If they are others than now, that is a new version,
   * which has to be given an id of its own: its postings are none of the old one's.
   */
  IndexDefinition withTypes(List<ValueType> others) {
    return others.equals(types)
        ? this
        : new IndexDefinition(
            UNASSIGNED,
            version + 1,
            name,
            columns,
            others,
            included,
            condition,
            mode,
            declared,
            ranges);
  }

  /** The same index with this condition; as {@link #withTypes}, if it is another one than now. */
  IndexDefinition withCondition(IndexCondition other) {
    return other.equals(condition)
        ? this
        : new IndexDefinition(
            UNASSIGNED, version + 1, name, columns, types, included, other, mode, declared, ranges);
  }

  /**
   * Whether another index of this name, whatever its id, finds just the same rows. Its routes may
   * differ, which follow from the postings, and its types, included columns and condition, which
   * can be changed.
   */
  public boolean isSameIndex(IndexDefinition other) {
    return name.equals(other.name) && columns.equals(other.columns) && mode == other.mode;
  }

  /** Whether the index is on this column, alone or with others. */
  public boolean covers(ColumnRef column) {
    return columns.contains(column);
  }

  IndexDefinition withId(int assigned) {
    return new IndexDefinition(
        assigned, version, name, columns, types, included, condition, mode, declared, ranges);
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
        && condition.equals(that.condition)
        && mode == that.mode
        && declared.equals(that.declared)
        && ranges == that.ranges;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        id, version, name, columns, types, included, condition, mode, declared, ranges);
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
    private final List<ColumnRef> included = new ArrayList<>();
    private IndexCondition condition = IndexCondition.NONE;
    private boolean ranges = true;
    private String name = "";

    private Builder(ColumnRef first) {
      add(first);
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
     * Leaves out rows that do not meet a condition.
     *
     * @param text as {@link IndexCondition#parse} reads it, such as {@code f:status=open}
     */
    public Builder where(String text) {
      return where(IndexCondition.parse(text));
    }

    /** As {@link #where(String)}. */
    public Builder where(IndexCondition rows) {
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

    private IndexDefinition build(IndexMode mode) {
      return new IndexDefinition(
              UNASSIGNED,
              1,
              name,
              columns,
              types,
              included,
              condition,
              mode,
              new TreeSet<>(),
              ranges)
          .declaring(routes);
    }
  }
}
