/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.GoldenFile;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class TableShapeTest {
  /** Servers and clients of different releases compare these numbers. */
  @Test
  void shape_isTheSameInEveryRelease() throws IOException {
    GoldenFile.text("table-shape", "%016x\n".formatted(TableShape.of(table("by_email", 3))));
  }

  @Test
  void shape_ofTheReducedDescriptor_isTheSame() throws IOException {
    TableDescriptor table = table("by_email", 3);

    assertThat(TableShape.of(TableShape.reduced(table))).isEqualTo(TableShape.of(table));
  }

  @Test
  void shape_changesWithVersionsAndIndexes_andWithNothingElse() throws IOException {
    long shape = TableShape.of(table("by_email", 3));

    assertThat(TableShape.of(table("by_email", 1))).isNotEqualTo(shape);
    assertThat(TableShape.of(table("by_mail", 3))).isNotEqualTo(shape);
    TableDescriptor renamed =
        TableDescriptorBuilder.newBuilder(table("by_email", 3)).setValue("other", "value").build();
    assertThat(TableShape.of(renamed)).isEqualTo(shape);
  }

  private static TableDescriptor table(String index, int versions) throws IOException {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("ns", "t"))
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                .setMaxVersions(versions)
                .setTimeToLive(60)
                .build())
        .setCoprocessor("org.example.Observer")
        .setValue("hbaseindex.table", "format=1, seed=9c1f0e77a2b34d05, next-id=2")
        .setValue("hbaseindex.index." + index, "id=1, version=1, columns=f:email, mode=eager")
        .build();
  }
}
