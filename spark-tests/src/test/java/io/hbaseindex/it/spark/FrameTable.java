/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.spark;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A table with indexes, read by a Spark that runs in this process. */
final class FrameTable extends TestTable {
  private FrameTable(TestCluster cluster, TableDescriptor descriptor, String... splits)
      throws IOException {
    super(cluster, descriptor, splits);
  }

  static FrameTable create(TestCluster cluster, List<String> splits, IndexDefinition... indexes)
      throws IOException {
    return create(cluster, TestTables.uniqueName("frame"), splits, indexes);
  }

  static FrameTable create(
      TestCluster cluster, TableName name, List<String> splits, IndexDefinition... indexes)
      throws IOException {
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build();
    return new FrameTable(
        cluster,
        indexes.length == 0 ? plain : IndexedTableDescriptor.with(plain, indexes),
        splits.toArray(String[]::new));
  }

  /** Spark in this process, on two threads, without its web pages. */
  static SparkSession spark() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("hbase-index")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "localhost")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", "target/spark-warehouse")
        .getOrCreate();
  }

  DataFrameReader reader() {
    return reader(cluster(), name());
  }

  static DataFrameReader reader(TestCluster cluster, TableName name) {
    DataFrameReader reader =
        spark().read().format("hbase-index").option("table", name.getNameAsString());
    for (String setting : List.of(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT)) {
      reader.option(setting, cluster.configuration().get(setting));
    }
    return reader;
  }

  /** The table with these columns. */
  Dataset<Row> frame(String columns) {
    return reader().option("columns", columns).load();
  }

  void awaitPrecise() throws Exception {
    cluster().tables().awaitPrecise(name());
  }

  /** What may be done with a table. */
  interface Reading<T> {
    T read() throws Exception;
  }

  /**
   * What came out, and what the servers counted meanwhile.
   *
   * @param regions which regions were read, from 0 on
   */
  record Watched<T>(T result, List<Integer> regions) {}

  <T> Watched<T> watch(Reading<T> reading) throws Exception {
    List<Long> before = readsPerRegion();
    T result = reading.read();
    List<Long> after = readsPerRegion();
    List<Integer> read = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      if (after.get(i) > before.get(i)) {
        read.add(i);
      }
    }
    return new Watched<>(result, read);
  }
}
