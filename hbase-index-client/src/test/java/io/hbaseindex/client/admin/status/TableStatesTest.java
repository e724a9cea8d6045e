/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class TableStatesTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final IndexDefinition DECLARED =
      IndexedTableDescriptor.indexesOf(
              IndexedTableDescriptor.with(
                  TableDescriptorBuilder.newBuilder(TABLE)
                      .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                      .build(),
                  IndexDefinition.on("f", "city").named("by_city").eager()))
          .byName("by_city")
          .orElseThrow();

  @Test
  void tableWithoutIndex_isReadyAndSettled() {
    TableStates states = new TableStates(TABLE, List.of(), List.of());

    assertThat(states.isReady()).isTrue();
    assertThat(states.isSettled()).isTrue();
    assertThat(states.reasons()).isEmpty();
  }

  @Test
  void building_isNeitherReadyNorSettled_andSaysWhy() {
    TableStates states = states(region("a", index(IndexStatus.Phase.BUILDING, "row 7 of many")));

    assertThat(states.isReady()).isFalse();
    assertThat(states.isSettled()).isFalse();
    assertThat(states.reasons()).containsExactly("region a: by_city BUILDING, row 7 of many");
  }

  @Test
  void unsupported_isSettledButNotReady() {
    TableStates states = states(region("a", index(IndexStatus.Phase.UNSUPPORTED, "key too long")));

    assertThat(states.isSettled()).isTrue();
    assertThat(states.isReady()).isFalse();
    assertThat(states.hopeless()).containsExactly("region a: by_city UNSUPPORTED, key too long");
  }

  @Test
  void oneRegionThatNeverWill_isHopeless_whateverTheOthersDo() {
    TableStates states =
        states(
            region("a", index(IndexStatus.Phase.BUILDING, "row 7 of many")),
            region("b", index(IndexStatus.Phase.UNSUPPORTED, "key too long")),
            region("c", index(IndexStatus.Phase.WAITING, "tried again")));

    assertThat(states.hopeless()).containsExactly("region b: by_city UNSUPPORTED, key too long");
    assertThat(states.reasons()).hasSize(3);
  }

  @Test
  void indexThatIsNotDeclaredAnyMore_isNoReasonToGiveUp() {
    IndexStatus dropped =
        new IndexStatus("gone", DECLARED.id() + 1, IndexStatus.Phase.UNSUPPORTED, "too long", 0, 0);

    assertThat(states(region("a", dropped)).hopeless()).isEmpty();
  }

  @Test
  void regionWithoutRoomForIndexes_isHopeless() {
    TableStates states =
        states(
            new RegionState(
                "a",
                new byte[0],
                new byte[0],
                Optional.of("server"),
                Optional.of(
                    new RegionStatus(
                        "a",
                        Optional.of("no room"),
                        List.of(),
                        Map.of(),
                        0,
                        OptionalInt.empty(),
                        Optional.empty())),
                Optional.empty()));

    assertThat(states.hopeless()).containsExactly("region a: no room");
  }

  @Test
  void counters_areAddedUpByName() {
    RegionState counting =
        new RegionState(
            "a",
            new byte[0],
            new byte[0],
            Optional.of("server"),
            Optional.of(
                new RegionStatus(
                    "a",
                    Optional.empty(),
                    List.of(),
                    Map.of("postingsRead", 3L),
                    0,
                    OptionalInt.empty(),
                    Optional.of(new PostingSize(100, 10, 300, 100, 5)))),
            Optional.empty());

    assertThat(states(counting, counting).counters()).isEqualTo(Map.of("postingsRead", 6L));
    PostingSize postings = states(counting, counting).postings();
    assertThat(postings).isEqualTo(new PostingSize(200, 20, 600, 200, 10));
    assertThat(postings.bytesPerRow()).isEqualTo(20);
    assertThat(postings.valueBytesPerRow()).isEqualTo(5);
  }

  @Test
  void regionOpenedBeforeTheIndexWasDeclared_isNotSettled() {
    TableStates states = states(region("a", index(IndexStatus.Phase.READY, "built")), region("b"));

    assertThat(states.isSettled()).isFalse();
    assertThat(states.reasons())
        .containsExactly("region b: it has not been opened with the table's present indexes yet");
    assertThat(states.progress(Progress.Work.BUILD))
        .isEqualTo(new Progress.Step(Progress.Work.BUILD, 1, 2, 5, 20));
  }

  @Test
  void progress_countsRowsOnce_andRegionsThatWaitLikeTheOthers() {
    IndexStatus older =
        new IndexStatus(
            "by_name", DECLARED.id() + 1, IndexStatus.Phase.READY, "built", 9_000, 9_000);
    TableStates states =
        states(
            region("a", status(IndexStatus.Phase.READY, 400, 400)),
            region("b", older, status(IndexStatus.Phase.BUILDING, 150, 600)),
            region("c", older, status(IndexStatus.Phase.WAITING, 0, 0)),
            region("d"));

    assertThat(states.progress(Progress.Work.BUILD))
        .isEqualTo(new Progress.Step(Progress.Work.BUILD, 1, 4, 550, 2_000));
  }

  private static IndexStatus status(IndexStatus.Phase phase, long done, long expected) {
    return new IndexStatus("by_city", DECLARED.id(), phase, "", done, expected);
  }

  @Test
  void silentRegion_isNotSettled_andSaysWhatWentWrong() {
    TableStates states =
        states(
            new RegionState(
                "a",
                new byte[0],
                new byte[0],
                Optional.empty(),
                Optional.empty(),
                Optional.of("connection refused")));

    assertThat(states.isSettled()).isFalse();
    assertThat(states.reasons()).first().isEqualTo("region a: connection refused");
  }

  private static TableStates states(RegionState... regions) {
    return new TableStates(TABLE, List.of(DECLARED), List.of(regions));
  }

  private static IndexStatus index(IndexStatus.Phase phase, String reason) {
    return new IndexStatus("by_city", DECLARED.id(), phase, reason, 5, 10);
  }

  private static RegionState region(String name, IndexStatus... indexes) {
    return new RegionState(
        name,
        new byte[0],
        new byte[0],
        Optional.of("server"),
        Optional.of(
            new RegionStatus(
                name,
                Optional.empty(),
                List.of(indexes),
                Map.of(),
                0,
                OptionalInt.empty(),
                Optional.empty())),
        Optional.empty());
  }
}
