/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static io.hbaseindex.it.scan.Filters.all;
import static io.hbaseindex.it.scan.Filters.is;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.BloomFilterUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Scans of a region whose filter knows how frequent values are: what is read, by its counters. */
@OnSharedCluster
class FrequentValuesIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 6_000;
  private static final int RARE = 20;
  private static final List<Explanation.AccessSum> EXACT =
      List.of(
          new Explanation.AccessSum("lookup a", RARE, 0, 1, 0, RARE),
          new Explanation.AccessSum("lookup c", ROWS - ROWS / 5, 0, 0, 1, 0));
  private static ScannedTable table;
  private static IndexAdmin admin;
  private static QueryClient client;

  @BeforeAll
  static void load(TestCluster cluster) throws Exception {
    table =
        ScannedTable.create(
            cluster,
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(TestTables.uniqueName("frequent"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .setValue(IndexSettings.PUBLISH_ENABLED, "true")
                    .build(),
                IndexDefinition.on("f", "a").named("a").eager(),
                IndexDefinition.on("f", "b").named("b").eager(),
                IndexDefinition.on("f", "c").named("c").eager(),
                IndexDefinition.on("f", "a").and("f", "e").including("f:d").named("ae").eager()));
    admin = IndexAdmin.of(cluster.connection());
    client = QueryClient.of(cluster.connection());
    // What is written while a filter is built may be counted twice.
    cluster.tables().awaitPrecise(table.name());
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(row(i))
              .addColumn(
                  F, Bytes.toBytes("a"), Bytes.toBytes(i % (ROWS / RARE) == 7 ? "rare" : "x"))
              .addColumn(F, Bytes.toBytes("b"), Bytes.toBytes(i % 4 == 0 ? "quarter" : "y" + i))
              .addColumn(F, Bytes.toBytes("c"), Bytes.toBytes(i % 5 == 0 ? "z" + i : "most"))
              .addColumn(F, Bytes.toBytes("d"), Bytes.toBytes("d" + i))
              .addColumn(F, Bytes.toBytes("e"), Bytes.toBytes("e" + i % 3)));
    }
    table.table().put(puts);
    table.flush();
    cluster.tables().awaitPrecise(table.name());
    Waits.until("a filter that was built in peace").until(() -> rareAndMost().equals(EXACT));
  }

  private static List<Explanation.AccessSum> rareAndMost() throws IOException {
    Filter both = all(is("f:c", "most"), is("f:a", "rare"));
    return admin.explain(table.name(), new Scan().setFilter(both)).accesses();
  }

  @AfterAll
  static void drop() throws Exception {
    table.close();
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("row%05d".formatted(i));
  }

  private IndexCounters counted(Filter filter) throws Exception {
    ScannedTable.Answer answer = table.answer(new Scan().setFilter(filter));
    assertThat(answer.cells()).isEqualTo(table.plainAnswer(new Scan().setFilter(filter)).cells());
    return answer.counted();
  }

  @Test
  void rareAndFrequentValue_frequentOneIsNotEvenOpened() throws Exception {
    IndexCounters counted = counted(all(is("f:c", "most"), is("f:a", "rare")));

    assertThat(counted.get(IndexCounter.SCANS_JUMPED)).isOne();
    assertThat(counted.get(IndexCounter.POSTINGS_READ)).isEqualTo(RARE);
    assertThat(counted.get(IndexCounter.ROWS_READ)).isEqualTo(RARE);
  }

  @Test
  void valueInMostRows_isWalkedAtOnce() throws Exception {
    IndexCounters counted = counted(is("f:c", "most"));

    assertThat(counted.plain(PlainScanReason.VALUE_IN_MOST_ROWS)).isOne();
    assertThat(counted.get(IndexCounter.POSTINGS_READ)).isZero();
    assertThat(counted(is("f:b", "quarter")).get(IndexCounter.SCANS_JUMPED))
        .as("a quarter is not most")
        .isOne();
  }

  /** Its Bloom filter has one entry for all rows, and says nothing of how many there are. */
  @Test
  void familyWithABloomFilterOfBeginnings_aValueInFewRowsIsLookedUp(TestCluster cluster)
      throws Exception {
    try (ScannedTable other =
        ScannedTable.create(
            cluster,
            IndexedTableDescriptor.with(
                TableDescriptorBuilder.newBuilder(TestTables.uniqueName("beginnings"))
                    .setColumnFamily(
                        ColumnFamilyDescriptorBuilder.newBuilder(F)
                            .setBloomFilterType(BloomType.ROWPREFIX_FIXED_LENGTH)
                            .setConfiguration(BloomFilterUtil.PREFIX_LENGTH_KEY, "3")
                            .build())
                    .setValue(IndexSettings.PUBLISH_ENABLED, "true")
                    .build(),
                IndexDefinition.on("f", "b").named("b").eager()))) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        String value = i % 4 == 0 ? "quarter" : "y" + i;
        puts.add(new Put(row(i)).addColumn(F, Bytes.toBytes("b"), Bytes.toBytes(value)));
      }
      other.table().put(puts);
      other.flush();
      cluster.tables().awaitPrecise(other.name());

      ScannedTable.Answer answer = other.answer(new Scan().setFilter(is("f:b", "quarter")));

      assertThat(answer.rows()).isEqualTo(ROWS / 4);
      assertThat(answer.counted().get(IndexCounter.SCANS_JUMPED)).isOne();
    }
  }

  /** No row is read for what postings answer, however frequent. */
  @Test
  void countOfAFrequentValue_isTakenFromPostings() throws Exception {
    IndexCounters before = table.counters();
    assertThat(
            client.count(
                IndexQuery.from(table.name()).where(Column.of("f", "c").equalTo(Value.of("most")))))
        .isEqualTo(ROWS - ROWS / 5);
    assertThat(table.counters().since(before).get(IndexCounter.COUNTED_BY_POSTINGS))
        .isEqualTo(ROWS - ROWS / 5);
  }

  @Test
  void coveringIndex_isTakenInPlaceOfOneThatJumps() throws Exception {
    Scan scan =
        new Scan()
            .setFilter(is("f:a", "rare"))
            .addColumn(F, Bytes.toBytes("a"))
            .addColumn(F, Bytes.toBytes("d"));
    IndexCounters counted = table.answer(scan).counted();

    assertThat(counted.get(IndexCounter.ROWS_FROM_POSTINGS)).isEqualTo(RARE);
    assertThat(counted.get(IndexCounter.ROWS_READ)).isZero();
    assertThat(table.answer(scan).cells()).isEqualTo(table.plainAnswer(scan).cells());
  }

  @Test
  void explain_tellsWhatWasExpectedAndWhatWasThere() throws Exception {
    assertThat(rareAndMost()).isEqualTo(EXACT);
    assertThat(admin.explain(table.name(), new Scan().setFilter(is("f:c", "most"))).indexes())
        .contains(new Explanation.IndexUse("c", 0, Map.of("more than half of all rows match", 1)));
  }

  /** What was deleted is expected no longer. */
  @Test
  void deletedValues_areExpectedNoLonger() throws Exception {
    for (int i = 0; i < 10; i++) {
      table.table().put(new Put(row(i)).addColumn(F, Bytes.toBytes("b"), Bytes.toBytes("brief")));
    }
    for (int i = 0; i < 7; i++) {
      table.table().delete(new Delete(row(i)).addColumns(F, Bytes.toBytes("b")));
    }
    Explanation explanation = admin.explain(table.name(), new Scan().setFilter(is("f:b", "brief")));

    assertThat(explanation.accesses())
        .containsExactly(new Explanation.AccessSum("lookup b", 3, 0, 1, 0, 3));
    assertThat(explanation.rows()).isEqualTo(3);
  }
}
