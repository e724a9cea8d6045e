/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.input.ColumnText;
import io.hbaseindex.cli.input.ConditionParser;
import io.hbaseindex.cli.input.SummedColumn;
import io.hbaseindex.cli.input.TypedColumns;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.SumText;
import io.hbaseindex.cli.output.TextTable;
import io.hbaseindex.cli.output.ValueStyle;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.ValueCount;
import io.hbaseindex.client.query.sum.ValueSum;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
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
      names = "--sum",
      paramLabel = "FAMILY:QUALIFIER[=TYPE]",
      description =
          "Also what another column of the rows of each value adds up to. Without a type the one that an index declares.")
  private String sum;

  @Option(
      names = "--as",
      paramLabel = "TYPE",
      description =
          "Show values as text, hex or a type such as long, decimal, boolean. Default: as an index declares it, or text.")
  private String as;

  private Column grouped;
  private Optional<ValueStyle> chosen;
  private Optional<SummedColumn> summed;
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
      summed = Optional.ofNullable(sum).map(SummedColumn::parse);
      summed.map(SummedColumn::column).ifPresent(columns::add);
      chosen = Optional.ofNullable(as).map(ValueStyle::named);
      if (where != null) {
        requireNoLimit(ConditionParser.check(where));
      }
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  private static void requireNoLimit(ConditionParser.Parsed parsed) {
    if (parsed.limit().isPresent()) {
      throw new IllegalArgumentException("--where has a limit, which values have not; use --top");
    }
  }

  private IndexQuery read(Function<ColumnRef, ValueType> types) {
    IndexQuery.Start start = IndexQuery.from(table(table));
    if (where == null) {
      return start.where(grouped.isPresent());
    }
    ConditionParser.Parsed parsed;
    try {
      parsed = ConditionParser.parse(where, types);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
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
    TableDescriptor descriptor = describe(connection, table(table));
    Function<ColumnRef, ValueType> declared = TypedColumns.declaredIn(descriptor);
    IndexQuery query = read(declared);
    ColumnText.requireFamilies(descriptor, columns);
    ValueStyle style =
        chosen.orElseGet(() -> ValueStyle.of(declared.apply(ColumnText.parse(column))));
    Column ordered = grouped.as(style.type());
    QueryClient client = QueryClient.of(connection);
    if (summed.isPresent()) {
      return sums(client, query, ordered, summed.get().typed(declared), style);
    }
    List<ValueCount> found =
        top == null ? client.values(query, ordered) : client.top(query, ordered, top);
    CommandAnswer answer = new CommandAnswer();
    JsonArray values = new JsonArray();
    TextTable text = new TextTable("VALUE", "ROWS");
    for (ValueCount value : found) {
      JsonPrimitive shown = style.show(value.value());
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

  private int sums(
      QueryClient client, IndexQuery query, Column ordered, Column added, ValueStyle style)
      throws IOException {
    List<ValueSum> found;
    try {
      found = client.sums(query, ordered, added);
    } catch (IllegalArgumentException e) {
      throw usage("--sum: " + e.getMessage());
    }
    if (top != null) {
      found =
          found.stream()
              .sorted(Comparator.comparingLong(ValueSum::rows).reversed())
              .limit(top)
              .toList();
    }
    CommandAnswer answer = new CommandAnswer();
    JsonArray values = new JsonArray();
    TextTable text = new TextTable("VALUE", "ROWS", "SUM", "AVERAGE");
    for (ValueSum value : found) {
      SumText shown = new SumText(value.sum(), added.type());
      JsonPrimitive name = style.show(value.value());
      JsonObject object = new JsonObject();
      object.add("value", name);
      object.addProperty("rows", value.rows());
      object.add("sum", shown.json());
      values.add(object);
      text.row(name.getAsString(), Long.toString(value.rows()), shown.total(), shown.average());
    }
    answer.json().add("values", values);
    if (!found.isEmpty()) {
      answer.table(text);
    }
    print(answer.line(found.size() == 1 ? "1 value" : found.size() + " values"));
    return ExitCode.OK;
  }
}
