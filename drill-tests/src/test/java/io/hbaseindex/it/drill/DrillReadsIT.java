/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.drill.PeopleTable.Watched;
import io.hbaseindex.region.metrics.IndexCounter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Drill's HBase plugin reads of a table of twelve regions, by the servers' own counts. */
@OnSharedCluster
class DrillReadsIT {
  static final String INDEXED = "indexed";
  static final String PLAIN = "plain";

  @TempDir private static Path directory;

  private static PeopleTable people;
  private static Drill drill;

  @BeforeAll
  static void start(TestCluster cluster) throws Exception {
    people = PeopleTable.create(cluster);
    Map<String, String> plain = new HashMap<>();
    for (String setting : List.of(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT)) {
      plain.put(setting, cluster.configuration().get(setting));
    }
    Map<String, String> indexed = new HashMap<>(plain);
    indexed.put("hbase.client.connection.impl", "io.hbaseindex.client.IndexedConnection");
    drill = Drill.start(directory, Map.of(INDEXED, indexed, PLAIN, plain));
  }

  @AfterAll
  static void end() throws Exception {
    if (drill != null) {
      drill.close();
    }
    people.close();
  }

  @Test
  void uniqueValue_readsOneRegionOfTwelve() throws Exception {
    IndexCounters before = people.counters();

    Watched found =
        people.watch(
            drill,
            "SELECT CONVERT_FROM(p.row_key, 'UTF8'), CONVERT_FROM(p.f.email, 'UTF8') FROM people p"
                + " WHERE p.f.email = 'p567@example.org'");

    assertThat(found.rows()).containsExactly("p0567\tp567@example.org");
    assertThat(found.regions()).containsExactly(5);
    assertThat(people.counters().since(before).get(IndexCounter.SCANS_JUMPED)).isPositive();
  }

  @Test
  void convertedValue_readsItsTwoRegions() throws Exception {
    Watched found =
        people.watch(
            drill, "SELECT COUNT(*) FROM people p WHERE CONVERT_FROM(p.f.city, 'UTF8') = 'city4'");

    assertThat(found.rows()).containsExactly("200");
    assertThat(found.regions()).containsExactly(8, 9);
  }

  @Test
  void absentValue_readsNoRegion() throws Exception {
    Watched found = people.watch(drill, "SELECT COUNT(*) FROM people p WHERE p.f.email = 'nobody'");

    assertThat(found.rows()).containsExactly("0");
    assertThat(found.regions()).isEmpty();
  }

  /** Drill finds no such rows by itself, either; the index must not change what it says. */
  @Test
  void columnOfTheConditionNotShown_answersAsWithoutTheIndex() throws Exception {
    Watched found =
        people.watch(
            drill,
            "SELECT CONVERT_FROM(p.f.city, 'UTF8') FROM people p WHERE p.f.email = 'p567@example.org'");

    assertThat(found.regions()).hasSizeLessThanOrEqualTo(1);
  }
}
