/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.region.context.ReadyIndex;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.scan.candidates.RowBounds;
import io.hbaseindex.region.scan.count.CountMemory;
import io.hbaseindex.region.scan.count.SpanCount;
import io.hbaseindex.region.scan.count.ValueSpan;
import io.hbaseindex.region.scan.plan.AccessPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Numbers that regions remember of their files are right whatever is written, and when. */
@OnSharedCluster
class CountMemoryIT {
  private static final int ROWS = 1_000;
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] CITY = Bytes.toBytes("city");
  private static final byte[] ROME = Bytes.toBytes("Rome");
  private static final byte[] BERN = Bytes.toBytes("Bern");

  private static byte[] row(int i) {
    return Bytes.toBytes("r%05d".formatted(i));
  }

  private static Put put(int i, byte[] city) {
    return new Put(row(i)).addColumn(F, CITY, city);
  }

  private static void put(Table table, int from, int to, byte[] city) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      puts.add(put(i, city));
    }
    table.put(puts);
  }

  private static TableName table(TestCluster cluster, List<String> splits) throws Exception {
    return IndexedRows.create(
        cluster, "remembered", splits, IndexDefinition.on("f", "city").named("by_city").eager());
  }

  /** A count of Rome by a client, and the postings that regions looked at for it. */
  private record Asked(long count, long looked) {
    static Asked of(TestCluster cluster, TableName name) throws IOException {
      IndexCounters before = IndexCounters.of(name);
      long count =
          QueryClient.of(cluster.connection())
              .count(IndexQuery.from(name).where(Column.of("f", "city").equalTo("Rome")));
      IndexCounters since = IndexCounters.of(name).since(before);
      assertThat(since.get(IndexCounter.COUNTED_BY_POSTINGS)).isGreaterThan(count - 10);
      return new Asked(count, since.get(IndexCounter.POSTINGS_READ));
    }
  }

  @Test
  void count_again_looksOnlyAtWhatIsNotFlushed(TestCluster cluster) throws Exception {
    TableName name = table(cluster, List.of("r00400"));
    try (Table table = cluster.connection().getTable(name)) {
      put(table, 0, ROWS, ROME);
      cluster.admin().flush(name);
      assertThat(Asked.of(cluster, name)).isEqualTo(new Asked(ROWS, ROWS));
      assertThat(Asked.of(cluster, name)).isEqualTo(new Asked(ROWS, 0));

      put(table, ROWS, ROWS + 5, ROME); // five begin
      put(table, 0, 3, BERN); // three end
      table.delete(new Delete(row(10)));
      put(table, 20, 22, ROME); // nothing changes
      assertThat(Asked.of(cluster, name).count()).isEqualTo(ROWS + 1);
      assertThat(Asked.of(cluster, name).looked()).isBetween(9L, 20L);

      put(table, 0, 1, ROME); // back again
      // Shown above what is deleted: the row is asked.
      table.delete(new Delete(row(30)).addColumns(F, CITY, 5_000));
      table.put(new Put(row(30)).addColumn(F, CITY, 6_000, ROME));
      table.put(new Put(row(ROWS + 9)).addColumn(F, CITY, 4_000, ROME));
      table.delete(new Delete(row(ROWS + 9)).addColumns(F, CITY, 5_000));
      assertThat(Asked.of(cluster, name).count()).isEqualTo(ROWS + 2);

      cluster.admin().flush(name);
      assertThat(Asked.of(cluster, name).looked()).isGreaterThan(ROWS - 10);
      assertThat(Asked.of(cluster, name).count()).isEqualTo(ROWS + 2);

      put(table, 100, 400, BERN); // more than are looked up one by one
      assertThat(Asked.of(cluster, name).count()).isEqualTo(ROWS + 2 - 300);
      put(table, 100, 400, ROME);
      assertThat(Asked.of(cluster, name).count()).isEqualTo(ROWS + 2);
    }
  }

  /** Of a long value keys hold the beginning only, so its rows are asked. */
  @Test
  void longValue_ofManyRowsThatAreNotFlushed_isCountedByRows(TestCluster cluster) throws Exception {
    TableName name = table(cluster, List.of());
    String value = "Rome, ".repeat(100);
    try (Table table = cluster.connection().getTable(name)) {
      for (int rows : List.of(10, 100, 300)) {
        put(table, 0, rows, Bytes.toBytes(value));
        IndexCounters before = IndexCounters.of(name);
        long count =
            QueryClient.of(cluster.connection())
                .count(IndexQuery.from(name).where(Column.of("f", "city").equalTo(value)));
        IndexCounters since = IndexCounters.of(name).since(before);
        assertThat(count).isEqualTo(rows);
        assertThat(since.get(IndexCounter.COUNTED_BY_ROWS)).isEqualTo(rows);
        assertThat(since.get(IndexCounter.SCANS_COUNTED)).isOne();
      }
    }
  }

  /** What one scan may see another one must not be told, and the other way round. */
  @Test
  void numberOfFiles_isTakenOnlyByScansThatMaySeeAllThatIsInThem(TestCluster cluster)
      throws Exception {
    TableName name = table(cluster, List.of());
    HRegion region = cluster.regions().online(cluster.regions().of(name).get(0));
    CountMemory memory = new CountMemory();
    ReadyIndex ready = new ReadyIndex(0);
    try (Table table = cluster.connection().getTable(name)) {
      put(table, 0, ROWS, ROME);
      region.flush(true);
      try (RegionScanner early = region.getScanner(new Scan().addFamily(F))) {
        put(table, 0, 40, BERN);
        put(table, ROWS, ROWS + 10, ROME);
        assertThat(count(region, early, ready, memory)).isEqualTo(new Asked(ROWS, ROWS));
        assertThat(count(region, early, ready, memory)).isEqualTo(new Asked(ROWS, 0));
        try (RegionScanner late = region.getScanner(new Scan().addFamily(F))) {
          assertThat(count(region, late, ready, memory)).isEqualTo(new Asked(ROWS - 30, 50));
          region.flush(true);
          assertThat(count(region, early, ready, memory).count()).isEqualTo(ROWS);
          assertThat(count(region, late, ready, memory)).isEqualTo(new Asked(ROWS - 30, ROWS + 10));
          assertThat(count(region, late, ready, memory)).isEqualTo(new Asked(ROWS - 30, 0));
          assertThat(count(region, early, ready, memory).count()).isEqualTo(ROWS);
          put(table, 0, 40, ROME);
          region.flush(true);
          region.compact(true);
          assertThat(count(region, early, ready, memory).count()).isEqualTo(ROWS);
          assertThat(count(region, late, ready, memory).count()).isEqualTo(ROWS - 30);
          try (RegionScanner latest = region.getScanner(new Scan().addFamily(F))) {
            assertThat(count(region, latest, ready, memory).count()).isEqualTo(ROWS + 10);
            // Built anew since: nothing that was certain before is so any more.
            ReadyIndex again = new ReadyIndex(Long.MAX_VALUE - 1);
            assertThat(count(region, latest, again, memory).count()).isZero();
          }
        }
      }
    }
  }

  private static Asked count(
      HRegion region, RegionScanner scan, ReadyIndex ready, CountMemory memory) throws Exception {
    IndexRowKeys keys =
        IndexRowKeys.ofRegion(
                region.getRegionInfo().getStartKey(),
                region.getRegionInfo().getEndKey(),
                region.getRegionInfo().getEncodedNameAsBytes())
            .orElseThrow();
    IndexDefinition index =
        IndexedTableDescriptor.indexesOf(region.getTableDescriptor())
            .definitions()
            .iterator()
            .next();
    ValueSpan span =
        ValueSpan.of(keys, new AccessPlan.Lookup(index, List.of(ROME)), RowBounds.of(new Scan()))
            .orElseThrow();
    try (SpanCount counting =
        new SpanCount(
            region,
            new SpanCount.Wanted(span, scan.getMvccReadPoint(), "Rome"),
            new SpanCount.Belief(ready, System.currentTimeMillis(), () -> true),
            true,
            memory)) {
      SpanCount.Step step = counting.next(300);
      while (step != SpanCount.Step.END) {
        step = counting.next(300);
      }
      return new Asked(counting.counted(), counting.read());
    }
  }
}
