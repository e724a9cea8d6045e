/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Tables with the same two eager indexes, whose filters stay at home or go to the master. */
enum RoutingVariant implements BenchTable {
  LOCAL("local index only"),
  ROUTED("local index and filters at the master");

  private final String label;

  RoutingVariant(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public TableDescriptor table(TableName name) {
    return IndexedTableDescriptor.with(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(CustomerRows.FAMILY))
            .setValue(IndexSettings.PUBLISH_ENABLED, Boolean.toString(this == ROUTED))
            .build(),
        IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.EMAIL).named("by_email").eager(),
        IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.CITY).named("by_city").eager());
  }
}
