/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.input.ColumnText;
import io.hbaseindex.cli.input.SummedColumn;
import io.hbaseindex.cli.input.TypedColumns;
import io.hbaseindex.cli.input.WrittenTimes;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.RowPrinter;
import io.hbaseindex.cli.output.RowStyle;
import io.hbaseindex.cli.output.ShownRow;
import io.hbaseindex.cli.output.SumText;
import io.hbaseindex.cli.output.TextTable;
import io.hbaseindex.cli.output.ValueStyle;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.Page;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.sum.Sum;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds rows by the values of their columns. */
@Command(name = "query", description = "Find rows by the values of their columns.")
@InterfaceAudience.Private
public final class QueryCommand extends ClusterCommand {
  @Mixin private QueryOptions options;

  @Option(
      names = "--count",
      description = "Print only how many rows there are; with a limit, no more than that.")
  private boolean count;

  @Option(
      names = "--by",
      paramLabel = "hour|day|month",
      description =
          "With --count: how many rows there are by the hour, day or month of UTC in which a column was last written.")
  private String by;

  @Option(
      names = "--time-of",
      paramLabel = "FAMILY:QUALIFIER",
      description =
          "The column whose time --by means. Default: that of the condition, if it has one.")
  private String timeOf;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "With --by: only times from this one on, such as 2026-03-01 or 2026-03-01T12:00Z.")
  private String since;

  @Option(
      names = "--before",
      paramLabel = "TIME",
      description = "With --by: only times before this one.")
  private String before;

  @Option(names = "--exists", description = "Print only whether there is one; ends with 1 if not.")
  private boolean exists;

  @Option(
      names = "--sum",
      paramLabel = "FAMILY:QUALIFIER[=TYPE]",
      description =
          "Print only what a column of all rows adds up to. Without a type the one that an index declares.")
  private String sum;

  @Option(
      names = "--page",
      description = "Print --limit rows and a token for the next ones, to be given by --token.")
  private boolean page;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "Go on behind an earlier page of the same query; implies --page.")
  private String token;

  @Option(
      names = "--as",
      split = ",",
      paramLabel = "FAMILY:QUALIFIER=TYPE",
      description =
          "Show values of a column as text, hex or a type such as long, decimal, boolean. Default: as an index declares it, or text.")
  private List<String> types = new ArrayList<>();

  @Option(names = "--timestamps", description = "Show when each value was written, in ms.")
  private boolean timestamps;

  private QueryOptions.Typed typed;
  private Map<ColumnRef, ValueStyle> chosen;
  private RowStyle style;
  private Optional<SummedColumn> summed;
  private Optional<WrittenTimes> times;

  @Override
  void validate() {
    boolean paged = page || token != null;
    long answers = Stream.of(count, exists, sum != null, paged).filter(given -> given).count();
    if (answers > 1) {
      throw usage("--count, --exists, --sum and --page exclude each other; give one");
    }
    if (by != null && !count) {
      throw usage("--by counts rows; give --count, too");
    }
    try {
      options.check(table(options.table()));
      chosen = TypedColumns.parse(types);
      summed = Optional.ofNullable(sum).map(SummedColumn::parse);
      times = WrittenTimes.parse(by, timeOf, since, before);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  @Override
  int run(Connection connection) throws Exception {
    TableDescriptor table = describe(connection, table(options.table()));
    Function<ColumnRef, ValueType> declared = TypedColumns.declaredIn(table);
    typed = options.read(table.getTableName(), declared, this);
    style = new RowStyle(chosen, declared, timestamps);
    ColumnText.requireFamilies(table, typed.columns());
    remarkOnIndexes(table);
    QueryClient client = QueryClient.of(connection);
    CommandAnswer answer = new CommandAnswer();
    if (times.isPresent()) {
      ColumnRef column = timedColumn(times.get());
      ColumnText.requireFamilies(table, List.of(column));
      return countByTime(client, column, times.get(), answer);
    }
    if (count) {
      return count(client, answer);
    }
    if (exists) {
      return exists(client, answer);
    }
    if (summed.isPresent()) {
      ColumnText.requireFamilies(table, List.of(summed.get().column()));
      return sum(client, summed.get().typed(declared), answer);
    }
    return page || token != null ? page(client, answer) : rows(client);
  }

  private void remarkOnIndexes(TableDescriptor table) {
    TableIndexes indexes;
    try {
      indexes = IndexedTableDescriptor.indexesOf(table);
    } catch (DefinitionException e) {
      note(e.getMessage() + "; the query reads all of it.");
      return;
    }
    boolean helpful =
        indexes.definitions().stream()
            .filter(index -> typed.columns().contains(index.columns().get(0)))
            .anyMatch(index -> typed.columns().containsAll(index.condition().columns()));
    if (indexes.isEmpty()) {
      note("Table %s has no index; the query reads all of it.".formatted(table.getTableName()));
    } else if (!helpful) {
      note(
          "No index of table %s begins with a column of the condition, or has all rows that it asks for; the query reads all of it."
              .formatted(table.getTableName()));
    }
  }

  private int count(QueryClient client, CommandAnswer answer) throws IOException {
    IndexQuery query = typed.query();
    long rows = client.count(options.hasLimit() ? query.limit(options.limit()) : query);
    answer.json().addProperty("count", rows);
    print(answer.line(Long.toString(rows)));
    return ExitCode.OK;
  }

  private ColumnRef timedColumn(WrittenTimes asked) {
    try {
      return asked.columnAmong(typed.columns());
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  private int countByTime(
      QueryClient client, ColumnRef column, WrittenTimes asked, CommandAnswer answer)
      throws IOException {
    Map<Instant, Long> found;
    try {
      IndexQuery query = typed.query();
      found =
          client.countByTime(
              options.hasLimit() ? query.limit(options.limit()) : query,
              Column.of(column.family(), column.qualifier()),
              asked.span());
    } catch (IllegalArgumentException e) {
      throw usage("--by: " + e.getMessage());
    }
    JsonArray counts = new JsonArray();
    TextTable text = new TextTable(by.toUpperCase(Locale.ROOT), "ROWS");
    found.forEach(
        (start, rows) -> {
          JsonObject object = new JsonObject();
          object.addProperty(by, asked.text(start));
          object.addProperty("rows", rows);
          counts.add(object);
          text.row(asked.text(start), Long.toString(rows));
        });
    answer.json().add("counts", counts);
    if (!found.isEmpty()) {
      answer.table(text);
    }
    long rows = found.values().stream().mapToLong(Long::longValue).sum();
    print(answer.line(rows == 1 ? "1 row" : rows + " rows"));
    return ExitCode.OK;
  }

  private int sum(QueryClient client, Column column, CommandAnswer answer) throws IOException {
    Sum found;
    try {
      found =
          client.sum(
              options.hasLimit() ? typed.query().limit(options.limit()) : typed.query(), column);
    } catch (IllegalArgumentException e) {
      throw usage("--sum: " + e.getMessage());
    }
    SumText shown = new SumText(found, column.type());
    answer.json().add("sum", shown.json());
    TextTable text = new TextTable("SUM", "NUMBERS", "AVERAGE");
    text.row(shown.total(), Long.toString(found.numbers()), shown.average());
    answer.table(text);
    if (!shown.remark().isEmpty()) {
      answer.line(shown.remark());
    }
    print(answer);
    return ExitCode.OK;
  }

  private int exists(QueryClient client, CommandAnswer answer) throws IOException {
    boolean found = client.exists(typed.query());
    answer.json().addProperty("exists", found);
    print(answer.line(found ? "yes" : "no"));
    return found ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private int rows(QueryClient client) throws IOException {
    boolean more = false;
    // One more than are shown tells whether there are more.
    try (FoundRows rows = client.rows(typed.query().limit(options.oneMoreThanLimit()))) {
      RowPrinter printer = rowPrinter(style);
      int shown = 0;
      for (FoundRow row : rows) {
        more = shown == options.limit();
        if (more) {
          break;
        }
        printer.print(ShownRow.of(row, style));
        shown++;
      }
      printer.end(more);
    }
    if (more && !options.hasLimit()) {
      note(
          "There are more rows than %d; name another number by --limit, or go through them with --page."
              .formatted(options.limit()));
    }
    return ExitCode.OK;
  }

  private int page(QueryClient client, CommandAnswer answer) throws IOException {
    Page found;
    try {
      found = client.page(typed.query(), options.limit(), Optional.ofNullable(token));
    } catch (IllegalArgumentException e) {
      throw usage("--token: " + e.getMessage());
    }
    show(found.rows(), answer);
    answer.json().addProperty("next", found.next().orElse(null));
    found.next().ifPresent(next -> answer.line("next page: --token " + next));
    print(answer);
    return ExitCode.OK;
  }

  private void show(List<FoundRow> found, CommandAnswer answer) {
    JsonArray rows = new JsonArray();
    TextTable text = style.table();
    for (FoundRow row : found) {
      ShownRow shown = ShownRow.of(row, style);
      shown.lines().forEach(text::row);
      rows.add(shown.json());
    }
    answer.json().add("rows", rows);
    if (!found.isEmpty()) {
      answer.table(text);
    }
    answer.line(found.size() == 1 ? "1 row" : found.size() + " rows");
  }
}
