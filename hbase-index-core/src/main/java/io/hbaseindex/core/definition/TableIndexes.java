/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * All indexes of one table, and the form in which its descriptor carries them: plain attributes
 * that a person can read, and type in the HBase shell.
 *
 * <pre>
 * hbaseindex.table          = format=1, seed=9c1f0e77a2b34d05, next-id=3
 * hbaseindex.index.by_email = id=1, version=1, columns=f:email, mode=eager
 * hbaseindex.index.by_place = id=2, version=1, columns=f:country+f:city, mode=lazy
 * </pre>
 *
 * <p>An index typed by hand may leave out {@code id}, {@code version} and {@code mode}, and the
 * table attribute may be absent; {@link #withAssignedIds} completes such a set, and only a complete
 * set can be maintained. Immutable.
 */
@InterfaceAudience.Private
public final class TableIndexes {
  public static final int FORMAT = 1;
  public static final String TABLE_ATTRIBUTE = "hbaseindex.table";
  public static final String INDEX_ATTRIBUTE_PREFIX = "hbaseindex.index.";

  /**
   * Names of indexes, separated by commas, that this very change of the table drops. An index that
   * is merely missing from a descriptor may have been forgotten, or added by somebody else in the
   * meantime; only one that is named here is meant to go.
   */
  public static final String DROP_ATTRIBUTE = "hbaseindex.drop";

  /** Bounds what one row write may cost; a table that needs more is better served by two tables. */
  public static final int MAX_INDEXES = 64;

  private static final int FIRST_ID = 1;
  private static final Set<String> TABLE_KEYS = new TreeSet<>(Set.of("format", "seed", "next-id"));
  private static final TableIndexes NONE =
      new TableIndexes(Optional.empty(), FIRST_ID, new TreeMap<>());

  private final Optional<Long> seed;
  private final int nextId;
  private final SortedMap<String, IndexDefinition> byName;

  private TableIndexes(Optional<Long> seed, int nextId, SortedMap<String, IndexDefinition> byName) {
    this.seed = seed;
    this.nextId = nextId;
    this.byName = byName;
    requireBounded();
    requireDistinctIds();
    requireOneTypeForEachColumn();
  }

  /** A table that has never had an index. */
  public static TableIndexes none() {
    return NONE;
  }

  /** Whether {@code attribute} is one of ours. */
  public static boolean isOwnAttribute(String attribute) {
    return attribute.equals(TABLE_ATTRIBUTE)
        || attribute.equals(DROP_ATTRIBUTE)
        || attribute.startsWith(INDEX_ATTRIBUTE_PREFIX);
  }

  /**
   * Reads the indexes out of a table's attributes; attributes that are not ours are ignored.
   *
   * @throws DefinitionException if one of ours cannot be read; the message names it
   */
  public static TableIndexes parse(Map<String, String> attributes) {
    TreeMap<String, IndexDefinition> byName = new TreeMap<>();
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      if (attribute.getKey().startsWith(INDEX_ATTRIBUTE_PREFIX)) {
        IndexDefinition definition = parseIndex(attribute.getKey(), attribute.getValue());
        byName.put(definition.name(), definition);
      }
    }
    String table = attributes.get(TABLE_ATTRIBUTE);
    if (table == null) {
      return new TableIndexes(Optional.empty(), FIRST_ID, byName);
    }
    try {
      return parseTable(table, byName);
    } catch (DefinitionException e) {
      throw unreadable(TABLE_ATTRIBUTE, table, e);
    }
  }

  private static IndexDefinition parseIndex(String attribute, String text) {
    try {
      return DefinitionText.parse(attribute.substring(INDEX_ATTRIBUTE_PREFIX.length()), text);
    } catch (DefinitionException e) {
      throw unreadable(attribute, text, e);
    }
  }

  private static TableIndexes parseTable(String text, TreeMap<String, IndexDefinition> byName) {
    AttributeText fields = AttributeText.parse(text, TABLE_KEYS);
    int format = fields.number("format", 1, FORMAT);
    if (format != FORMAT) {
      throw new DefinitionException(
          "format was " + format + "; this release reads format " + FORMAT);
    }
    return new TableIndexes(
        Optional.of(parseSeed(fields.required("seed"))),
        fields.number("next-id", FIRST_ID, FIRST_ID),
        byName);
  }

  private static long parseSeed(String text) {
    try {
      return HexFormat.fromHexDigitsToLong(text);
    } catch (IllegalArgumentException e) {
      throw new DefinitionException("seed was \"" + text + "\"; write up to 16 hex digits", e);
    }
  }

  private static DefinitionException unreadable(
      String attribute, String text, DefinitionException cause) {
    return new DefinitionException(
        "Cannot read table attribute " + attribute + " = \"" + text + "\": " + cause.getMessage(),
        cause);
  }

  /** The attributes to put into the table descriptor. */
  public Map<String, String> toAttributes() {
    Map<String, String> attributes = new LinkedHashMap<>();
    seed.ifPresent(
        s ->
            attributes.put(
                TABLE_ATTRIBUTE, "format=%d, seed=%016x, next-id=%d".formatted(FORMAT, s, nextId)));
    byName.forEach(
        (name, definition) ->
            attributes.put(INDEX_ATTRIBUTE_PREFIX + name, DefinitionText.of(definition)));
    return attributes;
  }

  /** The definitions, by name. */
  public Collection<IndexDefinition> definitions() {
    return byName.values();
  }

  public Optional<IndexDefinition> byName(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public boolean isEmpty() {
    return byName.isEmpty();
  }

  /** Whether every index has its id and the table its seed. */
  public boolean isComplete() {
    return byName.isEmpty()
        || seed.isPresent()
            && byName.values().stream().allMatch(d -> d.id() != IndexDefinition.UNASSIGNED);
  }

  /** The random number that keys every hash of this table's values. */
  public long seed() {
    return seed.orElseThrow(
        () ->
            new DefinitionException(
                "Cannot use the indexes of this table: attribute "
                    + TABLE_ATTRIBUTE
                    + " is missing; add the index through the index API, or load the master"
                    + " observer"));
  }

  /** Adds an index and gives it the next id. */
  public TableIndexes with(IndexDefinition definition, LongSupplier newSeed) {
    if (byName.containsKey(definition.name())) {
      throw new DefinitionException(
          "Cannot add index %s: the table has one of that name; drop it first or choose another"
              .formatted(definition.name()));
    }
    TreeMap<String, IndexDefinition> changed = new TreeMap<>(byName);
    changed.put(definition.name(), definition.withId(IndexDefinition.UNASSIGNED));
    return new TableIndexes(seed, nextId, changed).withAssignedIds(newSeed);
  }

  /**
   * Adds the routes of the given index to those of the one that is there by its name, and has it
   * include the columns that the given one includes, if there are any, and keep times if that does.
   * If the given one has types or a condition, and others, the index lacks an id until {@link
   * #withAssignedIds}.
   */
  public TableIndexes redeclared(IndexDefinition definition) {
    TreeMap<String, IndexDefinition> changed = new TreeMap<>(byName);
    List<ColumnRef> included = definition.included();
    IndexCondition condition = definition.condition();
    changed.computeIfPresent(
        definition.name(),
        (name, present) ->
            (definition.hasTimes() ? present.withTimes() : present)
                .withMoreRoutes(definition)
                .withIncluded(included.isEmpty() ? present.included() : included)
                .withTypes(definition.hasTypes() ? definition.types() : present.types())
                .withCondition(condition.isNone() ? present.condition() : condition));
    return new TableIndexes(seed, nextId, changed);
  }

  /** Drops an index; its id stays used. */
  public TableIndexes without(String name) {
    if (!byName.containsKey(name)) {
      throw new DefinitionException(
          "Cannot drop index %s: the table has no such index, only %s"
              .formatted(name, byName.keySet()));
    }
    TreeMap<String, IndexDefinition> changed = new TreeMap<>(byName);
    changed.remove(name);
    return new TableIndexes(seed, nextId, changed);
  }

  /** The same indexes with ids for those that lack one and a seed if the table lacks it. */
  public TableIndexes withAssignedIds(LongSupplier newSeed) {
    if (isComplete()) {
      return this;
    }
    long next = nextId;
    for (IndexDefinition definition : byName.values()) {
      next = Math.max(next, definition.id() + 1L);
    }
    TreeMap<String, IndexDefinition> changed = new TreeMap<>();
    for (IndexDefinition definition : byName.values()) {
      boolean assigned = definition.id() != IndexDefinition.UNASSIGNED;
      changed.put(definition.name(), assigned ? definition : definition.withId(requireId(next++)));
    }
    return new TableIndexes(
        Optional.of(seed.orElseGet(newSeed::getAsLong)), requireId(next), changed);
  }

  private static int requireId(long id) {
    if (id > Integer.MAX_VALUE) {
      throw new DefinitionException(
          "Cannot assign ids to the indexes of this table: the next one was %d, above the highest, %d;"
                  .formatted(id, Integer.MAX_VALUE)
              + " drop the index that was given the highest id, and add it without one");
    }
    return (int) id;
  }

  /** The id the next index gets. */
  public int nextId() {
    return nextId;
  }

  private void requireBounded() {
    if (byName.size() > MAX_INDEXES) {
      throw new DefinitionException(
          "Cannot index the table: it had %d indexes; use at most %d"
              .formatted(byName.size(), MAX_INDEXES));
    }
  }

  /** Conditions on a column are read by its type, so there cannot be two. */
  private void requireOneTypeForEachColumn() {
    Map<ColumnRef, ValueType> types = new HashMap<>();
    for (IndexDefinition definition : byName.values()) {
      for (int i = 0; i < definition.columns().size(); i++) {
        ValueType type = definition.types().get(i);
        ColumnRef column = definition.columns().get(i);
        ValueType other = type == ValueType.BYTES ? null : types.put(column, type);
        if (other != null && other != type) {
          throw new DefinitionException(
              "Cannot use the indexes of this table: column %s is %s in index %s, and %s in another; give it one type in all of them; to change it, drop the others first"
                  .formatted(column, type.keyword(), definition.name(), other.keyword()));
        }
      }
    }
  }

  /** What a column holds; bytes if no index says. */
  public ValueType typeOf(ColumnRef column) {
    for (IndexDefinition definition : byName.values()) {
      int at = definition.columns().indexOf(column);
      if (at >= 0 && definition.types().get(at) != ValueType.BYTES) {
        return definition.types().get(at);
      }
    }
    return ValueType.BYTES;
  }

  private void requireDistinctIds() {
    Map<Integer, String> owners = new HashMap<>();
    for (IndexDefinition definition : byName.values()) {
      if (definition.id() == IndexDefinition.UNASSIGNED) {
        continue;
      }
      String owner = owners.put(definition.id(), definition.name());
      if (owner != null) {
        throw new DefinitionException(
            "Cannot use the indexes of this table: %s and %s both have id %d; remove the id of one"
                .formatted(owner, definition.name(), definition.id()));
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableIndexes that
        && seed.equals(that.seed)
        && nextId == that.nextId
        && byName.equals(that.byName);
  }

  @Override
  public int hashCode() {
    return byName.hashCode();
  }

  @Override
  public String toString() {
    return toAttributes().toString();
  }
}
