/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.index.IndexedTable.CITY;
import static io.hbaseindex.it.index.IndexedTable.FAMILY;
import static io.hbaseindex.it.index.IndexedTable.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A compaction of all files erases from cells of old files when they were written. Writers and the
 * checker tell by that whether a delete marker came before or after a put, so what is left must
 * still be enough.
 */
@OnSharedCluster
class ErasedSequenceIT {

  /** HBase keeps sequence ids for at least five days, whatever its configuration says. */
  private static final long OLD = Duration.ofDays(6).toMillis();

  private static final long MARKER = 1_000;

  @Test
  void putsAndMarkersOfErasedSequence_checkerAndQueriesStayRight(TestCluster cluster)
      throws IOException {
    TableName name = TestTables.uniqueName("erased");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                // Markers survive the compaction, and meet what is written afterwards.
                .setValue("hbase.hstore.time.to.purge.deletes", "3600000000000")
                .build());
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      people.probe().awaitReady();
      people.table().put(city("deleted", MARKER - 1, "Oslo"));
      people.table().put(city("deleted later", MARKER - 1, "Oslo"));
      people.table().put(city("kept", MARKER - 1, "Oslo"));
      for (String row : List.of("deleted", "hidden later")) {
        people.table().delete(new Delete(Bytes.toBytes(row)).addColumns(FAMILY, CITY, MARKER));
      }
      RegionInfo region = People.onlyRegion(cluster, people);
      cluster.regions().flush(region);
      age(cluster, region);
      cluster.regions().majorCompact(region);
      assertThat(sequences(cluster, region))
          .as("two puts and two markers, erased")
          .containsExactly(0L, 0L, 0L, 0L);
      assertExact(people);

      // A marker written behind an erased put, and a put written behind an erased marker.
      people
          .table()
          .delete(new Delete(Bytes.toBytes("deleted later")).addColumns(FAMILY, CITY, MARKER));
      people.table().put(city("hidden later", MARKER - 1, "Oslo"));
      assertExact(people);

      cluster.regions().flush(region);
      assertExact(people);
      age(cluster, region);
      cluster.regions().majorCompact(region);
      Waits.until("the sweep behind the compaction that removed the hidden value")
          .untilAsserted(() -> assertExact(people));
    }
  }

  /**
   * Of two puts with one timestamp HBase shows the one of the higher sequence. If a compaction
   * could erase that and leave the lower one, the older value would show, and a posting that is
   * certain of the newer one would be wrong.
   */
  @Test
  void putsOfOneTimestamp_whateverIsCompacted_theLaterOneShowsAndIsCounted(TestCluster cluster)
      throws IOException {
    TableName name = TestTables.uniqueName("twins");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(IndexedTable.describe(name))
                // Small files would all be compacted together.
                .setValue("hbase.hstore.compaction.min.size", "1")
                .build());
    try (IndexedTable people = IndexedTable.adopt(cluster, name)) {
      people.probe().awaitReady();
      RegionInfo region = People.onlyRegion(cluster, people);
      // The older one lies in a file that is larger than all later ones together.
      People.fill(people.table(), 10 * People.ROWS);
      people.table().put(city("twin", MARKER, "older"));
      cluster.regions().flush(region);
      people.table().put(city("twin", MARKER, "newer"));
      cluster.regions().flush(region);
      for (int flush = 0; flush < 2; flush++) {
        people.table().put(city("other", MARKER + flush, "Oslo"));
        cluster.regions().flush(region);
      }
      age(cluster, region);
      assertTheNewerCounts(cluster, people);

      cluster.regions().minorCompact(region);
      assertThat(cluster.regions().online(region).getStore(FAMILY).getStorefilesCount())
          .as("the newer one was rewritten, the older one was not")
          .isEqualTo(2);
      assertThat(sequences(cluster, region)).doesNotContain(0L);
      assertTheNewerCounts(cluster, people);

      // A write below them plans the row's postings again.
      people.table().put(city("twin", MARKER - 1, "oldest"));
      assertTheNewerCounts(cluster, people);

      age(cluster, region);
      cluster.regions().majorCompact(region);
      assertThat(sequences(cluster, region)).contains(0L);
      assertTheNewerCounts(cluster, people);
    }
  }

  /** By plain scans, by the index, and by a posting alone. */
  private static void assertTheNewerCounts(TestCluster cluster, IndexedTable people)
      throws IOException {
    for (String city : List.of("older", "newer")) {
      List<String> expected = city.equals("newer") ? List.of("twin") : List.of();
      assertThat(people.rows(IndexProbe.withoutIndex(where(CITY, city)))).isEqualTo(expected);
      assertThat(people.rowsByIndex(where(CITY, city))).isEqualTo(expected);
    }
    long byPostings = people.counters().get(IndexCounter.COUNTED_BY_POSTINGS);
    IndexQuery newer =
        IndexQuery.from(people.name()).where(Column.of("f", "city").equalTo("newer"));
    assertThat(QueryClient.of(cluster.connection()).count(newer)).isEqualTo(1);
    assertThat(people.counters().get(IndexCounter.COUNTED_BY_POSTINGS)).isEqualTo(byPostings + 1);
    assertThat(people.probe().check().overstated()).isEmpty();
  }

  private static void assertExact(IndexedTable people) throws IOException {
    assertThat(people.probe().check().toString()).startsWith("0 missing, 0 dangling");
    assertThat(people.rowsByIndex(where(CITY, "Oslo")))
        .isEqualTo(people.rows(IndexProbe.withoutIndex(where(CITY, "Oslo"))))
        .contains("kept");
  }

  private static Put city(String row, long timestamp, String city) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, CITY, timestamp, Bytes.toBytes(city));
  }

  /** Makes the files of the region look as if they had been there for days. */
  private static void age(TestCluster cluster, RegionInfo region) throws IOException {
    HRegion online = cluster.regions().online(region);
    FileSystem files = online.getRegionFileSystem().getFileSystem();
    for (HStoreFile file : online.getStore(FAMILY).getStorefiles()) {
      files.setTimes(file.getPath(), System.currentTimeMillis() - OLD, -1);
    }
  }

  @SuppressWarnings("deprecation") // HBase offers nothing else for it.
  private static List<Long> sequences(TestCluster cluster, RegionInfo region) throws IOException {
    List<Long> sequences = new ArrayList<>();
    Scan everything = new Scan().addFamily(FAMILY).setRaw(true).readAllVersions();
    try (RegionScanner scanner = cluster.regions().online(region).getScanner(everything)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        cells.forEach(cell -> sequences.add(cell.getSequenceId()));
        cells.clear();
      }
    }
    return sequences;
  }
}
