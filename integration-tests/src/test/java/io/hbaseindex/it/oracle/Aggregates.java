/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.Page;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.TypedValue;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.client.query.ValueCount;
import io.hbaseindex.client.query.sum.Sum;
import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.TimeBucket;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.it.index.IndexProbe;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks for values of columns, the most frequent, lowest and highest of them, their sums, whether
 * there are such rows, and for the first and last rows in the order of a column, under random
 * conditions. What regions tell must be what the rows of a plain scan show.
 */
final class Aggregates {

  /** A question that meets expiring values is asked again until the plain answer stands still. */
  private static final int TRIES_WHILE_VALUES_EXPIRE = 30;

  private static final int PAGES = 3;
  private static final long RECENTLY = 20_000;
  private static final List<Column> COLUMNS = List.of(Column.values());

  private final Connection connection;
  private final TableName name;
  private final Universe universe;
  private final SplittableRandom random;
  private final History history;
  private final QueryClient client;
  private final CountTally tally;
  private final CountTally timesTally;

  /** What is asked of the values that rows show in a column. */
  private enum Kind {
    VALUES,
    TOP,
    MIN,
    MAX,
    EXISTS,
    SUM,
    SUMS,
    TIMES,
    FIRST,
    LAST,
    PAGES;

    boolean ordered() {
      return this == FIRST || this == LAST || this == PAGES;
    }
  }

  /**
   * One question.
   *
   * @param column whose values are asked for
   * @param type by which its values are ordered
   * @param most how many of the most frequent ones
   * @param span which times of its cells are asked for
   */
  private record Question(
      Kind kind,
      IndexQuery query,
      Column column,
      ValueType type,
      Set<Column> selected,
      int most,
      CountedTimes span) {
    /** The query in the order of the column. */
    IndexQuery inOrder() {
      return query.orderBy(asked(column).as(type));
    }

    /** The column that is added up, by its type if that is one of numbers. */
    Column added() {
      return kind == Kind.SUM ? column : COLUMNS.get((column.ordinal() + most) % COLUMNS.size());
    }

    ValueType addedAs() {
      ValueType declared = OracleTable.typeOf(added());
      return declared.width() > 1 || declared.keyword().endsWith("decimal")
          ? declared
          : ValueType.LONG;
    }

    /** How many rows in order are asked for. */
    int rows() {
      return most * most * most;
    }

    /** The cells of a row that the query selects. */
    Result selected(Result row) {
      return selected.isEmpty()
          ? row
          : Result.create(
              Arrays.stream(row.rawCells())
                  .filter(
                      cell ->
                          selected.stream()
                              .anyMatch(
                                  c -> CellUtil.matchingColumn(cell, c.family(), c.qualifier())))
                  .toList());
    }

    @Override
    public String toString() {
      return "%s of %s: %s".formatted(kind, column, query);
    }
  }

  /** The rows that a plain scan shows, and how many of them show each value. */
  private record Shown(List<Result> rows, TreeMap<byte[], Long> byValue) {
    private List<ValueCount> values() {
      return byValue.entrySet().stream()
          .map(value -> new ValueCount(value.getKey(), value.getValue()))
          .toList();
    }
  }

  Aggregates(
      Connection connection,
      TableName name,
      Universe universe,
      SplittableRandom random,
      History history,
      OracleTally tally) {
    this.connection = connection;
    this.name = name;
    this.universe = universe;
    this.random = random;
    this.history = history;
    this.client = QueryClient.of(connection);
    this.tally = tally.values();
    this.timesTally = tally.times();
  }

  /**
   * Asks a question of each kind.
   *
   * @param ready whether all indexes are ready, so that it counts how they were answered
   * @throws AssertionError if an answer is not what the plain scan shows
   */
  void compare(boolean ready) throws IOException {
    for (Kind kind : Kind.values()) {
      compare(kind, ready);
    }
  }

  private void compare(Kind kind, boolean ready) throws IOException {
    Column indexed = any();
    Column column = random.nextInt(4) == 0 ? any() : indexed;
    IndexQuery query = within(IndexQuery.from(name).where(condition(indexed)));
    Set<Column> selected =
        kind.ordered() && random.nextBoolean() ? EnumSet.of(column, any()) : Set.of();
    Question question =
        new Question(
            kind,
            query.select(selected.stream().map(Aggregates::asked).toArray(Aggregates::columns)),
            column,
            // An index serves the order of its type only.
            random.nextInt(8) == 0 ? ValueType.BYTES : OracleTable.typeOf(column),
            selected,
            1 + random.nextInt(4),
            span());
    boolean byPostings =
        ready
            && column == indexed
            && indexed.certain()
            && (kind != Kind.SUMS || question.added() == column);
    CountTally watching = kind == Kind.TIMES ? timesTally : tally;
    Object told = watching.watch(name, byPostings, () -> ask(question));
    if (!told.equals(expected(question, shown(question)))) {
      compareWhileValuesExpire(question);
    }
  }

