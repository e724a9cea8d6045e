/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.input.ColumnText;
import io.hbaseindex.cli.input.ConditionParser;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.TextTable;
import io.hbaseindex.cli.output.ValueType;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.ValueCount;
import io.hbaseindex.core.definition.ColumnRef;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the distinct values of a column, and how many rows show each. */
@Command(name = "values", description = "List the values of a column, and how many rows show each.")
@InterfaceAudience.Private
public final class ValuesCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "FAMILY:QUALIFIER", description = "The column.")
  private String column;

  @Option(
      names = {"-w", "--where"},
      paramLabel = "CONDITION",
      description = "Only rows that meet it, as in query. Default: all that have the column.")
  private String where;

  @Option(
      names = "--top",
      paramLabel = "VALUES",
      description = "Only so many of the most frequent values, the most frequent first.")
  private Integer top;

  @Option(
      names = "--as",
      paramLabel = "TYPE",
      description =
          "Show values as long, int, short, double, float, boolean, hex or text. Default: text.")
  private String as = "text";

  private Column grouped;
  private IndexQuery query;
  private ValueType type;
  private final Set<ColumnRef> columns = new TreeSet<>();

  @Override
  void validate() {
    if (top != null && top < 1) {
      throw usage("--top was %d; ask for at least one value".formatted(top));
    }
    try {
      ColumnRef ref = ColumnText.parse(column);
      columns.add(ref);
      grouped = Column.of(ref.family(), ref.qualifier());
      type = ValueType.named(as);
      query = read();
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  private IndexQuery read() {
    IndexQuery.Start start = IndexQuery.from(table(table));
    if (where == null) {
      return start.where(grouped.isPresent());
    }
    ConditionParser.Parsed parsed = ConditionParser.parse(where);
    if (parsed.limit().isPresent()) {
      throw new IllegalArgumentException("--where has a limit, which values have not; use --top");
    }
    if (parsed.order().isPresent()) {
      throw new IllegalArgumentException(
          "--where has an order, which values have not; they come in that of their bytes, or by --top");
    }
    columns.addAll(parsed.columns());
    return start
        .where(parsed.condition())
        .fromRow(parsed.rows().first())
        .beforeRow(parsed.rows().end());
  }

  @Override
  int run(Connection connection) throws Exception {
    ColumnText.requireFamilies(describe(connection, query.table()), columns);
    QueryClient client = QueryClient.of(connection);
    List<ValueCount> found =
        top == null ? client.values(query, grouped) : client.top(query, grouped, top);
    CommandAnswer answer = new CommandAnswer();
    JsonArray values = new JsonArray();
    TextTable text = new TextTable("VALUE", "ROWS");
    for (ValueCount value : found) {
      JsonPrimitive shown = type.show(value.value());
      JsonObject object = new JsonObject();
      object.add("value", shown);
      object.addProperty("rows", value.rows());
      values.add(object);
      text.row(shown.getAsString(), Long.toString(value.rows()));
    }
    answer.json().add("values", values);
    if (!found.isEmpty()) {
      answer.table(text);
    }
    print(answer.line(found.size() == 1 ? "1 value" : found.size() + " values"));
    return ExitCode.OK;
  }
}
