/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.CompactingMemStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class MemoryCompactionTest {
  private final ColumnFamilyDescriptorBuilder family =
      ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"));
  private final Configuration configuration = new Configuration(false);

  @Test
  void dropsVersions_nothingSaid_isFalse() {
    assertThat(dropsVersions()).isFalse();
  }

  @Test
  void dropsVersions_familyDecides_isTrueForThePoliciesThatLookAtVersions() {
    for (MemoryCompactionPolicy policy : MemoryCompactionPolicy.values()) {
      family.setInMemoryCompaction(policy);
      assertThat(dropsVersions())
          .as(policy.name())
          .isEqualTo(
              policy == MemoryCompactionPolicy.EAGER || policy == MemoryCompactionPolicy.ADAPTIVE);
    }
  }

  @Test
  void dropsVersions_familySilent_serverDecides() {
    configuration.set(CompactingMemStore.COMPACTING_MEMSTORE_TYPE_KEY, "eager");
    assertThat(dropsVersions()).isTrue();
    family.setInMemoryCompaction(MemoryCompactionPolicy.BASIC);
    assertThat(dropsVersions()).isFalse();
  }

  private boolean dropsVersions() {
    return MemoryCompaction.dropsVersions(family.build(), configuration);
  }
}
