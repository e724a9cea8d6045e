/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.growth;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.CustomerRows;
import io.hbaseindex.bench.cluster.WriteRun;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table whose files are many times the block cache, and what its questions cost: each is asked
 * once, when most of its blocks have to be read from files, and at once again.
 */
final class ColdTable {
  /** Rows that are wanted of a city. */
  private static final int FIRST = 20;

  /** Questions are this many rows apart, so that they share no blocks of rows or of postings. */
  private static final long SPREAD = 15_485_863;

  private final BenchCluster cluster;
  private final IndexedConnection indexed;
  private final TableName name = TableName.valueOf("cold");
  private final int rows;
  private final CustomerRows customers;

  ColdTable(BenchCluster cluster, IndexedConnection indexed, int rows) {
    this.cluster = cluster;
    this.indexed = indexed;
    this.rows = rows;
    this.customers = new CustomerRows(rows);
  }

  void load(int regions, int threads) throws Exception {
    cluster.create(
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(CustomerRows.FAMILY))
                .build(),
            IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.EMAIL).named("by_email").eager(),
            IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.CITY).named("by_city").eager()),
        customers.splitKeys(regions));
    WriteRun.Speed speed =
        WriteRun.speed(cluster.connection(), name, threads, rows, WriteRun.BATCH, customers::load);
    System.out.printf("%,d rows loaded at %,.0f rows/s%n", rows, speed.perSecond());
    cluster.flush(name);
    Settled.await(cluster, indexed, name);
  }

  /** Bytes of all files. */
  long fileBytes() {
    return cluster.fileBytes(name);
  }

  /** The most files that the rows of a region lie in. */
  int mostFiles() {
    return cluster.regions(name).stream()
        .flatMap(region -> region.getStores().stream())
        .mapToInt(store -> store.getStorefilesCount())
        .max()
        .orElse(0);
  }

  /** What is asked; a number picks the value. */
  private enum Question {
    KEY("row of a key, by get"),
    UNIQUE("unique value"),
    ABSENT("absent value"),
    FIRST_OF_CITY("first 20 rows of a city"),
    COUNT_OF_CITY("count of a city");

    private final String label;

    Question(String label) {
      this.label = label;
    }
  }

  MarkdownTable ask(int questions) throws IOException {
    MarkdownTable table =
        new MarkdownTable(
            "question",
            "asked",
            "p50 ms",
            "p99 ms",
            "blocks read",
            "KB from the device",
            "answers");
    Map<Integer, List<String>> rowsOfCity = rowsOfCities(table, questions);
    for (Question question : Question.values()) {
      Asked first = new Asked(cluster);
      Asked again = new Asked(cluster);
      ServedScans served = new ServedScans(name);
      for (int number = 0; number < questions; number++) {
        int asked = number;
        List<String> expected = expected(question, number, rowsOfCity);
        first.time(() -> answer(question, asked), expected);
        again.time(() -> answer(question, asked), expected);
      }
      if (question == Question.UNIQUE || question == Question.FIRST_OF_CITY) {
        served.requireIndexed(2L * questions);
      }
      first.addTo(table, question.label, "first");
      again.addTo(table, question.label, "again");
    }
    return table;
  }

  private long row(int number) {
    return Math.floorMod((number + 1) * SPREAD, rows);
  }

  private static int city(int number) {
    return Math.floorMod(number * 37, CustomerRows.CITIES);
  }

  private List<String> expected(
      Question question, int number, Map<Integer, List<String>> rowsOfCity) {
    List<String> ofCity = rowsOfCity.get(city(number));
    return switch (question) {
      case KEY, UNIQUE -> List.of(text(CustomerRows.key(row(number))));
      case ABSENT -> List.of();
      case FIRST_OF_CITY -> ofCity.subList(0, Math.min(FIRST, ofCity.size()));
      case COUNT_OF_CITY -> List.of(String.valueOf(ofCity.size()));
    };
  }

  private List<String> answer(Question question, int number) throws IOException {
    Column email = Column.of("f", text(CustomerRows.EMAIL));
    Column city = Column.of("f", text(CustomerRows.CITY));
    IndexQuery.Start query = IndexQuery.from(name);
    return switch (question) {
      case KEY -> {
        try (Table table = cluster.connection().getTable(name)) {
          yield List.of(text(table.get(new Get(CustomerRows.key(row(number)))).getRow()));
        }
      }
      case UNIQUE ->
          keys(query.where(email.equalTo(text(CustomerRows.email(row(number))))).toScan());
      case ABSENT -> keys(query.where(email.equalTo("nobody%d@mail".formatted(number))).toScan());
      case FIRST_OF_CITY ->
          keys(
              query
                  .where(city.equalTo(text(CustomerRows.city(city(number)))))
                  .toScan()
                  .setLimit(FIRST));
      case COUNT_OF_CITY ->
          List.of(
              String.valueOf(
                  QueryClient.of(indexed)
                      .count(query.where(city.equalTo(text(CustomerRows.city(city(number))))))));
    };
  }

  private List<String> keys(Scan scan) throws IOException {
    List<String> keys = new ArrayList<>();
    try (Table table = indexed.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(row -> keys.add(text(row.getRow())));
    }
    return keys;
  }

  /** The rows of the cities that are asked for, by a plain scan of the table, which is timed. */
  private Map<Integer, List<String>> rowsOfCities(MarkdownTable table, int questions)
      throws IOException {
    Map<String, Integer> wanted = new HashMap<>();
    Map<Integer, List<String>> rowsOfCity = new HashMap<>();
    for (int number = 0; number < questions; number++) {
      wanted.put(text(CustomerRows.city(city(number))), city(number));
      rowsOfCity.put(city(number), new ArrayList<>());
    }
    Asked scan = new Asked(cluster);
    scan.time(() -> List.of(String.valueOf(readAll(wanted, rowsOfCity))), List.of("" + rows));
    scan.addTo(table, "plain scan of one column", "once");
    return rowsOfCity;
  }

  private long readAll(Map<String, Integer> wanted, Map<Integer, List<String>> rowsOfCity)
      throws IOException {
    Scan cities =
        new Scan()
            .addColumn(CustomerRows.FAMILY, CustomerRows.CITY)
            .setCaching(WriteRun.BATCH)
            .setCacheBlocks(false);
    long read = 0;
    try (Table plain = cluster.connection().getTable(name);
        ResultScanner scanner = plain.getScanner(cities)) {
      for (Result row : scanner) {
        read++;
        Integer city = wanted.get(text(row.getValue(CustomerRows.FAMILY, CustomerRows.CITY)));
        if (city != null) {
          rowsOfCity.get(city).add(text(row.getRow()));
        }
      }
    }
    return read;
  }

  private static String text(byte[] bytes) {
    return Bytes.toString(bytes);
  }
}
