/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RegionPlanTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final IndexDefinition BY_EMAIL =
      IndexDefinition.on("f", "email").named("by_email").eager();
  private static final IndexDefinition BY_CITY =
      IndexDefinition.on("g", "city").named("by_city").eager();
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();

  @Test
  void of_ordinaryFamily_isIndexed() {
    assertThat(RegionPlan.of(table(family("f")), REGION)).isInstanceOf(RegionPlan.Indexed.class);
  }

  @Test
  void of_familyGone_isAFault() {
    assertThat(RegionPlan.of(table(family("g")), REGION))
        .isEqualTo(
            new RegionPlan.Unindexed(
                "Cannot keep index by_email: family f is gone; drop the index", true));
  }

  /** Whatever the master would have refused, had it been asked. */
  @Test
  void of_familyThatCannotBeIndexed_isAFault() {
    assertUnindexed(
        family("f").setMobEnabled(true),
        "was a MOB family, whose stores hold references in place of values; index a column of another family");
    assertUnindexed(
        family("f").setTimeToLive(3).setMinVersions(1),
        "had MIN_VERSIONS 1, which keeps expired values; set it to 0");
    assertUnindexed(
        family("f").setKeepDeletedCells(KeepDeletedCells.TTL),
        "had KEEP_DELETED_CELLS TTL, which shows deleted values again; set it to FALSE");
    assertUnindexed(
        family("f").setNewVersionBehavior(true),
        "had NEW_VERSION_BEHAVIOR, which orders versions by write; switch it off");
  }

  private static void assertUnindexed(ColumnFamilyDescriptorBuilder family, String fault) {
    assertThat(RegionPlan.of(table(family), REGION))
        .isEqualTo(new RegionPlan.Unindexed("Cannot keep index by_email: family f " + fault, true));
  }

  @Test
  void of_oneFamilyThatCannotBeIndexed_keepsTheIndexesOfOthers() {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(table(family("f").setMinVersions(1), BY_EMAIL, BY_CITY))
            .setColumnFamily(family("g").build())
            .build();

    RegionPlan.Indexed plan = (RegionPlan.Indexed) RegionPlan.of(table, REGION);

    assertThat(plan.definitions().definitions())
        .extracting(IndexDefinition::name)
        .containsExactly("by_city");
    assertThat(plan.unsupported().values())
        .containsExactly(
            "Cannot keep index by_email: family f had MIN_VERSIONS 1, which keeps expired values; set it to 0");
  }

  /** Its postings would go by themselves. */
  @Test
  void of_hiddenFamilyWithTimeToLive_isAFault() {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(table(family("f")))
            .modifyColumnFamily(family(IndexFamily.NAME).setTimeToLive(60).build())
            .build();

    assertThat(RegionPlan.of(table, REGION))
        .isEqualTo(
            new RegionPlan.Unindexed(
                "Cannot index the table: family _i had TTL 60, which lets postings expire; set it to FOREVER",
                true));
  }

  private static ColumnFamilyDescriptorBuilder family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
  }

  private static TableDescriptor table(ColumnFamilyDescriptorBuilder family) {
    return table(family, BY_EMAIL);
  }

  private static TableDescriptor table(
      ColumnFamilyDescriptorBuilder family, IndexDefinition... definitions) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(family.build())
            .setColumnFamily(family(IndexFamily.NAME).build());
    TableIndexes indexes = TableIndexes.none();
    for (IndexDefinition definition : definitions) {
      indexes = indexes.with(definition, () -> 1);
    }
    indexes.toAttributes().forEach(table::setValue);
    return table.build();
  }
}
