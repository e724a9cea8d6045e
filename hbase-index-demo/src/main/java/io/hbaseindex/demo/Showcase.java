/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Questions that the index answers by itself, in place of rows: counted, in order, or with all that
 * is asked for. Each is also answered by reading every row.
 */
final class Showcase {
  private static final int FIRST = 3;

  private static final Column CITY = Column.of(Person.FAMILY, Person.CITY);
  private static final Column NAME = Column.of(Person.FAMILY, Person.NAME);
  private static final Column JOINED = Column.of(Person.FAMILY, Person.JOINED).as(ValueType.LONG);

  private final DemoCluster cluster;
  private final Table plain;
  private final QueryClient client;
  private final Console console;

  /**
   * @param plain the table as HBase's own client knows it
   * @param indexed an indexed connection
   */
  Showcase(DemoCluster cluster, Table plain, Connection indexed, Console console) {
    this.cluster = cluster;
    this.plain = plain;
    this.client = QueryClient.of(indexed);
    this.console = console;
  }

  /** One way to ask. */
  private interface Asking {
    Answer ask() throws IOException;
  }

  /**
   * What came of it.
   *
   * @param lines for a person
   * @param rows how many rows were sent for it
   */
  private record Answer(List<String> lines, long rows) {}

  /** What one way has cost, by the servers' counters. */
  private record Cost(double millis, long rowsRead, long postingsRead) {}

  /** Where most people live: regions count by their index. */
  void mostPeople(int number) throws IOException, WrongAnswerException {
    show(
        number + ". Where do most people live?",
        this::citiesByRows,
        () -> {
          IndexQuery everybody = IndexQuery.from(PeopleTable.NAME).where(CITY.isPresent());
          return new Answer(
              client.top(everybody, CITY, FIRST).stream()
                  .map(place -> counted(Bytes.toString(place.value()), place.rows()))
                  .toList(),
              0);
        },
        "Each region counted by its index and sent numbers in place of rows.");
  }

  /** Who joined last: an index has the order, by a column that holds numbers. */
  void joinedLast(int number, String city) throws IOException, WrongAnswerException {
    show(
        "%d. Which %d of %s have joined last? (ORDER BY joined DESC LIMIT %d)"
            .formatted(number, FIRST, city, FIRST),
        () -> {
          Answer all = peopleOf(city, Comparator.comparing(Showcase::joined).reversed());
          return new Answer(
              all.lines().subList(0, Math.min(FIRST, all.lines().size())), all.rows());
        },
        () ->
            found(
                IndexQuery.from(PeopleTable.NAME)
                    .where(CITY.equalTo(city))
                    .select(NAME, JOINED)
                    .orderBy(JOINED)
                    .descending()
                    .limit(FIRST)),
        "Each region sent its last %d, which the index by_city has in order: joined holds numbers, and it says so."
            .formatted(FIRST));
  }

  /** Names of a place: they stand in the index. */
  void namesOf(int number, String place) throws IOException, WrongAnswerException {
    show(
        "%d. What are the names of those in %s, and when did they join?".formatted(number, place),
        () -> peopleOf(place, Comparator.comparing(Showcase::joined)),
        () ->
            found(
                IndexQuery.from(PeopleTable.NAME)
                    .where(CITY.equalTo(place))
                    .select(NAME, JOINED)
                    .orderBy(JOINED)),
        "The index by_city includes the names, so no row was read for them.");
  }

  private void show(String words, Asking byRows, Asking byIndex, String moral)
      throws IOException, WrongAnswerException {
    List<String> expected = byRows.ask().lines(); // the first time warms caches
    List<String> found = byIndex.ask().lines();
    if (!expected.equals(found)) {
      throw new WrongAnswerException(words, expected, found);
    }
    console.say("");
    console.say(words);
    console.say("");
    found.forEach(line -> console.say("   " + line));
    console.say("");
    console.say("   %-12s %12s %11s %15s".formatted("", "time", "rows read", "postings read"));
    say("plain scan", costByRows(byRows));
    say("hbase-index", costByIndex(byIndex));
    console.say("");
    console.say("   " + moral);
  }

  private void say(String way, Cost cost) {
    console.say(
        String.format(
            Locale.ROOT,
            "   %-12s %9.1f ms %,11d %,15d",
            way,
            cost.millis(),
            cost.rowsRead(),
            cost.postingsRead()));
  }

  /** Rows that were sent, and those that HBase has counted as read and not sent. */
  private Cost costByRows(Asking asking) throws IOException {
    Reads before = Reads.of(cluster.servers(), PeopleTable.NAME);
    long started = System.nanoTime();
    Answer answer = asking.ask();
    double millis = millisSince(started);
    Reads.Cost cost = Reads.of(cluster.servers(), PeopleTable.NAME).since(before);
    return new Cost(millis, answer.rows() + cost.rowsFiltered(), 0);
  }

  /** What the regions have counted of their indexes' work. */
  private Cost costByIndex(Asking asking) throws IOException {
    Map<String, Long> before = counters();
    long started = System.nanoTime();
    asking.ask();
    double millis = millisSince(started);
    Map<String, Long> after = counters();
    return new Cost(
        millis,
        counted("rowsRead", before, after) + counted("countedByRows", before, after),
        counted("postingsRead", before, after));
  }

  private Map<String, Long> counters() throws IOException {
    return IndexAdmin.of(cluster.connection()).states(PeopleTable.NAME).counters();
  }

  private static long counted(String name, Map<String, Long> before, Map<String, Long> after) {
    return after.getOrDefault(name, 0L) - before.getOrDefault(name, 0L);
  }

  private static double millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e6;
  }

  private Answer found(IndexQuery query) throws IOException {
    List<String> lines = new ArrayList<>();
    try (FoundRows rows = client.rows(query)) {
      for (FoundRow row : rows) {
        lines.add(line(row.text(NAME).orElse(""), row.number(JOINED).orElse(0L)));
      }
    }
    return new Answer(lines, lines.size());
  }

  private Answer citiesByRows() throws IOException {
    Scan scan = new Scan().addColumn(Person.FAMILY, Person.CITY);
    scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Person.bytes("false"));
    Map<String, Long> people = new HashMap<>();
    long rows = 0;
    try (ResultScanner scanner = plain.getScanner(scan)) {
      for (Result row : scanner) {
        people.merge(Bytes.toString(row.value()), 1L, Long::sum);
        rows++;
      }
    }
    Comparator<Map.Entry<String, Long>> order =
        Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry::getKey);
    return new Answer(
        people.entrySet().stream()
            .sorted(order)
            .limit(FIRST)
            .map(place -> counted(place.getKey(), place.getValue()))
            .toList(),
        rows);
  }

  private Answer peopleOf(String city, Comparator<Result> order) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = plain.getScanner(Question.about("", "city", city).plainScan())) {
      scanner.forEach(rows::add);
    }
    return new Answer(
        rows.stream()
            .sorted(order)
            .map(row -> line(Bytes.toString(row.getValue(Person.FAMILY, Person.NAME)), joined(row)))
            .toList(),
        rows.size());
  }

  private static long joined(Result row) {
    return Bytes.toLong(row.getValue(Person.FAMILY, Person.JOINED));
  }

  private static String counted(String name, long rows) {
    return "%-20s %,8d".formatted(name, rows);
  }

  private static String line(String name, long joined) {
    return "%-20s %s"
        .formatted(name, Instant.ofEpochMilli(joined).atOffset(ZoneOffset.UTC).toLocalDate());
  }
}
