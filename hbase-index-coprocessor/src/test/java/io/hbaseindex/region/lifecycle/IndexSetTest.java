/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.testing.GoldenFile;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class IndexSetTest {
  private final ColumnFamilyDescriptorBuilder f = family("f");
  private final ColumnFamilyDescriptorBuilder g = family("g");
  private final ColumnFamilyDescriptorBuilder unindexed = family("unindexed");
  private final IndexSet indexes =
      new IndexSet(
          TableIndexes.none()
              .with(IndexDefinition.on("f", "a").named("one").eager(), () -> 1)
              .with(IndexDefinition.on("f", "a").and("g", "b").named("two").eager(), () -> 1)
              .definitions());

  @Test
  void fingerprints_sameDefinitionsAndFamilies_areTheSame() {
    Map<Integer, Integer> before = fingerprints();
    unindexed.setTimeToLive(60).setMaxVersions(3);
    f.setBlocksize(1_024);

    assertThat(fingerprints()).isEqualTo(before);
  }

  @Test
  void fingerprints_areThoseOfEveryLedger() {
    g.setTimeToLive(60).setMaxVersions(3);

    GoldenFile.text("definition-fingerprints", fingerprints() + "\n");
  }

  @Test
  void fingerprints_timeToLiveChanged_changeForTheIndexesOfTheFamily() {
    g.setTimeToLive(60);
    Map<Integer, Integer> before = fingerprints();
    g.setTimeToLive(120);

    assertOnlySecondChanged(before, fingerprints());
  }

  @Test
  void fingerprints_versionsChanged_changeForTheIndexesOfTheFamily() {
    g.setMaxVersions(3);
    Map<Integer, Integer> before = fingerprints();
    g.setMaxVersions(1);

    assertOnlySecondChanged(before, fingerprints());
  }

  /** Cells that postings carry expire with their family, and other columns are other cells. */
  @Test
  void fingerprints_includedColumnsOrTheirFamilyChanged_change() {
    TableIndexes table =
        TableIndexes.none()
            .with(IndexDefinition.on("f", "a").including("g:b").named("n").eager(), () -> 1);
    Map<Integer, Integer> before = new IndexSet(table.definitions()).fingerprints(table());
    IndexDefinition other = IndexDefinition.on("f", "a").including("g:c").named("n").eager();
    assertThat(new IndexSet(table.redeclared(other).definitions()).fingerprints(table()))
        .isNotEqualTo(before);
    g.setTimeToLive(60);
    assertThat(new IndexSet(table.definitions()).fingerprints(table())).isNotEqualTo(before);
  }

  /** Values of a condition's column come and go with its family, and postings with them. */
  @Test
  void fingerprints_conditionOrTheFamilyOfItsColumnChanged_change() {
    TableIndexes table =
        TableIndexes.none()
            .with(IndexDefinition.on("f", "a").where("g:b=1").named("n").eager(), () -> 1);
    IndexSet set = new IndexSet(table.definitions());
    Map<Integer, Integer> before = set.fingerprints(table());
    IndexDefinition other = IndexDefinition.on("f", "a").where("g:b=2").named("n").eager();
    TableIndexes changed = TableIndexes.none().with(other, () -> 1);
    assertThat(new IndexSet(changed.definitions()).fingerprints(table())).isNotEqualTo(before);
    assertThat(set.idsWithStalePostings(table())).isEmpty();
    g.setTimeToLive(60);
    assertThat(set.fingerprints(table())).isNotEqualTo(before);
    assertThat(set.idsWithStalePostings(table())).containsExactly(1);
    assertThat(set.families()).hasSize(2);
  }

  private static void assertOnlySecondChanged(
      Map<Integer, Integer> before, Map<Integer, Integer> after) {
    assertThat(after.get(1)).isEqualTo(before.get(1));
    assertThat(after.get(2)).isNotEqualTo(before.get(2));
  }

  private Map<Integer, Integer> fingerprints() {
    return indexes.fingerprints(table());
  }

  private TableDescriptor table() {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
        .setColumnFamily(f.build())
        .setColumnFamily(g.build())
        .setColumnFamily(unindexed.build())
        .build();
  }

  private static ColumnFamilyDescriptorBuilder family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
  }
}
