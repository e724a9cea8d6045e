/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos;

import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.ValueCount;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.chaos.ask.Lookups;
import io.hbaseindex.it.chaos.ask.Question;
import io.hbaseindex.it.chaos.ask.TargetTable;
import io.hbaseindex.it.chaos.ask.TargetTable.Column;
import io.hbaseindex.it.chaos.load.Tally;
import io.hbaseindex.it.chaos.load.Tally.Wrong;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Compares, while nobody writes, what regions count, add up and put in order with what a plain scan
 * of everything shows.
 */
final class NumbersAtRest {
  /** How many of the most frequent values, and of the first rows in order, are asked for. */
  private static final int TOP = 3;

  private static final String SUM = "%d rows, %d by %d";

  private final Lookups lookups;
  private final Tally tally;
  private long compared;

  NumbersAtRest(Lookups lookups, Tally tally) {
    this.lookups = lookups;
    this.tally = tally;
  }

  /** How many answers were compared so far. */
  long compared() {
    return compared;
  }

  /** How many rows the question asks for, as the regions count them. */
  void count(Question question, int expected) throws IOException {
    compared++;
    long counted =
        QueryClient.of(lookups.routed())
            .count(IndexQuery.from(TargetTable.NAME).where(question.condition()));
    if (counted != expected) {
      tally.wrong(
          counted < expected ? Wrong.MISSED : Wrong.INVENTED,
          "at rest, %d rows are counted for %s, and there are %d"
              .formatted(counted, question, expected));
    }
  }

  /** How often each value of the column shows, as the regions count it. */
  void distribution(Column column, Map<String, Result> rows) throws IOException {
    Map<String, Long> expected = new TreeMap<>();
    Agreement.holders(List.of(column), rows)
        .forEach((question, holding) -> expected.put(question.text(), (long) holding.size()));
    compared += 2;
    QueryClient client = QueryClient.of(lookups.routed());
    IndexQuery query = having(column);
    Map<String, Long> values = new TreeMap<>();
    for (ValueCount value : client.values(query, column.asked())) {
      values.put(Bytes.toStringBinary(value.value()), value.rows());
    }
    List<Long> top = client.top(query, column.asked(), TOP).stream().map(ValueCount::rows).toList();
    List<Long> most =
        expected.values().stream().sorted(Comparator.reverseOrder()).limit(TOP).toList();
    if (!values.equals(expected) || !top.equals(most)) {
      tally.wrong(
          values.entrySet().containsAll(expected.entrySet()) ? Wrong.INVENTED : Wrong.MISSED,
          "at rest, the values of %s are counted as %s, the most frequent as %s, and there are %s"
              .formatted(column, values, top, expected));
    }
  }

  private static IndexQuery having(Column column) {
    return IndexQuery.from(TargetTable.NAME).where(column.within(column.asked().isPresent()));
  }

  /** The counts of rows with each tag, as the regions add them up. */
  void sums(Map<String, Result> rows) throws IOException {
    Map<String, String> expected = new TreeMap<>();
    Agreement.holders(List.of(Column.TAG), rows)
        .forEach(
            (question, holding) -> {
              List<Long> counts =
                  holding.values().stream()
                      .map(row -> row.getValue(TargetTable.F, Column.COUNT.qualifier()))
                      .filter(Objects::nonNull)
                      .map(Bytes::toLong)
                      .toList();
              expected.put(
                  question.text(),
                  SUM.formatted(
                      holding.size(),
                      counts.stream().mapToLong(Long::longValue).sum(),
                      counts.size()));
            });
    compared++;
    Map<String, String> told = new TreeMap<>();
    QueryClient.of(lookups.routed())
        .sums(having(Column.TAG), Column.TAG.asked(), Column.COUNT.asked().as(ValueType.LONG))
        .forEach(
            sum ->
                told.put(
                    Bytes.toStringBinary(sum.value()),
                    SUM.formatted(
                        sum.rows(), sum.sum().total().longValueExact(), sum.sum().numbers())));
    if (!told.equals(expected)) {
      tally.wrong(
          Wrong.MISSED, "at rest, the sums are %s in place of %s".formatted(told, expected));
    }
  }

  /** The first and last rows in the order of each column. */
  void order(Map<String, Result> rows) throws IOException {
    for (Column column : Column.values()) {
      List<String> rising =
          rows.entrySet().stream()
              .filter(row -> TargetTable.shown(row.getValue()).containsKey(column))
              .sorted(
                  Map.Entry.<String, Result>comparingByValue(
                          Comparator.comparing(
                              row -> row.getValue(column.family(), column.qualifier()),
                              Bytes.BYTES_COMPARATOR))
                      .thenComparing(Map.Entry.comparingByKey()))
              .map(Map.Entry::getKey)
              .toList();
      List<String> falling = new ArrayList<>(rising);
      Collections.reverse(falling);
      IndexQuery query = having(column).orderBy(column.asked()).limit(TOP);
      inOrder(query, rising);
      inOrder(query.descending(), falling);
    }
  }

  private void inOrder(IndexQuery query, List<String> expected) throws IOException {
    compared++;
    List<String> first = expected.subList(0, Math.min(TOP, expected.size()));
    try (FoundRows found = QueryClient.of(lookups.routed()).rows(query)) {
      List<String> told = found.stream().map(row -> Bytes.toString(row.key())).toList();
      if (!told.equals(first)) {
        tally.wrong(
            Wrong.MISSED, "at rest, %s gives %s in place of %s".formatted(query, told, first));
      }
    }
  }
}
