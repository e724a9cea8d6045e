/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The tables that are compared; the first one is what the others are measured against. */
enum WriteVariant implements BenchTable {
  PLAIN("no index"),
  EAGER("two eager indexes"),
  LAZY("two lazy indexes");

  private final String label;

  WriteVariant(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public TableDescriptor table(TableName name) {
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(CustomerRows.FAMILY))
            // Filters at the master are measured by themselves.
            .setValue(IndexSettings.PUBLISH_ENABLED, "false")
            .build();
    IndexDefinition.Builder email =
        IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.EMAIL).named("by_email");
    IndexDefinition.Builder city =
        IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.CITY).named("by_city");
    return switch (this) {
      case PLAIN -> plain;
      case EAGER -> IndexedTableDescriptor.with(plain, email.eager(), city.eager());
      case LAZY -> IndexedTableDescriptor.with(plain, email.lazy(), city.lazy());
    };
  }
}
