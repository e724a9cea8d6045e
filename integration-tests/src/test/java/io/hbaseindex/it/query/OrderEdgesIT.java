/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.Page;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Regions whose values do not reach so far are not asked for the first rows in an order. */
@OnSharedCluster
class OrderEdgesIT {
  private static final int REGIONS = 24;
  private static final int ROWS = 2_400;
  private static final int FIRST = 4;
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final Column COLUMN = Column.of("f", "amount").as(ValueType.LONG);

  /** Amounts by row. */
  private final Map<String, Long> amounts = new TreeMap<>();

  private static String row(int i) {
    return "r%05d".formatted(i);
  }

  private List<String> expected(boolean descending, int limit) {
    Comparator<Map.Entry<String, Long>> rising =
        Comparator.comparing((Map.Entry<String, Long> row) -> row.getValue())
            .thenComparing(Map.Entry::getKey);
    return amounts.entrySet().stream()
        .sorted(descending ? rising.reversed() : rising)
        .limit(limit)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static IndexQuery query(TableName name, boolean descending) {
    IndexQuery rising = IndexQuery.from(name).where(COLUMN.isPresent()).orderBy(COLUMN);
    return descending ? rising.descending() : rising;
  }

  private void put(Table table, int row, long amount) throws IOException {
    amounts.put(row(row), amount);
    table.put(new Put(Bytes.toBytes(row(row))).addColumn(F, AMOUNT, Bytes.toBytes(amount)));
  }

  @Test
  void firstRows_visitTheRegionsThatReachFarthest(TestCluster cluster) throws Exception {
    List<String> splits = new ArrayList<>();
    for (int i = 1; i < REGIONS; i++) {
      splits.add(row(i * ROWS / REGIONS));
    }
    TableName name =
        IndexedRows.create(
            cluster,
            "edges",
            splits,
            IndexDefinition.on("f", "amount").as(ValueType.LONG).named("by_amount").eager());
    Random random = new Random(41);
    try (Table table = cluster.connection().getTable(name);
        IndexedConnection indexed =
            IndexedConnection.wrap(
                ConnectionFactory.createConnection(cluster.connection().getConfiguration()))) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        long amount = random.nextLong();
        amounts.put(row(i), amount);
        puts.add(new Put(Bytes.toBytes(row(i))).addColumn(F, AMOUNT, Bytes.toBytes(amount)));
      }
      table.put(puts);
      cluster.tables().awaitPrecise(name);
      QueryClient client = QueryClient.of(indexed);

      for (boolean descending : List.of(true, false)) {
        check(client, name, descending);
        // The first one goes: what was behind it comes. The region still seems to reach as far.
        String first = expected(descending, 1).get(0);
        table.delete(new Delete(Bytes.toBytes(first)));
        amounts.remove(first);
        check(client, name, descending);
        // Another region reaches farther than all before.
        put(table, random.nextInt(ROWS), descending ? Long.MAX_VALUE - 5 : Long.MIN_VALUE + 5);
        check(client, name, descending);
        // And many reach equally far.
        for (int i = 50; i < ROWS; i += ROWS / 8) {
          put(table, i, descending ? Long.MAX_VALUE - 2 : Long.MIN_VALUE + 2);
        }
        assertThat(rows(client, query(name, descending).limit(FIRST)))
            .isEqualTo(expected(descending, FIRST));
        assertThat(pages(client, query(name, descending), 7)).isEqualTo(expected(descending, 28));
      }
      assertThat(rows(client, query(name, true).limit(1_500))).isEqualTo(expected(true, 1_500));
    }
  }

  private void check(QueryClient client, TableName name, boolean descending) throws IOException {
    IndexCounters before = IndexCounters.of(name);
    assertThat(rows(client, query(name, descending).limit(FIRST)))
        .isEqualTo(expected(descending, FIRST));
    assertThat(IndexCounters.of(name).since(before).get(IndexCounter.SCANS_ORDERED))
        .isBetween(1L, 2L * FIRST);
  }

  private static List<String> rows(QueryClient client, IndexQuery query) throws IOException {
    try (FoundRows found = client.rows(query)) {
      return found.stream().map(row -> row.keyText()).toList();
    }
  }

  private static List<String> pages(QueryClient client, IndexQuery query, int size)
      throws IOException {
    List<String> found = new ArrayList<>();
    Optional<String> token = Optional.empty();
    for (int i = 0; i < 4; i++) {
      Page page = client.page(query, size, token);
      page.rows().forEach(row -> found.add(row.keyText()));
      token = page.next();
    }
    return found;
  }
}
