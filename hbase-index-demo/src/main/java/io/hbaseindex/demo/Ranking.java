/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.ValueCount;
import io.hbaseindex.core.definition.IndexSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Where most people live: counted by the regions from their index, and by reading every row. */
final class Ranking {
  private static final int PLACES = 3;
  private static final String CITY = "city";

  private final Table plain;
  private final Connection indexed;
  private final Console console;

  /**
   * @param plain the table as HBase's own client knows it
   * @param indexed an indexed connection
   */
  Ranking(Table plain, Connection indexed, Console console) {
    this.plain = plain;
    this.indexed = indexed;
    this.console = console;
  }

  /** One way to ask. */
  private interface Asking {
    List<ValueCount> ask() throws IOException;
  }

  private record Timed(List<ValueCount> places, Duration time) {}

  /**
   * @throws WrongAnswerException if the index and the plain scan do not agree
   */
  void run(int number) throws IOException, WrongAnswerException {
    Timed byRows = timed(this::byReadingRows);
    Timed byIndex = timed(this::byIndex);
    if (!byRows.places().equals(byIndex.places())) {
      throw new WrongAnswerException(byRows.places(), byIndex.places());
    }
    console.say("");
    console.say(number + ". Where do most people live?");
    console.say("");
    byIndex
        .places()
        .forEach(
            place ->
                console.say(
                    "   %-20s %,8d".formatted(Bytes.toString(place.value()), place.rows())));
    console.say("");
    console.say("   %-20s %9.1f ms".formatted("plain scan", millis(byRows)));
    console.say("   %-20s %9.1f ms".formatted("hbase-index", millis(byIndex)));
    console.say("");
    console.say("   Each region counted by its index and sent numbers in place of rows.");
  }

  private static double millis(Timed timed) {
    return timed.time().toNanos() / 1e6;
  }

  private static Timed timed(Asking asking) throws IOException {
    asking.ask(); // the first time warms caches that both ways share
    long started = System.nanoTime();
    List<ValueCount> places = asking.ask();
    return new Timed(places, Duration.ofNanos(System.nanoTime() - started));
  }

  private List<ValueCount> byIndex() throws IOException {
    Column city = Column.of(Person.FAMILY, Person.bytes(CITY));
    return QueryClient.of(indexed)
        .top(IndexQuery.from(PeopleTable.NAME).where(city.isPresent()), city, PLACES);
  }

  private List<ValueCount> byReadingRows() throws IOException {
    Scan scan = new Scan().addColumn(Person.FAMILY, Person.bytes(CITY));
    scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Person.bytes("false"));
    Map<String, Long> people = new HashMap<>();
    try (ResultScanner scanner = plain.getScanner(scan)) {
      for (Result row : scanner) {
        people.merge(Bytes.toString(row.value()), 1L, Long::sum);
      }
    }
    Comparator<ValueCount> order =
        Comparator.comparingLong(ValueCount::rows)
            .reversed()
            .thenComparing(ValueCount::value, Bytes.BYTES_COMPARATOR);
    return people.entrySet().stream()
        .map(place -> new ValueCount(Person.bytes(place.getKey()), place.getValue()))
        .sorted(order)
        .limit(PLACES)
        .toList();
  }
}
