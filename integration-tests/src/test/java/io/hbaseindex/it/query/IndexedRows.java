/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Makes tables of one family whose indexes are there before their rows. */
final class IndexedRows {
  private IndexedRows() {}

  /** An empty table whose indexes are ready. */
  static TableName create(
      TestCluster cluster, String prefix, List<String> splits, IndexDefinition... indexes)
      throws Exception {
    TableName name = TestTables.uniqueName(prefix);
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            splits);
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    for (IndexDefinition index : indexes) {
      admin.create(name, index);
    }
    admin.awaitReady(name, Duration.ofMinutes(2), Progress.NONE);
    return name;
  }
}
