/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** An index definition as the text of its table attribute. */
final class DefinitionText {
  private static final Set<String> KEYS =
      Set.of(
          "id",
          "version",
          "columns",
          "types",
          "mode",
          "includes",
          "times",
          "where",
          "routes",
          "ranges");

  /** No character of a column's text: see {@link ColumnRef#toString}. */
  private static final String BETWEEN_ROUTES = " ";

  private static final String BETWEEN_COLUMNS = "+";
  private static final String WITH_RANGES = "yes";
  private static final String WITHOUT_RANGES = "no";

  /** What the times of an index's own cells are, where it says anything of them. */
  private static final String KEPT = "kept";

  private DefinitionText() {}

  /** Reads what {@link #of} has written, or somebody has typed. */
  static IndexDefinition parse(String name, String text) {
    AttributeText fields = AttributeText.parse(text, KEYS);
    IndexDefinition.Builder parts =
        new IndexDefinition.Builder(parseColumns(fields.required("columns")))
            .id(fields.number("id", 1, IndexDefinition.UNASSIGNED))
            .version(fields.number("version", 1, 1))
            .named(name);
    fields.given("types").ifPresent(types -> parts.types(parseTypes(types)));
    fields.given("includes").ifPresent(further -> parts.including(parseColumns(further)));
    fields.given("where").map(IndexCondition::parse).ifPresent(parts::condition);
    for (String route : fields.optional("routes", "").split("\\s+")) {
      if (!route.isEmpty()) {
        parts.routes(parseColumns(route));
      }
    }
    if (hasTimes(fields.optional("times", ""))) {
      parts.withTimes();
    }
    if (!hasRanges(fields.optional("ranges", WITH_RANGES))) {
      parts.noRanges();
    }
    return parts.build(IndexMode.parse(fields.optional("mode", IndexMode.EAGER.keyword())));
  }

  private static boolean hasRanges(String text) {
    if (!text.equals(WITH_RANGES) && !text.equals(WITHOUT_RANGES)) {
      throw new DefinitionException(
          "ranges was \"%s\"; write %s or %s".formatted(text, WITH_RANGES, WITHOUT_RANGES));
    }
    return text.equals(WITH_RANGES);
  }

  private static List<ValueType> parseTypes(String text) {
    return Arrays.stream(text.split("\\+", -1)).map(String::strip).map(ValueType::parse).toList();
  }

  private static boolean hasTimes(String text) {
    if (!text.isEmpty() && !text.equals(KEPT)) {
      throw new DefinitionException(
          "times was \"" + text + "\"; write " + KEPT + ", or leave it out");
    }
    return !text.isEmpty();
  }

  private static List<ColumnRef> parseColumns(String text) {
    List<ColumnRef> columns = new ArrayList<>();
    for (String column : text.split("\\+", -1)) {
      columns.add(ColumnRef.parse(column.strip()));
    }
    return columns;
  }

  /** The definition as its table attribute holds it; {@link #parse} reads it back. */
  static String of(IndexDefinition index) {
    String routes =
        index.declaredRoutes().stream()
            .map(route -> route.text(index))
            .collect(Collectors.joining(BETWEEN_ROUTES));
    return ofPostings(index)
        + (routes.isEmpty() ? "" : ", routes=" + routes)
        + (index.routesRanges() ? "" : ", ranges=" + WITHOUT_RANGES);
  }

  /** What decides which postings the index has: the same text in every release. */
  static String ofPostings(IndexDefinition index) {
    String id = index.id() == IndexDefinition.UNASSIGNED ? "" : "id=" + index.id() + ", ";
    String types =
        index.hasTypes()
            ? index.types().stream()
                .map(ValueType::keyword)
                .collect(Collectors.joining(BETWEEN_COLUMNS, ", types=", ""))
            : "";
    String includes =
        index.included().isEmpty() ? "" : ", includes=" + columnsText(index.included());
    return id
        + ("version=" + index.version())
        + (", columns=" + columnsText(index.columns()))
        + types
        + (", mode=" + index.mode().keyword())
        + includes
        + (index.hasTimes() ? ", times=" + KEPT : "")
        + (index.isPartial() ? ", where=" + index.condition() : "");
  }

  private static String columnsText(List<ColumnRef> columns) {
    return columns.stream().map(ColumnRef::toString).collect(Collectors.joining(BETWEEN_COLUMNS));
  }
}
