/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.TextTable;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.IndexCatalog;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists indexes. */
@Command(name = "list", description = "List the indexes of one table, or of all.")
@InterfaceAudience.Private
public final class ListCommand extends ClusterCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description = "The table. Default: all tables that have indexes.")
  private String table;

  @Override
  int run(Connection connection) throws Exception {
    IndexAdmin admin = IndexAdmin.of(connection);
    IndexCatalog catalog = table == null ? admin.listAll() : catalogOf(admin, table(table));
    CommandAnswer answer = new CommandAnswer();
    JsonArray array = new JsonArray();
    TextTable text = new TextTable("TABLE", "INDEX", "COLUMNS", "MODE", "ID");
    catalog
        .indexes()
        .forEach(
            (name, definitions) ->
                definitions.forEach(
                    definition -> {
                      array.add(json(name, definition));
                      text.row(
                          name,
                          definition.name(),
                          columns(definition),
                          definition.mode().keyword(),
                          definition.id());
                    }));
    answer.json().add("indexes", array);
    if (!array.isEmpty()) {
      answer.table(text);
    } else if (catalog.unreadable().isEmpty()) {
      answer.line(
          table == null ? "No table has an index." : "Table %s has no index.".formatted(table));
    }
    describe(catalog.unreadable(), answer);
    print(answer);
    return catalog.unreadable().isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static IndexCatalog catalogOf(IndexAdmin admin, TableName name) throws IOException {
    return new IndexCatalog(
        new TreeMap<>(Map.of(name, admin.list(name))), Collections.emptySortedMap());
  }

  /** Tells which tables are not among the others, and why. */
  static void describe(Map<TableName, String> unreadable, CommandAnswer answer) {
    JsonArray tables = new JsonArray();
    unreadable.forEach(
        (name, reason) -> {
          JsonObject one = new JsonObject();
          one.addProperty("table", name.getNameAsString());
          one.addProperty("reason", reason);
          tables.add(one);
          answer.line("Table %s: %s".formatted(name, reason));
        });
    answer.json().add("unreadable", tables);
  }

  private static String columns(IndexDefinition definition) {
    String columns = String.join("+", definition.typedColumns());
    String included = definition.included().isEmpty() ? "" : " including " + included(definition);
    String times = definition.hasTimes() ? " with times" : "";
    String where = definition.isPartial() ? " where " + definition.condition() : "";
    String ranges = definition.routesRanges() ? "" : ", ranges not routed";
    return routes(definition).stream()
        .map(route -> " [" + route + "]")
        .collect(Collectors.joining("", columns, included + times + where + ranges));
  }

  /** The types of an index's columns, joined. */
  static String types(IndexDefinition definition) {
    return definition.types().stream().map(ValueType::keyword).collect(Collectors.joining("+"));
  }

  /** The columns that an index includes, joined; empty if there are none. */
  static String included(IndexDefinition definition) {
    return definition.included().stream().map(ColumnRef::toString).collect(Collectors.joining("+"));
  }

  private static List<String> routes(IndexDefinition definition) {
    return definition.declaredRoutes().stream().map(route -> route.text(definition)).toList();
  }

  private static JsonObject json(TableName table, IndexDefinition definition) {
    JsonObject object = new JsonObject();
    object.addProperty("table", table.getNameAsString());
    object.addProperty("index", definition.name());
    object.addProperty("id", definition.id());
    object.addProperty("mode", definition.mode().keyword());
    JsonArray columns = new JsonArray();
    definition.columns().forEach(column -> columns.add(column.toString()));
    object.add("columns", columns);
    JsonArray types = new JsonArray();
    definition.types().forEach(type -> types.add(type.keyword()));
    object.add("types", types);
    JsonArray included = new JsonArray();
    definition.included().forEach(column -> included.add(column.toString()));
    object.add("includes", included);
    object.addProperty("times", definition.hasTimes());
    object.addProperty("where", definition.condition().toString());
    JsonArray routes = new JsonArray();
    routes(definition).forEach(routes::add);
    object.add("routes", routes);
    object.addProperty("ranges", definition.routesRanges());
    return object;
  }
}
