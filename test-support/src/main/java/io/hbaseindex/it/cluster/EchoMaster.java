/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.hbaseindex.it.cluster.wire.EchoMasterProtos.EchoMasterService;
import io.hbaseindex.it.cluster.wire.EchoMasterProtos.EchoRequest;
import io.hbaseindex.it.cluster.wire.EchoMasterProtos.EchoResponse;
import java.util.List;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;

/** Master endpoint that answers with what it was sent and the name of the master that answers. */
public final class EchoMaster extends EchoMasterService implements MasterCoprocessor {

  private MasterCoprocessorEnvironment environment;

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment env) {
    environment = (MasterCoprocessorEnvironment) env;
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(this);
  }

  @Override
  public void echo(RpcController controller, EchoRequest request, RpcCallback<EchoResponse> done) {
    done.run(
        EchoResponse.newBuilder()
            .setPayload(request.getPayload())
            .setServer(environment.getServerName().toString())
            .build());
  }
}
