/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static io.hbaseindex.it.scan.Filters.is;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A jumping scan that takes longer than its client waits for one answer. */
@OnSharedCluster
class HeartbeatIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] STATE = Bytes.toBytes("state");
  private static final int STALE = 60;
  private static final int RPC_TIMEOUT_MILLIS = 4_000;

  /**
   * The stale candidates alone take one and a half times what the client grants to one call; the
   * server answers without a row at half of that, and the scanner goes on where it stood.
   */
  @Test
  void staleCandidatesTakeLongerThanOneCall_serverSendsHeartbeatsAndNothingIsLost(
      TestCluster cluster) throws IOException {
    assertThat(STALE * SlowRefusals.MILLIS).isGreaterThan(RPC_TIMEOUT_MILLIS);
    try (ScannedTable table =
        ScannedTable.create(
            cluster,
            TableDescriptorBuilder.newBuilder(
                    IndexedTableDescriptor.with(
                        TableDescriptorBuilder.newBuilder(TestTables.uniqueName("heartbeat"))
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                            .build(),
                        IndexDefinition.on("f", "state").named("by_state").lazy()))
                .setCoprocessor(SlowRefusals.class.getName())
                .build())) {
      table.awaitJumping(is("f:state", "nobody"));
      fill(table.table());

      IndexCounters before = IndexCounters.of(table.name());
      Scan scan = new Scan().setFilter(is("f:state", "old")).setScanMetricsEnabled(true);
      List<String> rows = new ArrayList<>();
      long calls;
      try (Connection impatient = impatient(cluster);
          Table sameTable = impatient.getTable(table.name());
          ResultScanner scanner = sameTable.getScanner(scan)) {
        for (Result result : scanner) {
          rows.add(Bytes.toString(result.getRow()));
        }
        calls = scanner.getScanMetrics().countOfRPCcalls.get();
      }

      IndexCounters counted = IndexCounters.of(table.name()).since(before);
      assertThat(rows).containsExactly("a", "z");
      assertThat(counted.get(IndexCounter.SCANS_JUMPED)).as("%s", counted).isPositive();
      assertThat(counted.get(IndexCounter.STALE_CANDIDATES)).isGreaterThanOrEqualTo(STALE);
      // Both rows fit into one answer and one more says that there is nothing left.
      assertThat(calls).as("calls with heartbeats").isGreaterThan(2);
    }
  }

  /** Two rows that match, and between them many that once did. */
  private static void fill(Table table) throws IOException {
    List<Put> puts = new ArrayList<>();
    puts.add(put("a", "old"));
    for (int i = 0; i < STALE; i++) {
      puts.add(put("m%03d".formatted(i), "old"));
    }
    puts.add(put("z", "old"));
    table.put(puts);
    List<Put> overwrites = new ArrayList<>();
    for (int i = 0; i < STALE; i++) {
      overwrites.add(put("m%03d".formatted(i), "new"));
    }
    table.put(overwrites);
  }

  private static Put put(String row, String state) {
    return new Put(Bytes.toBytes(row)).addColumn(F, STATE, Bytes.toBytes(state));
  }

  private static Connection impatient(TestCluster cluster) throws IOException {
    Configuration conf = new Configuration(cluster.configuration());
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, RPC_TIMEOUT_MILLIS);
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, RPC_TIMEOUT_MILLIS);
    return ConnectionFactory.createConnection(conf);
  }
}
