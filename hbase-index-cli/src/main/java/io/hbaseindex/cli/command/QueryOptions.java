/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.input.ColumnText;
import io.hbaseindex.cli.input.ConditionParser;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** A query as it is typed. */
@InterfaceAudience.Private
public final class QueryOptions {
  private static final int DEFAULT_LIMIT = 100;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Option(
      names = {"-w", "--where"},
      required = true,
      paramLabel = "CONDITION",
      description = {
        "Such as: \"f:city = Graz and f:age between long:18 and long:30\".",
        "Where an index declares what a column holds: \"f:age between 18 and 30\".",
        "Operators: = != < <= > >= ^= (starts with), in (a, b), between a and b,",
        "like 'Gr%%', is null, is not null, and, or, not, ( ).",
        "Keys: row >= a and row < b. At the end: limit 10.",
        "Values: words, 'quoted text', long:7, int:7, double:7.5, decimal:7.50, hex:00FF."
      })
  private String where;

  @Option(
      names = {"-s", "--select"},
      split = ",",
      paramLabel = "FAMILY:QUALIFIER",
      description = "Columns to show. Default: all.")
  private List<String> select = new ArrayList<>();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "ROWS",
      description = "How many rows at most. Default: " + DEFAULT_LIMIT + ".")
  private Integer limit;

  String table() {
    return table;
  }

  int limit() {
    return limit == null ? DEFAULT_LIMIT : limit;
  }

  private void limit(OptionalInt typed) {
    if (typed.isPresent() && limit != null) {
      throw new IllegalArgumentException(
          "--limit and limit in --where exclude each other; give one");
    }
    typed.ifPresent(rows -> limit = rows);
  }

  /** Whether somebody has asked for just so many rows. */
  boolean hasLimit() {
    return limit != null;
  }

  int oneMoreThanLimit() {
    return limit() == Integer.MAX_VALUE ? limit() : limit() + 1;
  }

  /**
   * What was typed.
   *
   * @param query the query
   * @param columns all columns in it
   */
  record Typed(IndexQuery query, Set<ColumnRef> columns) {}

  /**
   * Passes if what was typed makes sense, whatever the columns hold.
   *
   * @throws IllegalArgumentException if not; the message says what to do
   */
  void check(TableName name) {
    Reading reading = read(name, () -> ConditionParser.check(where));
    limit(reading.limit());
    reading.typed().query().limit(limit());
  }

  /**
   * Reads what was typed.
   *
   * @param types what columns hold
   * @throws ParameterException if it makes no sense for these; the message says what to do
   */
  Typed read(TableName name, Function<ColumnRef, ValueType> types, ClusterCommand command) {
    try {
      return read(name, () -> ConditionParser.parse(where, types)).typed();
    } catch (IllegalArgumentException e) {
      throw command.usage(e.getMessage());
    }
  }

  private record Reading(Typed typed, OptionalInt limit) {}

  private Reading read(TableName name, Supplier<ConditionParser.Parsed> parser) {
    ConditionParser.Parsed parsed;
    try {
      parsed = parser.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--where: " + e.getMessage(), e);
    }
    Set<ColumnRef> columns = new TreeSet<>(parsed.columns());
    List<Column> wanted = new ArrayList<>();
    for (String text : select) {
      ColumnRef ref = selected(text);
      columns.add(ref);
      wanted.add(Column.of(ref.family(), ref.qualifier()));
    }
    IndexQuery query =
        IndexQuery.from(name)
            .where(parsed.condition())
            .fromRow(parsed.rows().first())
            .beforeRow(parsed.rows().end());
    return new Reading(
        new Typed(wanted.isEmpty() ? query : query.select(wanted.toArray(Column[]::new)), columns),
        parsed.limit());
  }

  private static ColumnRef selected(String text) {
    try {
      return ColumnText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--select: " + e.getMessage(), e);
    }
  }
}
