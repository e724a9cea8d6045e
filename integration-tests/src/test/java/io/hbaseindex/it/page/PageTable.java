/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.page;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A published table of six regions, with a row per letter in one indexed column. */
final class PageTable extends TestTable {
  static final String[] SPLITS = {"d", "h", "m", "r", "w"};

  private final byte[] qualifier;

  private PageTable(TestCluster cluster, TableDescriptor descriptor, byte[] qualifier)
      throws IOException {
    super(cluster, descriptor, SPLITS);
    this.qualifier = qualifier;
  }

  /** Makes a table whose column of this name in family f is indexed, and waits for its filters. */
  static PageTable create(TestCluster cluster, String qualifier) throws Exception {
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(TestTables.uniqueName("people"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue(IndexSettings.PUBLISH_ENABLED, "true")
            .build();
    IndexDefinition index = IndexDefinition.on("f", qualifier).named("by_email").eager();
    IndexDefinition wider =
        IndexDefinition.on("f", "town")
            .and("f", "street")
            .and("f", "age")
            .as(ValueType.LONG)
            .including("f:name")
            .where("f:status=open|new")
            .named("by_town")
            .routes("f:town", "f:age")
            .eager();
    PageTable table =
        new PageTable(
            cluster,
            IndexedTableDescriptor.with(IndexedTableDescriptor.with(plain, index), wider),
            Bytes.toBytes(qualifier));
    List<Put> puts = new ArrayList<>();
    for (char letter = 'a'; letter <= 'z'; letter++) {
      puts.add(table.row("" + letter, letter + "@example.org"));
    }
    table.table().put(puts);
    cluster.tables().awaitPrecise(table.name());
    return table;
  }

  /** A row with a value in the indexed column. */
  Put row(String key, String value) {
    return new Put(Bytes.toBytes(key)).addColumn(F, qualifier, Bytes.toBytes(value));
  }

  String text() {
    return name().getNameAsString();
  }
}
