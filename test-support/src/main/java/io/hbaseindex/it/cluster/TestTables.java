/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes tables with unique names and given split keys, and drops them. */
public final class TestTables {

  private static final AtomicInteger SERIAL = new AtomicInteger();

  private final TestCluster cluster;

  TestTables(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** A table name no other test of this JVM uses. */
  public static TableName uniqueName(String hint) {
    return TableName.valueOf(hint + "_" + SERIAL.incrementAndGet());
  }

  /** Creates the table with one region more than there are split keys, and awaits its regions. */
  public void create(TableDescriptor descriptor, byte[]... splitKeys) throws IOException {
    if (splitKeys.length == 0) {
      cluster.admin().createTable(descriptor);
    } else {
      cluster.admin().createTable(descriptor, splitKeys);
    }
    cluster.utility().waitUntilAllRegionsAssigned(descriptor.getTableName());
  }

  /** Creates the table split at the UTF-8 bytes of {@code splitKeys}. */
  public void create(TableDescriptor descriptor, List<String> splitKeys) throws IOException {
    create(descriptor, splitKeys.stream().map(Bytes::toBytes).toArray(byte[][]::new));
  }

  /** Waits until every index of the table is ready and the master trusts the regions' filters. */
  public void awaitPrecise(TableName name) throws Exception {
    new PreciseRegions(cluster, name).await();
  }

  /** Drops the table if it exists, enabled or not. */
  public void drop(TableName name) throws IOException {
    Admin admin = cluster.admin();
    if (!admin.tableExists(name)) {
      return;
    }
    if (admin.isTableEnabled(name)) {
      admin.disableTable(name);
    }
    admin.deleteTable(name);
  }

  /** Keys that cut rows named {@code format % 0 … format % (rows - 1)} into equal regions. */
  public static byte[][] evenSplits(String format, int rows, int regions) {
    byte[][] keys = new byte[regions - 1][];
    Arrays.setAll(keys, i -> Bytes.toBytes(String.format(format, (long) rows * (i + 1) / regions)));
    return keys;
  }
}
