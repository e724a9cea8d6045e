/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.write;

import static io.hbaseindex.it.write.WrittenTable.BY_CITY;
import static io.hbaseindex.it.write.WrittenTable.F;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Every kind of mutation leaves exactly the postings that the visible rows call for. */
@OnSharedCluster
class MutationKindsIT {
  private static final byte[] CITY = Bytes.toBytes("city");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final IndexDefinition BY_COUNT =
      IndexDefinition.on("f", "count").named("by_count").eager();
  private static final IndexDefinition BY_PLACE =
      IndexDefinition.on("f", "city").and("g", "street").named("by_place").eager();

  private static WrittenTable indexed;
  private static Table table;

  // A row of its own for each test: a table of its own would cost seconds.
  private String rowName;
  private byte[] row;

  @BeforeAll
  static void createTable(TestCluster cluster) throws IOException {
    indexed =
        WrittenTable.create(cluster, f -> f.setMaxVersions(3), t -> t, BY_CITY, BY_COUNT, BY_PLACE);
    table = indexed.table();
  }

  @BeforeEach
  void nameRow(TestInfo test) {
    rowName = test.getTestMethod().orElseThrow().getName();
    row = Bytes.toBytes(rowName);
  }

  @AfterAll
  static void dropTable() throws IOException {
    indexed.close();
  }

  @Test
  void put_newThenOverwritten_leavesOneLivePosting() throws IOException {
    table.put(put("Oslo"));
    assertThat(indexed.live(rowName)).containsExactly("by_city/Oslo", "by_place/Oslo|-");

    table.put(put("Rome"));

    assertThat(indexed.live(rowName)).containsExactly("by_city/Rome", "by_place/Rome|-");
    assertThat(indexed.dead(rowName)).containsExactly("by_city/Oslo", "by_place/Oslo|-");
  }

  @Test
  void put_backAndForthWithinAMillisecond_lastWins() throws IOException {
    for (int i = 0; i < 50; i++) {
      table.put(put(i % 2 == 0 ? "Oslo" : "Rome"));
    }

    assertExact("by_city/Rome");
  }

  @Test
  void put_olderTimestampThanStored_changesNothingVisible() throws IOException {
    table.put(put("Oslo", 100));
    table.put(put("Rome", 50));

    assertExact("by_city/Oslo");
  }

  @Test
  void put_sameTimestampAgain_laterWriteWins() throws IOException {
    table.put(put("Oslo", 100));
    table.put(put("Rome", 100));

    assertExact("by_city/Rome");
  }

  @Test
  void put_futureTimestamp_staysAboveLaterPuts() throws IOException {
    table.put(put("Oslo", Long.MAX_VALUE / 2));
    table.put(put("Rome"));

    assertExact("by_city/Oslo");
  }

  @Test
  void put_sameRowSeveralTimesInOneBatch_seeEachOther() throws IOException {
    table.put(put("Bonn"));
    table.put(List.of(put("Oslo"), put("Rome"), put("Lima")));

    assertExact("by_city/Lima");
  }

  @Test
  void put_otherColumnOfComposite_movesThePosting() throws IOException {
    table.put(put("Oslo"));
    table.put(
        new Put(row).addColumn(Bytes.toBytes("g"), Bytes.toBytes("street"), Bytes.toBytes("A")));

    assertThat(indexed.live(rowName)).contains("by_place/Oslo|A").doesNotContain("by_place/Oslo|-");
    assertExact("by_city/Oslo");
  }

  @Test
  void delete_wholeRow_endsEveryPosting() throws IOException {
    table.put(put("Oslo"));
    table.delete(new Delete(row));

    assertThat(indexed.live(rowName)).isEmpty();
    assertExact();
  }

  @Test
  void delete_family_endsPostingsOfThatFamily() throws IOException {
    table.put(put("Oslo"));
    table.delete(new Delete(row).addFamily(F));

    assertExact();
  }

  @Test
  void delete_latestVersion_showsTheOlderAgain() throws IOException {
    table.put(put("Oslo", 1));
    table.put(put("Rome", 2));
    table.delete(new Delete(row).addColumn(F, CITY));

    assertExact("by_city/Oslo");
  }

  @Test
  void delete_oneOldVersion_leavesTheVisibleOne() throws IOException {
    table.put(put("Oslo", 1));
    table.put(put("Rome", 2));
    table.delete(new Delete(row).addColumn(F, CITY, 1));

    assertExact("by_city/Rome");
  }

  @Test
  void delete_allVersions_endsThePosting() throws IOException {
    table.put(put("Oslo", 1));
    table.put(put("Rome", 2));
    table.delete(new Delete(row).addColumns(F, CITY));

    assertExact();
  }

  @Test
  void delete_versionsUpToATimestamp_leavesTheNewer() throws IOException {
    table.put(put("Oslo", 1));
    table.put(put("Rome", 5));
    table.delete(new Delete(row).addColumns(F, CITY, 3));
    assertExact("by_city/Rome");

    table.delete(new Delete(row).addColumn(F, CITY, 5));
    assertExact();
  }

  @Test
  void delete_familyVersion_showsTheOlderAgain() throws IOException {
    table.put(put("Oslo", 1));
    table.put(put("Rome", 2));
    table.delete(new Delete(row).addFamilyVersion(F, 2));

    assertExact("by_city/Oslo");
  }

