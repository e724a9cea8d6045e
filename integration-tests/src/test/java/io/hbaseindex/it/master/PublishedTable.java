/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RoutingStatus;
import io.hbaseindex.common.query.RoutePlanner;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of several regions whose column {@code f:email} is indexed and published. */
final class PublishedTable extends TestTable {
  static final byte[] EMAIL = Bytes.toBytes("email");

  private PublishedTable(TestCluster cluster, TableDescriptor descriptor, String... splits)
      throws IOException {
    super(cluster, descriptor, splits);
  }

  /** Makes a table split at the given keys, with rows {@code a0}, {@code a1} to {@code z9}. */
  static PublishedTable create(TestCluster cluster, String... splits) throws Exception {
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(TestTables.uniqueName("published"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
            .setValue(IndexSettings.PUBLISH_ENABLED, "true")
            .build();
    IndexDefinition byEmail = IndexDefinition.on("f", "email").named("by_email").eager();
    PublishedTable table =
        new PublishedTable(cluster, IndexedTableDescriptor.with(plain, byEmail), splits);
    table.fill();
    return table;
  }

  private void fill() throws IOException {
    for (char letter = 'a'; letter <= 'z'; letter++) {
      for (int i = 0; i < 10; i++) {
        put("" + letter + i);
      }
    }
  }

  /** Writes a row whose e-mail address is its key at example.org. */
  void put(String row) throws IOException {
    table()
        .put(new Put(Bytes.toBytes(row)).addColumn(F, EMAIL, Bytes.toBytes(row + "@example.org")));
  }

  /** A scan for the rows with an e-mail address. */
  static Scan byEmail(String email) {
    return where(EMAIL, email);
  }

  /** What filters are asked for an e-mail address. */
  RoutePredicate predicate(String email) throws IOException {
    TableDescriptor descriptor = table().getDescriptor();
    ScanVerdict.Eligible eligible =
        (ScanVerdict.Eligible) ScanReader.of(descriptor).read(byEmail(email));
    return RoutePlanner.of(descriptor, IndexedTableDescriptor.indexesOf(descriptor))
        .plan(eligible.predicate())
        .orElseThrow();
  }

  /** Waits until every region's filter is trusted, and returns how the filters stand then. */
  RoutingStatus awaitPrecise() throws Exception {
    cluster().tables().awaitPrecise(name());
    return IndexAdmin.of(cluster().connection()).routing(name());
  }
}
