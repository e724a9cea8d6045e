/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.facts;

import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table with a data family, a second family, and a {@link RecordingObserver}; dropped on close.
 */
final class FactsTable extends TestTable {

  static final byte[] DATA = Bytes.toBytes("d");
  static final byte[] HIDDEN = Bytes.toBytes("h");
  static final byte[] QUALIFIER = Bytes.toBytes("q");

  FactsTable(TestCluster cluster, String... splitKeys) throws IOException {
    super(
        cluster,
        TableDescriptorBuilder.newBuilder(TestTables.uniqueName("facts"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(DATA))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(HIDDEN))
            .setCoprocessor(RecordingObserver.class.getName())
            // So that a lock which cannot be had says so at once.
            .setValue("hbase.rowlock.wait.duration", "500")
            .build(),
        splitKeys);
  }

  RecordingObserver observer() throws IOException {
    return region().getCoprocessorHost().findCoprocessor(RecordingObserver.class);
  }

  /** Empties the table, tombstones included, and its observer; far cheaper than a new table. */
  void reset() throws IOException {
    observer().forget();
    for (String row : rows(new Scan())) {
      table().delete(new Delete(Bytes.toBytes(row)));
    }
    region().flush(true);
    region().compact(true);
    observer().forget();
  }

  static Put put(String row, String value) {
    return new Put(Bytes.toBytes(row)).addColumn(DATA, QUALIFIER, Bytes.toBytes(value));
  }

  static Put hiddenPut(String row, long timestamp) {
    return new Put(Bytes.toBytes(row)).addColumn(HIDDEN, QUALIFIER, timestamp, new byte[0]);
  }

  String value(String row) throws IOException {
    return Bytes.toString(table().get(new Get(Bytes.toBytes(row))).getValue(DATA, QUALIFIER));
  }
}
