/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
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

  /** The stores of such a family hold references, whose bytes must not be taken for values. */
  @Test
  void of_mobFamily_isAFault() {
    assertThat(RegionPlan.of(table(family("f").setMobEnabled(true)), REGION))
        .isEqualTo(
            new RegionPlan.Unindexed(
                "Cannot keep index by_email: family f has become a MOB family; drop the index",
                true));
  }

  private static ColumnFamilyDescriptorBuilder family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
  }

  private static TableDescriptor table(ColumnFamilyDescriptorBuilder family) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(family.build())
            .setColumnFamily(family(IndexFamily.NAME).build());
    TableIndexes.none()
        .with(IndexDefinition.on("f", "email").named("by_email").eager(), () -> 1)
        .toAttributes()
        .forEach(table::setValue);
    return table.build();
  }
}
