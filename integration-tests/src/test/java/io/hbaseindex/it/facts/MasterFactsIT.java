/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.wire.EchoMasterProtos.EchoMasterService;
import io.hbaseindex.it.cluster.wire.EchoMasterProtos.EchoRequest;
import io.hbaseindex.it.cluster.wire.EchoMasterProtos.EchoResponse;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** How HBase serves endpoints on its master, and what that knows of tables. */
@OnSharedCluster
class MasterFactsIT {

  @Test
  void masterEndpoint_answersAnUnshadedProtobufCall(TestCluster cluster) throws Exception {
    byte[] sent = new byte[20_000];
    sent[19_999] = 42;

    EchoResponse answer =
        EchoMasterService.newBlockingStub(cluster.admin().coprocessorService())
            .echo(null, EchoRequest.newBuilder().setPayload(ByteString.copyFrom(sent)).build());

    assertThat(answer.getPayload().toByteArray()).isEqualTo(sent);
    assertThat(answer.getServer()).isEqualTo(cluster.mini().getMaster().getServerName().toString());
  }

  @Test
  void clusterMetrics_tellHowManyRegionsTablesHave(TestCluster cluster) throws Exception {
    TableName name = TestTables.uniqueName("counted");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            List.of("d", "m", "t"));

    ClusterMetrics metrics =
        cluster.admin().getClusterMetrics(EnumSet.of(ClusterMetrics.Option.TABLE_TO_REGIONS_COUNT));

    assertThat(metrics.getTableRegionStatesCount().get(name).getTotalRegions()).isEqualTo(4);
  }
}
