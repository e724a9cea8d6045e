/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.index;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A small table of people with eager indexes on e-mail and city; dropped on close. */
public final class IndexedTable extends TestTable {

  public static final byte[] FAMILY = F;
  public static final byte[] EMAIL = Bytes.toBytes("email");
  public static final byte[] CITY = Bytes.toBytes("city");

  private IndexedTable(TestCluster cluster, TableName name) throws IOException {
    super(cluster, name);
  }

  /** Creates the table, split at these keys. */
  public static IndexedTable create(TestCluster cluster, String... splitKeys) throws IOException {
    TableDescriptor descriptor = describe(TestTables.uniqueName("people"));
    cluster.tables().create(descriptor, List.of(splitKeys));
    return new IndexedTable(cluster, descriptor.getTableName());
  }

  /** Takes over a table that came into being otherwise, such as by a clone. */
  public static IndexedTable adopt(TestCluster cluster, TableName name) throws IOException {
    return new IndexedTable(cluster, name);
  }

  /** A table of people who live in ten cities, without any index. */
  public static IndexedTable loaded(TestCluster cluster, String hint, int rows, String... splitKeys)
      throws IOException {
    TableName name = TestTables.uniqueName(hint);
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            List.of(splitKeys));
    IndexedTable people = adopt(cluster, name);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      puts.add(person("r%04d".formatted(i), i + "@example.org", "city " + i % 10));
    }
    people.table().put(puts);
    return people;
  }

  /** The descriptor of the table, for tests that change it before they create it. */
  public static TableDescriptor describe(TableName name) {
    return IndexedTableDescriptor.with(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        IndexDefinition.on("f", "email").named("by_email").eager(),
        IndexDefinition.on("f", "city").named("by_city").eager());
  }

  public IndexProbe probe() {
    return new IndexProbe(cluster(), name());
  }

  public void put(String row, String email, String city) throws IOException {
    table().put(person(row, email, city));
  }

  public static Put person(String row, String email, String city) {
    return new Put(Bytes.toBytes(row))
        .addColumn(FAMILY, EMAIL, Bytes.toBytes(email))
        .addColumn(FAMILY, CITY, Bytes.toBytes(city));
  }

  public static Put person(String row, String email, String city, long timestamp) {
    return new Put(Bytes.toBytes(row))
        .addColumn(FAMILY, EMAIL, timestamp, Bytes.toBytes(email))
        .addColumn(FAMILY, CITY, timestamp, Bytes.toBytes(city));
  }

  /** As {@link #rows}, and fails unless every region that took part jumped. */
  public List<String> rowsByIndex(Scan scan) throws IOException {
    long jumped = counters().get(IndexCounter.SCANS_JUMPED);
    long plain = counters().get(IndexCounter.SCANS_PLAIN);
    List<String> rows = rows(scan);
    if (counters().get(IndexCounter.SCANS_JUMPED) == jumped
        || counters().get(IndexCounter.SCANS_PLAIN) > plain) {
      throw new AssertionError(
          "The scan did not use the index: " + scan + "; counters: " + counters());
    }
    return rows;
  }
}