  @Test
  void increment_indexedColumn_movesThePosting() throws IOException {
    table.increment(new Increment(row).addColumn(F, COUNT, 5));
    assertExact("by_count/\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x05");

    table.increment(new Increment(row).addColumn(F, COUNT, 2));
    assertExact("by_count/\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x07");
  }

  @Test
  void append_indexedColumn_movesThePosting() throws IOException {
    table.put(put("Os"));
    table.append(new Append(row).addColumn(F, CITY, Bytes.toBytes("lo")));

    assertExact("by_city/Oslo");
  }

  @Test
  void mutateRow_putAndDeleteTogether_leavesWhatIsVisible() throws IOException {
    table.put(put("Oslo", 1));
    table.mutateRow(
        RowMutations.of(
            List.of(
                new Delete(row).addColumns(F, CITY, 1),
                put("Rome", 2),
                new Put(row).addColumn(F, COUNT, Bytes.toBytes("n")))));

    assertExact("by_city/Rome", "by_count/n");
  }

  @Test
  void mutateRow_incrementAppendAndPut_leavesWhatIsVisible() throws IOException {
    table.put(put("Os"));
    table.mutateRow(
        RowMutations.of(
            List.of(
                new Increment(row).addColumn(F, COUNT, 1),
                new Append(row).addColumn(F, CITY, Bytes.toBytes("lo")))));

    assertExact("by_city/Oslo", "by_count/\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01");
  }

  @Test
  void checkAndMutate_matching_movesThePosting() throws IOException {
    table.put(put("Oslo"));
    boolean done =
        table
            .checkAndMutate(
                CheckAndMutate.newBuilder(row)
                    .ifEquals(F, CITY, Bytes.toBytes("Oslo"))
                    .build(put("Rome")))
            .isSuccess();

    assertThat(done).isTrue();
    assertExact("by_city/Rome");
  }

  @Test
  void checkAndMutate_notMatching_leavesEverything() throws IOException {
    table.put(put("Oslo"));
    boolean done =
        table
            .checkAndMutate(
                CheckAndMutate.newBuilder(row)
                    .ifEquals(F, CITY, Bytes.toBytes("Bonn"))
                    .build(put("Rome")))
            .isSuccess();

    assertThat(done).isFalse();
    assertExact("by_city/Oslo");
  }

  @Test
  void put_batchesOverRowsInFilesAndMemstore_endWhatTheyOverwrite() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add(rowName + i);
    }
    Collections.shuffle(rows, new Random(5));
    for (int round = 0; round < 4; round++) {
      List<Put> batch = new ArrayList<>();
      // Every round leaves some rows alone, meets some for the first time, and writes wide ones.
      for (String name : rows.subList(round * 8, rows.size() - (3 - round) * 5)) {
        Put put = new Put(Bytes.toBytes(name)).addColumn(F, CITY, Bytes.toBytes("city" + round));
        for (int column = 0; column < 20; column++) {
          put.addColumn(F, Bytes.toBytes("a" + column), CITY);
          put.addColumn(F, Bytes.toBytes("z" + column), CITY);
        }
        batch.add(put);
      }
      table.put(batch);
      if (round < 3) {
        indexed.region().flush(true);
      }
      for (String name : rows) {
        assertThat(indexed.live(name)).as("round %d", round).isEqualTo(indexed.calledFor(name));
      }
    }
    indexed.region().compact(true);
    table.delete(new Delete(Bytes.toBytes(rows.get(39))));
    assertThat(indexed.live(rows.get(39))).isEmpty();
  }

  /** What the memstore holds of all columns leaves older files unread, and only these. */
  @Test
  void put_markerInAFileAtTheTimeOfTheNewestPuts_stillHidesThem() throws IOException {
    table.put(put("Oslo", 100).addColumn(F, COUNT, 100, Bytes.toBytes(1L)));
    table.delete(new Delete(row).addColumn(F, CITY, 200));
    indexed.region().flush(true);
    table.put(put("Rome", 200).addColumn(F, COUNT, 200, Bytes.toBytes(1L)));

    table.put(put("Bonn", 150));

    assertThat(indexed.calledFor(rowName)).contains("by_city/Bonn");
    assertThat(indexed.live(rowName)).contains("by_city/Bonn");
  }

  @Test
  void put_emptyZeroAndLongValues_haveTheirPostings() throws IOException {
    table.put(new Put(Bytes.toBytes("empty")).addColumn(F, CITY, new byte[0]));
    table.put(new Put(Bytes.toBytes("zeros")).addColumn(F, CITY, new byte[3]));
    table.put(new Put(Bytes.toBytes("long")).addColumn(F, CITY, new byte[40_000]));

    assertThat(indexed.live())
        .contains("by_city/>empty", "by_city/\\x00\\x00\\x00>zeros")
        .contains("by_city/" + "\\x00".repeat(512) + ">long");
  }

  private Put put(String city) {
    return new Put(row).addColumn(F, CITY, Bytes.toBytes(city));
  }

  private Put put(String city, long timestamp) {
    return new Put(row).addColumn(F, CITY, timestamp, Bytes.toBytes(city));
  }

  /** The postings are those that readers' rows call for, and these are among them. */
  private void assertExact(String... among) throws IOException {
    assertThat(indexed.live(rowName)).isEqualTo(indexed.calledFor(rowName)).contains(among);
    assertThat(indexed.live(rowName).stream().filter(p -> !p.startsWith("by_place")))
        .containsExactlyInAnyOrder(among);
  }
}
