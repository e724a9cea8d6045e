/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.hbaseindex.master.IndexMasterEndpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;

/**
 * The product's endpoint, whose calls a test can make hang: they keep their handlers until the test
 * lets them go on, and are then served, however late.
 */
@CoreCoprocessor
public final class HangingMasterEndpoint implements MasterCoprocessor {
  private final IndexMasterEndpoint endpoint = new IndexMasterEndpoint();
  private volatile CountDownLatch gate = new CountDownLatch(0);

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment env) throws IOException {
    endpoint.start(env);
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment env) throws IOException {
    resume();
    endpoint.stop(env);
  }

  @Override
  public Iterable<Service> getServices() {
    List<Service> gated = new ArrayList<>();
    endpoint.getServices().forEach(service -> gated.add(new GatedService(service)));
    return gated;
  }

  /** Calls that come from now on hang. */
  void hang() {
    gate = new CountDownLatch(1);
  }

  /** Calls that hang, and those that come, are served. */
  void resume() {
    gate.countDown();
  }

  private final class GatedService implements Service {
    private final Service service;

    GatedService(Service service) {
      this.service = service;
    }

    @Override
    public void callMethod(
        MethodDescriptor method,
        RpcController controller,
        Message request,
        RpcCallback<Message> done) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the master is stopping
      }
      service.callMethod(method, controller, request, done);
    }

    @Override
    public ServiceDescriptor getDescriptorForType() {
      return service.getDescriptorForType();
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
      return service.getRequestPrototype(method);
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
      return service.getResponsePrototype(method);
    }
  }
}
