/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.client.query.sum.Sum;
import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.TimeBucket;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
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
  private static final Column STATUS = Column.of(Person.FAMILY, Person.STATUS);
  private static final Column POINTS = Column.of(Person.FAMILY, Person.POINTS).as(ValueType.LONG);
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
   * @param rowsRead how many rows the servers read, if it was a plain scan, by what the scan itself
   *     was told. Counters of a region count whatever else reads it, too
   */
  private record Answer(List<String> lines, long rowsRead) {}

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
              all.lines().subList(0, Math.min(FIRST, all.lines().size())), all.rowsRead());
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

  /** A range of a column that holds numbers, beside a value. */
  void joinedBetween(int number, String city, long[] time)
      throws IOException, WrongAnswerException {
    show(
        "%d. Who of %s has joined from %s to %s? (city = … AND joined BETWEEN …)"
            .formatted(number, city, minute(time[0]), minute(time[1])),
        () ->
            people(
                "city",
                city,
                joined -> time[0] <= joined && joined <= time[1],
                Comparator.comparing(Showcase::joined)),
        () ->
            found(
                IndexQuery.from(PeopleTable.NAME)
                    .where(
                        CITY.equalTo(city)
                            .and(JOINED.between(Value.of(time[0]), Value.of(time[1]))))
                    .select(NAME, JOINED)
                    .orderBy(JOINED)),
        "The index by_city has the city first, then the time, and the names: only postings of the city were read.");
  }

  /** A sum: regions add up what their index includes. */
  void pointsOf(int number, String city) throws IOException, WrongAnswerException {
    show(
        "%d. How many points have the people of %s? (SUM, COUNT, AVG)".formatted(number, city),
        () -> {
          long[] sum = new long[2];
          long rowsRead =
              read(
                  Question.about("", "city", city).scan(),
                  row -> {
                    sum[0] += number(row, Person.POINTS);
                    sum[1]++;
                  });
          return new Answer(List.of(points(sum[0], sum[1])), rowsRead);
        },
        () -> {
          Sum sum = client.sum(IndexQuery.from(PeopleTable.NAME).where(CITY.equalTo(city)), POINTS);
          return new Answer(List.of(points(sum.total().longValueExact(), sum.numbers())), 0);
        },
        "Each region added up the points that its index includes, and sent one number.");
  }

  /** A partial index: few rows are in it, and queries that ask for no others use it. */
  void blockedLast(int number) throws IOException, WrongAnswerException {
    show(
        "%d. Which %d of the blocked have joined last? (status = 'blocked' ORDER BY joined DESC LIMIT %d)"
            .formatted(number, FIRST, FIRST),
        () -> {
          Answer all =
              people(
                  "status",
                  "blocked",
                  joined -> true,
                  Comparator.comparing(Showcase::joined).reversed());
          return new Answer(
              all.lines().subList(0, Math.min(FIRST, all.lines().size())), all.rowsRead());
        },
        () ->
            found(
                IndexQuery.from(PeopleTable.NAME)
                    .where(STATUS.equalTo("blocked"))
                    .select(NAME, JOINED)
                    .orderBy(JOINED)
                    .descending()
                    .limit(FIRST)),
        "The index blocked is partial: it has only those whose status is blocked, one person of a hundred.");
  }

  /** Counts by the time of cells: it stands in the index, too. */
  void writtenByDay(int number, String city, long[] time) throws IOException, WrongAnswerException {
    Instant from = Instant.ofEpochMilli(time[0]);
    Instant before = Instant.ofEpochMilli(time[1]);
    show(
        "%d. How many rows of %s were written on each day, from %s to %s? (GROUP BY day)"
            .formatted(number, city, minute(time[0]), minute(time[1])),
        () -> {
          Map<Instant, Long> days = new TreeMap<>();
          long rowsRead =
              read(
                  Question.about("", "city", city).scan(),
                  row -> {
                    long written =
                        row.getColumnLatestCell(Person.FAMILY, Person.CITY).getTimestamp();
                    if (time[0] <= written && written < time[1]) {
                      days.merge(
                          Instant.ofEpochMilli(written).truncatedTo(ChronoUnit.DAYS),
                          1L,
                          Long::sum);
                    }
                  });
          return new Answer(byDay(days), rowsRead);
        },
        () ->
            new Answer(
                byDay(
                    client.countByTime(
                        IndexQuery.from(PeopleTable.NAME).where(CITY.equalTo(city)),
                        CITY,
                        CountedTimes.between(TimeBucket.DAY, from, before))),
                0),
        "The index by_city also has the times at which its cells were written.");
  }

  private static List<String> byDay(Map<Instant, Long> days) {
    return days.entrySet().stream()
        .map(
            day ->
                counted(
                    day.getKey().atOffset(ZoneOffset.UTC).toLocalDate().toString(), day.getValue()))
        .toList();
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

  private static Cost costByRows(Asking asking) throws IOException {
    long started = System.nanoTime();
    Answer answer = asking.ask();
    return new Cost(millisSince(started), answer.rowsRead(), 0);
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
    return new Answer(lines, 0);
  }

  /** Takes every row of a plain scan; returns how many the servers have read for it. */
  private long read(Scan scan, Consumer<Result> taker) throws IOException {
    scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Person.bytes("false"));
    scan.setScanMetricsEnabled(true);
    try (ResultScanner scanner = plain.getScanner(scan)) {
      scanner.forEach(taker);
      return scanner.getScanMetrics().countOfRowsScanned.get();
    }
  }

  private Answer citiesByRows() throws IOException {
    Map<String, Long> people = new HashMap<>();
    long rowsRead =
        read(
            new Scan().addColumn(Person.FAMILY, Person.CITY),
            row -> people.merge(Bytes.toString(row.value()), 1L, Long::sum));
    Comparator<Map.Entry<String, Long>> order =
        Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry::getKey);
    return new Answer(
        people.entrySet().stream()
            .sorted(order)
            .limit(FIRST)
            .map(place -> counted(place.getKey(), place.getValue()))
            .toList(),
        rowsRead);
  }

  private Answer peopleOf(String city, Comparator<Result> order) throws IOException {
    return people("city", city, joined -> true, order);
  }

  /** People by one column and the time they joined, from a plain scan. */
  private Answer people(String column, String value, LongPredicate time, Comparator<Result> order)
      throws IOException {
    List<Result> rows = new ArrayList<>();
    long rowsRead = read(Question.about("", column, value).scan(), rows::add);
    return new Answer(
        rows.stream()
            .filter(row -> time.test(joined(row)))
            .sorted(order)
            .map(row -> line(Bytes.toString(row.getValue(Person.FAMILY, Person.NAME)), joined(row)))
            .toList(),
        rowsRead);
  }

  private static long joined(Result row) {
    return number(row, Person.JOINED);
  }

  private static long number(Result row, byte[] qualifier) {
    return Bytes.toLong(row.getValue(Person.FAMILY, qualifier));
  }

  private static String counted(String name, long rows) {
    return "%-20s %,8d".formatted(name, rows);
  }

  private static String points(long sum, long people) {
    return "%,d points of %,d people, %.1f each"
        .formatted(sum, people, people == 0 ? 0.0 : (double) sum / people);
  }

  private static String minute(long millis) {
    return Instant.ofEpochMilli(millis)
        .truncatedTo(ChronoUnit.MINUTES)
        .toString()
        .replace('T', ' ')
        .replace(":00Z", "");
  }

  private static String line(String name, long joined) {
    return "%-20s %s"
        .formatted(name, Instant.ofEpochMilli(joined).atOffset(ZoneOffset.UTC).toLocalDate());
  }
}