  /** All times, or those from a moment or up to a moment at which rows were written. */
  private CountedTimes span() {
    long moment = System.currentTimeMillis() - random.nextLong(RECENTLY);
    return switch (random.nextInt(3)) {
      case 0 -> new CountedTimes(TimeBucket.HOUR, moment, Long.MAX_VALUE);
      case 1 -> new CountedTimes(TimeBucket.HOUR, 0, moment);
      default -> CountedTimes.all(TimeBucket.HOUR);
    };
  }

  private IndexQuery within(IndexQuery query) {
    return switch (random.nextInt(8)) {
      case 0 -> query.fromRow(universe.row(random));
      case 1 -> query.beforeRow(universe.row(random));
      default -> query;
    };
  }

  private void compareWhileValuesExpire(Question question) throws IOException {
    for (int attempt = 0; attempt < TRIES_WHILE_VALUES_EXPIRE; attempt++) {
      Object before = expected(question, shown(question));
      Object told = ask(question);
      if (before.equals(expected(question, shown(question)))) {
        if (!told.equals(before)) {
          throw new AssertionError(
              "After %d operations the regions answered %s, the plain scan %s to %s%n%s"
                  .formatted(history.operations(), told, before, question, history.eventLog()));
        }
        return;
      }
    }
    throw new AssertionError("The plain scan never gave the same answer twice: " + question);
  }

  private Object ask(Question question) throws IOException {
    io.hbaseindex.client.query.Column column = asked(question.column());
    return switch (question.kind()) {
      case VALUES -> client.values(question.query(), column);
      case TOP -> client.top(question.query(), column, question.most());
      case MIN -> client.min(question.query(), column).map(ByteBuffer::wrap);
      case MAX -> client.max(question.query(), column).map(ByteBuffer::wrap);
      case EXISTS -> client.exists(question.query());
      case SUM ->
          sumText(client.sum(question.query(), asked(question.column()).as(question.addedAs())));
      case SUMS ->
          client
              .sums(question.query(), column, asked(question.added()).as(question.addedAs()))
              .stream()
              .map(one -> Bytes.toStringBinary(one.value()) + one.rows() + sumText(one.sum()))
              .toList();
      case TIMES -> client.countByTime(question.query(), column, question.span());
      case FIRST -> texts(client.rows(question.inOrder().limit(question.rows())));
      case LAST -> texts(client.rows(question.inOrder().descending().limit(question.rows())));
      case PAGES -> pages(question.inOrder(), question.most());
    };
  }

  private static List<String> texts(FoundRows rows) {
    try (rows) {
      return rows.stream().map(row -> text(row.result(), row.key())).toList();
    }
  }

  /** The first pages of rows in order. */
  private List<String> pages(IndexQuery query, int size) throws IOException {
    List<String> rows = new ArrayList<>();
    Optional<String> token = Optional.empty();
    for (int i = 0; i < PAGES && (i == 0 || token.isPresent()); i++) {
      Page page = client.page(query, size, token);
      page.rows().forEach(row -> rows.add(text(row.result(), row.key())));
      token = page.next();
    }
    return rows;
  }

  private static String text(Result row, byte[] key) {
    return Bytes.toStringBinary(key)
        + " "
        + (row.isEmpty() ? List.of() : Arrays.asList(row.rawCells()));
  }

  /** The rows in the order of the column, with the cells that the query selects. */
  private static List<String> ordered(
      Question question, Shown shown, boolean descending, int most) {
    byte[] family = question.column().family();
    byte[] qualifier = question.column().qualifier();
    Comparator<Result> rising =
        Comparator.comparing(
                (Result r) -> PostingForm.of(question.type(), r.getValue(family, qualifier)),
                Bytes.BYTES_COMPARATOR)
            .thenComparing(Result::getRow, Bytes.BYTES_COMPARATOR);
    return shown.rows().stream()
        .filter(row -> row.containsColumn(family, qualifier))
        .sorted(descending ? rising.reversed() : rising)
        .limit(most)
        .map(row -> text(question.selected(row), row.getRow()))
        .toList();
  }

