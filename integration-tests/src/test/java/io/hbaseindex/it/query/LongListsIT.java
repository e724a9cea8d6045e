/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.common.query.ValueListComparator;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lists of hundreds of values: one comparator, that servers, plans and routes understand. */
@OnSharedCluster
class LongListsIT {
  private static final int ROWS = 2_000;
  private static final byte[] F = Bytes.toBytes("f");
  private static final Column EMAIL = Column.of("f", "email");
  private static final Column PHONE = Column.of("f", "phone");

  private static TableName name;
  private static TestCluster servers;

  @BeforeAll
  static void load(TestCluster cluster) throws Exception {
    servers = cluster;
    name =
        IndexedRows.create(
            cluster,
            "lists",
            List.of("r0500", "r1000", "r1500"),
            IndexDefinition.on("f", "email").named("by_email").eager());
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(Bytes.toBytes("r%04d".formatted(i)))
              .addColumn(F, Bytes.toBytes("email"), Bytes.toBytes(email(i)))
              .addColumn(F, Bytes.toBytes("phone"), Bytes.toBytes(email(i))));
    }
    try (Table table = cluster.connection().getTable(name)) {
      table.put(puts);
    }
    cluster.tables().awaitPrecise(name);
  }

  private static String email(int i) {
    return i + "@example.org";
  }

  /** Those of the first rows, every third, and as many that nobody has. */
  private static List<Value> list(int rows) {
    return IntStream.range(0, rows)
        .filter(i -> i % 3 == 0)
        .boxed()
        .flatMap(i -> List.of(Value.of(email(i)), Value.of(email(ROWS + i))).stream())
        .toList();
  }

  private static List<String> keys(QueryClient client, IndexQuery query) throws IOException {
    try (FoundRows rows = client.rows(query)) {
      return rows.stream().map(FoundRow::keyText).toList();
    }
  }

  private static List<String> expected(int rows) {
    return IntStream.range(0, rows).filter(i -> i % 3 == 0).mapToObj("r%04d"::formatted).toList();
  }

  @Test
  void indexedColumn_readsTheMatchesOnly_andIsRouted() throws Exception {
    QueryClient client = QueryClient.of(IndexedConnection.wrap(servers.connection()));
    IndexQuery query = IndexQuery.from(name).where(EMAIL.in(list(120)));
    assertThat(query.toScan().getFilter())
        .isInstanceOfSatisfying(
            SingleColumnValueFilter.class,
            filter -> assertThat(filter.getComparator()).isInstanceOf(ValueListComparator.class));
    IndexCounters before = IndexCounters.of(name);

    assertThat(keys(client, query)).isEqualTo(expected(120));

    IndexCounters since = IndexCounters.of(name).since(before);
    assertThat(since.get(IndexCounter.ROWS_READ)).isEqualTo(40);
    assertThat(since.get(IndexCounter.SCANS_JUMPED)).as("regions that the route leaves").isOne();
    assertThat(client.count(query)).isEqualTo(40);
    assertThat(IndexCounters.of(name).since(before).get(IndexCounter.COUNTED_BY_POSTINGS))
        .isEqualTo(40);
  }

  @Test
  void otherColumn_isFoundByThePlainScan_alsoBesideOtherConditions() throws Exception {
    QueryClient client = QueryClient.of(servers.connection());
    assertThat(keys(client, IndexQuery.from(name).where(PHONE.in(list(900)))))
        .isEqualTo(expected(900));
    IndexQuery both =
        IndexQuery.from(name).where(PHONE.in(list(900)).and(EMAIL.equalTo(email(333))));
    assertThat(keys(client, both)).containsExactly("r0333");
    IndexQuery either =
        IndexQuery.from(name).where(EMAIL.in(list(90)).or(EMAIL.equalTo(email(1_000))));
    assertThat(keys(client, either)).hasSize(31).contains("r1000");
  }

  /** Thousands of values: more than a route asks for, and a sweep in each region. */
  @Test
  void thousandsOfValues_areFound() throws Exception {
    IndexQuery query = IndexQuery.from(name).where(EMAIL.in(list(ROWS)));
    IndexCounters before = IndexCounters.of(name);

    assertThat(keys(QueryClient.of(servers.connection()), query)).isEqualTo(expected(ROWS));

    IndexCounters since = IndexCounters.of(name).since(before);
    assertThat(since.get(IndexCounter.SCANS_JUMPED)).isEqualTo(4);
    assertThat(since.get(IndexCounter.ROWS_READ)).isLessThanOrEqualTo(expected(ROWS).size());
  }

  /** HBase's own API, and the same answer without the index. */
  @Test
  void comparatorInAnOrdinaryScan_isServedByTheIndex() throws Exception {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            F,
            Bytes.toBytes("email"),
            CompareOperator.EQUAL,
            ValueListComparator.of(list(300).stream().map(Value::bytes).toList()));
    filter.setFilterIfMissing(true);
    IndexCounters before = IndexCounters.of(name);
    List<String> indexed = scan(new Scan().setFilter(filter));
    long read = IndexCounters.of(name).since(before).get(IndexCounter.ROWS_READ);

    assertThat(indexed).isEqualTo(expected(300));
    assertThat(read).isEqualTo(100);
    assertThat(scan(IndexProbe.withoutIndex(new Scan().setFilter(filter)))).isEqualTo(indexed);
  }

  private static List<String> scan(Scan scan) throws IOException {
    List<String> keys = new ArrayList<>();
    try (Table table = servers.connection().getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        keys.add(Bytes.toString(row.getRow()));
      }
    }
    return keys;
  }
}
