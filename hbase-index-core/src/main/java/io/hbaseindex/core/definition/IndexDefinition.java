/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One index of one table: its name, the columns it covers and how it is kept.
 *
 * <pre>{@code
 * IndexDefinition.on("f", "email").named("by_email").eager()
 * IndexDefinition.on("f", "country").and("f", "city").named("by_place").lazy()
 * }</pre>
 *
 * <p>An index of several columns serves predicates that fix a leading part of its columns by
 * equality, with at most one range or prefix on the column after them. A row without the first
 * column is not in the index; a later column that a row lacks is indexed as absent, so such a row
 * is still found by its leading columns.
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

  /** How many characters the name of an index has at most. */
  public static final int MAX_NAME_LENGTH = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");
  private static final Set<String> KEYS = Set.of("id", "version", "columns", "mode");

  private final int id;
  private final int version;
  private final String name;
  private final List<ColumnRef> columns;
  private final IndexMode mode;

  private IndexDefinition(
      int id, int version, String name, List<ColumnRef> columns, IndexMode mode) {
    this.id = id;
    this.version = version;
    this.name = name;
    this.columns = List.copyOf(columns);
    this.mode = mode;
    requireName(name);
    requireColumns();
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

  /** Whether writes end postings or readers do. */
  public IndexMode mode() {
    return mode;
  }

  /** Whether writes end the postings of values that they hide. */
  public boolean isEager() {
    return mode == IndexMode.EAGER;
  }

  /** Whether another index of this name, whatever its id, would hold just the same. */
  public boolean hasSameContent(IndexDefinition other) {
    return name.equals(other.name) && columns.equals(other.columns) && mode == other.mode;
  }

  /** Whether the index is on this column, alone or with others. */
  public boolean covers(ColumnRef column) {
    return columns.contains(column);
  }

  IndexDefinition withId(int assigned) {
    return new IndexDefinition(assigned, version, name, columns, mode);
  }

  static IndexDefinition parse(String name, String text) {
    AttributeText fields = AttributeText.parse(text, KEYS);
    List<ColumnRef> columns = new ArrayList<>();
    for (String column : fields.required("columns").split("\\+", -1)) {
      columns.add(ColumnRef.parse(column.strip()));
    }
    return new IndexDefinition(
        fields.number("id", 1, UNASSIGNED),
        fields.number("version", 1, 1),
        name,
        columns,
        IndexMode.parse(fields.optional("mode", IndexMode.EAGER.keyword())));
  }

  /** The definition as its table attribute holds it; {@link #parse} reads it back. */
  String toText() {
    String columnText = columns.stream().map(ColumnRef::toString).collect(Collectors.joining("+"));
    String idText = id == UNASSIGNED ? "" : "id=" + id + ", ";
    return idText + ("version=" + version + ", columns=" + columnText + ", mode=" + mode.keyword());
  }

  private static void requireName(String name) {
    if (name.isEmpty()) {
      throw new DefinitionException("Cannot define an index: its name was empty; name it");
    }
    if (name.length() > MAX_NAME_LENGTH) {
      throw new DefinitionException(
          "Cannot define index %.20s…: its name was %d characters long; use at most %d"
              .formatted(name, name.length(), MAX_NAME_LENGTH));
    }
    if (!NAME.matcher(name).matches()) {
      throw new DefinitionException(
          "Cannot define an index: its name was \""
              + name
              + "\"; use ASCII letters, digits, '_', '-' and '.', not starting with '-' or '.'");
    }
  }

  private void requireColumns() {
    if (columns.isEmpty() || columns.size() > MAX_COLUMNS) {
      throw new DefinitionException(
          "Cannot define index %s: it had %d columns; use 1 to %d"
              .formatted(name, columns.size(), MAX_COLUMNS));
    }
    Set<ColumnRef> seen = new HashSet<>();
    for (ColumnRef column : columns) {
      if (!seen.add(column)) {
        throw new DefinitionException(
            "Cannot define index %s: column %s is there twice; keep one".formatted(name, column));
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexDefinition that
        && id == that.id
        && version == that.version
        && name.equals(that.name)
        && columns.equals(that.columns)
        && mode == that.mode;
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, version, name, columns, mode);
  }

  @Override
  public String toString() {
    return name + " (" + toText() + ")";
  }

  /** Collects columns and a name; ends with {@link #eager} or {@link #lazy}. */
  public static final class Builder {
    private final List<ColumnRef> columns = new ArrayList<>();
    private String name = "";

    private Builder(ColumnRef first) {
      columns.add(first);
    }

    /** Adds the next column of a composite index. */
    public Builder and(String family, String qualifier) {
      columns.add(ColumnRef.of(family, qualifier));
      return this;
    }

    /** Adds the next column of a composite index. */
    public Builder and(byte[] family, byte[] qualifier) {
      columns.add(ColumnRef.of(family, qualifier));
      return this;
    }

    /** Gives the index its name. */
    public Builder named(String indexName) {
      name = indexName;
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
      return new IndexDefinition(UNASSIGNED, 1, name, columns, mode);
    }
  }
}