  private static Object expected(Question question, Shown shown) {
    return switch (question.kind()) {
      case VALUES -> shown.values();
      case TOP ->
          shown.values().stream()
              .sorted(Comparator.comparingLong(ValueCount::rows).reversed())
              .limit(question.most())
              .toList();
      case MIN -> Optional.ofNullable(shown.byValue().firstEntry()).map(e -> wrap(e.getKey()));
      case MAX -> Optional.ofNullable(shown.byValue().lastEntry()).map(e -> wrap(e.getKey()));
      case EXISTS -> !shown.rows().isEmpty();
      case SUM -> sumText(sumOf(question, shown.rows().stream()));
      case SUMS ->
          shown.byValue().entrySet().stream()
              .map(
                  group ->
                      Bytes.toStringBinary(group.getKey())
                          + group.getValue()
                          + sumText(sumOf(question, rowsWith(question, shown, group.getKey()))))
              .toList();
      case TIMES -> timesOf(question, shown);
      case FIRST -> ordered(question, shown, false, question.rows());
      case LAST -> ordered(question, shown, true, question.rows());
      case PAGES -> ordered(question, shown, false, PAGES * question.most());
    };
  }

  private static TreeMap<Instant, Long> timesOf(Question question, Shown shown) {
    CountedTimes span = question.span();
    TreeMap<Instant, Long> times = new TreeMap<>();
    for (Result row : shown.rows()) {
      Cell cell =
          row.getColumnLatestCell(question.column().family(), question.column().qualifier());
      if (cell != null
          && cell.getTimestamp() >= span.from()
          && cell.getTimestamp() < span.before()) {
        Instant time = Instant.ofEpochMilli(cell.getTimestamp());
        times.merge(time.truncatedTo(ChronoUnit.HOURS), 1L, Long::sum);
      }
    }
    return times;
  }

  private static Stream<Result> rowsWith(Question question, Shown shown, byte[] value) {
    byte[] family = question.column().family();
    byte[] qualifier = question.column().qualifier();
    return shown.rows().stream()
        .filter(row -> Arrays.equals(value, row.getValue(family, qualifier)));
  }

  /** Adds up what rows show, one after the other. */
  private static Sum sumOf(Question question, Stream<Result> rows) {
    BigDecimal total = BigDecimal.ZERO;
    long numbers = 0;
    long skipped = 0;
    for (Result row : rows.toList()) {
      byte[] cell = row.getValue(question.added().family(), question.added().qualifier());
      Object value = cell == null ? null : TypedValue.read(question.addedAs(), cell).orElse("none");
      boolean finite = value instanceof Number n && Double.isFinite(n.doubleValue());
      skipped += value != null && !finite ? 1 : 0;
      numbers += finite ? 1 : 0;
      if (finite) {
        boolean floating = value instanceof Double || value instanceof Float;
        total =
            total.add(
                floating
                    ? new BigDecimal(((Number) value).doubleValue())
                    : new BigDecimal(value.toString()));
      }
    }
    return new Sum(total, numbers, skipped);
  }

  private static String sumText(Sum sum) {
    return " adds up to %s by %d, but for %d"
        .formatted(sum.total().stripTrailingZeros().toPlainString(), sum.numbers(), sum.skipped());
  }

  private static ByteBuffer wrap(byte[] value) {
    return ByteBuffer.wrap(value);
  }

  private Shown shown(Question question) throws IOException {
    TreeMap<byte[], Long> byValue = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    List<Result> rows = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner =
            table.getScanner(IndexProbe.withoutIndex(question.query().toScan()))) {
      for (Result result : scanner) {
        rows.add(result);
        byte[] value = result.getValue(question.column().family(), question.column().qualifier());
        if (value != null) {
          byValue.merge(value, 1L, Long::sum);
        }
      }
    }
    return new Shown(rows, byValue);
  }

  private Condition condition(Column column) {
    Condition first = simple(column);
    return switch (random.nextInt(6)) {
      case 0 -> first.and(simple(any()));
      case 1 -> first.or(simple(any()));
      default -> first;
    };
  }

  private Condition simple(Column column) {
    io.hbaseindex.client.query.Column asked = asked(column);
    Value value = value(column);
    return switch (random.nextInt(7)) {
      case 0 -> asked.isPresent();
      case 1 -> asked.in(List.of(value, value(column), value(column)));
      case 2 -> asked.startsWith(Value.of(Arrays.copyOf(value.bytes(), 1)));
      case 3 -> {
        List<byte[]> bounds = new ArrayList<>(List.of(value.bytes(), value(column).bytes()));
        bounds.sort(Bytes.BYTES_COMPARATOR);
        yield asked.between(Value.of(bounds.get(0)), Value.of(bounds.get(1)));
      }
      case 4 -> asked.atLeast(value);
      case 5 -> asked.lessThan(value);
      default -> asked.equalTo(value);
    };
  }

  private Value value(Column column) {
    return Value.of(universe.value(column, random));
  }

  private Column any() {
    return COLUMNS.get(random.nextInt(COLUMNS.size()));
  }

  private static io.hbaseindex.client.query.Column[] columns(int size) {
    return new io.hbaseindex.client.query.Column[size];
  }

  private static io.hbaseindex.client.query.Column asked(Column column) {
    return io.hbaseindex.client.query.Column.of(column.family(), column.qualifier());
  }
}
