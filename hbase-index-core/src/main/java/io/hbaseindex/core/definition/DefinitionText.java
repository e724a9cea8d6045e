/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An index definition as the text of its table attribute. */
final class DefinitionText {
  private static final Set<String> KEYS =
      Set.of("id", "version", "columns", "types", "mode", "includes", "where", "routes", "ranges");

  /** No character of a column's text: see {@link ColumnRef#toString}. */
  private static final String BETWEEN_ROUTES = " ";

  private static final String BETWEEN_COLUMNS = "+";
  private static final String WITH_RANGES = "yes";
  private static final String WITHOUT_RANGES = "no";

  private DefinitionText() {}

  /** Reads what {@link #of} has written, or somebody has typed. */
  static IndexDefinition parse(String name, String text) {
    AttributeText fields = AttributeText.parse(text, KEYS);
    List<List<ColumnRef>> routes = new ArrayList<>();
    String routesText = fields.optional("routes", "");
    if (!routesText.isEmpty()) {
      for (String route : routesText.split("\\s+")) {
        routes.add(parseColumns(route));
      }
    }
    String includes = fields.optional("includes", "");
    String where = fields.optional("where", "");
    return new IndexDefinition(
            fields.number("id", 1, IndexDefinition.UNASSIGNED),
            fields.number("version", 1, 1),
            name,
            parseColumns(fields.required("columns")),
            parseTypes(fields.optional("types", "")),
            includes.isEmpty() ? List.of() : parseColumns(includes),
            where.isEmpty() ? IndexCondition.NONE : IndexCondition.parse(where),
            IndexMode.parse(fields.optional("mode", IndexMode.EAGER.keyword())),
            new TreeSet<>(),
            parseRanges(fields.optional("ranges", WITH_RANGES)))
        .declaring(routes);
  }

  private static boolean parseRanges(String text) {
    if (!text.equals(WITH_RANGES) && !text.equals(WITHOUT_RANGES)) {
      throw new DefinitionException(
          "ranges was \"%s\"; write %s or %s".formatted(text, WITH_RANGES, WITHOUT_RANGES));
    }
    return text.equals(WITH_RANGES);
  }

  private static List<ValueType> parseTypes(String text) {
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split("\\+", -1)).map(String::strip).map(ValueType::parse).toList();
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
        + (index.isPartial() ? ", where=" + index.condition() : "");
  }

  private static String columnsText(List<ColumnRef> columns) {
    return columns.stream().map(ColumnRef::toString).collect(Collectors.joining(BETWEEN_COLUMNS));
  }
}
