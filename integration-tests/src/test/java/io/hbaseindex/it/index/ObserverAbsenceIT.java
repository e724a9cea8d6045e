/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.index;

import static io.hbaseindex.it.index.IndexedTable.CITY;
import static io.hbaseindex.it.index.IndexedTable.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that no observer saw are found when the observer comes back (rule P10). */
@OnSharedCluster
class ObserverAbsenceIT {

  @ParameterizedTest(name = "flushed while away: {0}")
  @ValueSource(booleans = {true, false})
  void observerRemovedAndAddedBack_queriesSeeWhatWasWrittenMeanwhile(
      boolean flushed, TestCluster cluster) throws IOException {
    try (IndexedTable people = IndexedTable.create(cluster, "m")) {
      people.put("a", "a@x", "Oslo");
      people.put("b", "b@x", "Oslo");
      people.put("n", "n@x", "Rome");
      people.probe().awaitReady();
      TableDescriptor with = cluster.admin().getDescriptor(people.name());

      cluster
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(with)
                  .removeCoprocessor(IndexSettings.REGION_OBSERVER_CLASS)
                  .build());
      people.put("a", "a@x", "Rome");
      people.put("c", "c@x", "Oslo");
      people.table().delete(new Delete(Bytes.toBytes("b")));
      if (flushed) {
        for (RegionInfo region : cluster.regions().of(people.name())) {
          cluster.regions().flush(region);
        }
      }
      cluster.admin().modifyTable(with);

      assertThat(people.rows(where(CITY, "Oslo"))).containsExactly("c");
      people.probe().awaitReady();
      assertThat(people.rowsByIndex(where(CITY, "Oslo"))).isEqualTo(List.of("c"));
      assertThat(people.rowsByIndex(where(CITY, "Rome"))).isEqualTo(List.of("a", "n"));
      assertThat(people.probe().check().missing()).isEmpty();
    }
  }
}
