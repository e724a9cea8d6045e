/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.admin.CreateOptions;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.admin.status.TableStates;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexedTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.junit.jupiter.api.Test;

/** Indexes come, go and are mended through {@link IndexAdmin}, also when calls are cut short. */
@OnSharedCluster
class IndexAdminIT {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int ROWS = 600;
  private static final IndexDefinition BY_CITY =
      IndexDefinition.on("f", "city").named("by_city").eager();

  @Test
  void create_onALoadedTable_isReadyComplete_andRepeatingChangesNothing(TestCluster cluster)
      throws Exception {
    try (IndexedTable people = loaded(cluster)) {
      IndexAdmin admin = IndexAdmin.of(cluster.connection());
      List<Progress.Step> steps = new ArrayList<>();

      assertThat(admin.create(people.name(), BY_CITY)).isTrue();
      TableStates states = admin.awaitReady(people.name(), LONG, steps::add);

      assertThat(states.isReady()).isTrue();
      assertThat(states.regions()).hasSize(3).allMatch(region -> region.server().isPresent());
      assertThat(steps).last().satisfies(step -> assertThat(step.regionsDone()).isEqualTo(3));
      assertThat(people.rowsByIndex(IndexedTable.where(IndexedTable.CITY, "city 7"))).hasSize(60);
      assertThat(admin.create(people.name(), BY_CITY)).isFalse();
      assertThat(admin.list(people.name())).singleElement().matches(BY_CITY::isSameIndex);
      assertThat(admin.listAll().indexes()).containsKey(people.name());
      CheckReport report = admin.verify(people.name(), Progress.NONE);
      assertThat(report.isClean()).isTrue();
      assertThat(report.rows()).isEqualTo(ROWS);
      assertThat(report.postings()).isEqualTo(ROWS);
    }
  }

  @Test
  void create_otherIndexOfTheSameName_isRefused(TestCluster cluster) throws Exception {
    try (IndexedTable people = loaded(cluster)) {
      IndexAdmin admin = IndexAdmin.of(cluster.connection());
      admin.create(people.name(), BY_CITY);

      assertThatThrownBy(
              () ->
                  admin.create(
                      people.name(), IndexDefinition.on("f", "city").named("by_city").lazy()))
          .isInstanceOf(DefinitionException.class)
          .hasMessageContaining("Cannot create index by_city on table " + people.name())
          .hasMessageContaining("another one of that name")
          .hasMessageContaining("mode=eager");
    }
  }

  @Test
  void create_publishingChosen_isATableSetting(TestCluster cluster) throws Exception {
    try (IndexedTable people = loaded(cluster)) {
      IndexAdmin admin = IndexAdmin.of(cluster.connection());

      admin.create(people.name(), List.of(BY_CITY), CreateOptions.defaults().publishing(false));

      assertThat(
              cluster.admin().getDescriptor(people.name()).getValue(IndexSettings.PUBLISH_ENABLED))
          .isEqualTo("false");
    }
  }

  @Test
  void drop_knownAndUnknownIndex(TestCluster cluster) throws Exception {
    try (IndexedTable people = loaded(cluster)) {
      IndexAdmin admin = IndexAdmin.of(cluster.connection());
      admin.create(people.name(), BY_CITY);

      assertThat(admin.drop(people.name(), "by_city")).isTrue();

      assertThat(admin.drop(people.name(), "by_city")).isFalse();
      assertThat(admin.list(people.name())).isEmpty();
      assertThat(admin.states(people.name()).regions()).isEmpty();
      assertThat(people.rows(IndexedTable.where(IndexedTable.CITY, "city 7"))).hasSize(60);
    }
  }

  @Test
  void tableWithoutIndex_isReadyAndClean_unknownTable_isHBasesError(TestCluster cluster)
      throws Exception {
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    try (IndexedTable people = loaded(cluster)) {
      assertThat(admin.awaitReady(people.name(), LONG, Progress.NONE).isReady()).isTrue();
      assertThat(admin.verify(people.name(), Progress.NONE).isClean()).isTrue();
      admin.rebuild(people.name(), Progress.NONE);
    }
    assertThatThrownBy(() -> admin.create(TableName.valueOf("nowhere"), BY_CITY))
        .isInstanceOf(TableNotFoundException.class);
  }

  @Test
  void create_interruptedAtAnyMoment_repeatedIsClean(TestCluster cluster) throws Exception {
    try (IndexedTable people = loaded(cluster)) {
      IndexAdmin admin = IndexAdmin.of(cluster.connection());
      for (int pauseMillis : new int[] {0, 20, 150}) {
        Thread creator =
            new Thread(
                () -> {
                  try {
                    admin.create(people.name(), BY_CITY);
                    admin.awaitReady(people.name(), LONG, Progress.NONE);
                  } catch (InterruptedException | IOException e) {
                    // What an interrupted call throws is looked at elsewhere.
                    Thread.currentThread().interrupt();
                  }
                });
        creator.start();
        Thread.sleep(pauseMillis);
        creator.interrupt();
        creator.join();

        admin.create(people.name(), BY_CITY);
        assertThat(admin.awaitReady(people.name(), LONG, Progress.NONE).isReady()).isTrue();
        assertThat(admin.verify(people.name(), Progress.NONE))
            .satisfies(report -> assertThat(report.isClean()).isTrue())
            .satisfies(report -> assertThat(report.postings()).isEqualTo(ROWS));
        admin.drop(people.name(), "by_city");
      }
    }
  }

  @Test
  void verify_interrupted_saysSo_andRepeatedIsClean(TestCluster cluster) throws Exception {
    try (IndexedTable people = loaded(cluster)) {
      IndexAdmin admin = IndexAdmin.of(cluster.connection());
      admin.create(people.name(), BY_CITY);
      admin.awaitReady(people.name(), LONG, Progress.NONE);

      assertThatThrownBy(
              () -> admin.verify(people.name(), step -> Thread.currentThread().interrupt()))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();

      assertThat(admin.verify(people.name(), Progress.NONE).rows()).isEqualTo(ROWS);
    }
  }

  @Test
  void verify_regionSplitMeanwhile_leavesNoKeyOut(TestCluster cluster) throws Exception {
    try (IndexedTable people = loaded(cluster)) {
      IndexAdmin admin = IndexAdmin.of(cluster.connection());
      admin.create(people.name(), BY_CITY);
      admin.awaitReady(people.name(), LONG, Progress.NONE);
      boolean[] split = {false};

      CheckReport report =
          admin.verify(
              people.name(),
              step -> {
                if (!split[0]) {
                  split[0] = true;
                  splitFirstRegion(cluster, people.name());
                }
              });

      assertThat(report.rows()).isEqualTo(ROWS);
    }
  }

  private static void splitFirstRegion(TestCluster cluster, TableName name) {
    try {
      cluster.regions().split(cluster.regions().of(name).get(0), "r0100".getBytes());
    } catch (Exception e) {
      throw new AssertionError("Cannot split a region of " + name, e);
    }
  }

  /** A table of {@value #ROWS} people in three regions, without any index. */
  private static IndexedTable loaded(TestCluster cluster) throws IOException {
    return IndexedTable.loaded(cluster, "loaded", ROWS, "r0200", "r0400");
  }
}
