/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What every index definition must be like. */
final class DefinitionRules {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");

  private DefinitionRules() {}

  /**
   * Passes if an index can be kept as it is defined.
   *
   * @throws DefinitionException if not; the message says what to do
   */
  static void require(IndexDefinition index) {
    requireName(index.name());
    requireColumns(index.name(), index.columns());
    requireTypes(index);
    requireIncluded(index);
  }

  private static void requireName(String name) {
    if (name.isEmpty()) {
      throw new DefinitionException("Cannot define an index: its name was empty; name it");
    }
    if (name.length() > IndexDefinition.MAX_NAME_LENGTH) {
      throw new DefinitionException(
          "Cannot define index %.20s…: its name was %d characters long; use at most %d"
              .formatted(name, name.length(), IndexDefinition.MAX_NAME_LENGTH));
    }
    if (!NAME.matcher(name).matches()) {
      throw new DefinitionException(
          "Cannot define an index: its name was \""
              + name
              + "\"; use ASCII letters, digits, '_', '-' and '.', not starting with '-' or '.'");
    }
  }

  private static void requireColumns(String name, List<ColumnRef> columns) {
    if (columns.isEmpty() || columns.size() > IndexDefinition.MAX_COLUMNS) {
      throw new DefinitionException(
          "Cannot define index %s: it had %d columns; use 1 to %d"
              .formatted(name, columns.size(), IndexDefinition.MAX_COLUMNS));
    }
    Set<ColumnRef> seen = new HashSet<>();
    for (ColumnRef column : columns) {
      if (!seen.add(column)) {
        throw new DefinitionException(
            "Cannot define index %s: column %s is there twice; keep one".formatted(name, column));
      }
    }
  }

  private static void requireTypes(IndexDefinition index) {
    if (index.types().size() != index.columns().size()) {
      throw new DefinitionException(
          "Cannot define index %s: it had %d types for %d columns; name one for each, bytes where there is none"
              .formatted(index.name(), index.types().size(), index.columns().size()));
    }
  }

  private static void requireIncluded(IndexDefinition index) {
    String name = index.name();
    List<ColumnRef> included = index.included();
    if (included.size() > IndexDefinition.MAX_INCLUDED) {
      throw new DefinitionException(
          "Cannot define index %s: it included %d columns; include at most %d"
              .formatted(name, included.size(), IndexDefinition.MAX_INCLUDED));
    }
    if (!included.isEmpty() && !index.isEager()) {
      throw new DefinitionException(
          "Cannot define index %s: it was lazy and included %s; a lazy index has to ask rows in any case, so make it eager or include nothing"
              .formatted(name, included));
    }
    if (index.hasTimes() && !index.isEager()) {
      throw new DefinitionException(
          "Cannot define index %s: it was lazy and kept times; a lazy index has to ask rows in any case, so make it eager or keep none"
              .formatted(name));
    }
    Set<ColumnRef> seen = new HashSet<>(index.columns());
    for (ColumnRef column : included) {
      if (!seen.add(column)) {
        throw new DefinitionException(
            "Cannot define index %s: it includes column %s, which it has already; include it once or not at all"
                .formatted(name, column));
      }
    }
  }
}
