/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Asks the active master, with short timeouts: HBase's own are made for procedures. */
final class MasterRoutes implements RouteSource {
  /** One more than is needed, so that the first call after a failover finds the new master. */
  private static final int ATTEMPTS = 2;

  private final AsyncAdmin admin;
  private final AsyncAdmin patientAdmin;

  MasterRoutes(AsyncConnection connection, RoutingSettings settings) {
    this.admin = admin(connection, settings.timeoutMillis());
    this.patientAdmin = admin(connection, settings.filtersTimeoutMillis());
  }

  private static AsyncAdmin admin(AsyncConnection connection, long timeoutMillis) {
    return connection
        .getAdminBuilder()
        .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setMaxAttempts(ATTEMPTS)
        .build();
  }

  @Override
  public CompletableFuture<TableDescriptor> descriptor(TableName table) {
    return admin.getDescriptor(table);
  }

  @Override
  public CompletableFuture<Answer> route(TableName table, RoutePredicate predicate) {
    RouteRequest message = RouteMessages.request(table, predicate);
    return admin
        .<IndexMasterService.Stub, RouteResponse>coprocessorService(
            IndexMasterService::newStub,
            (IndexMasterService.Stub stub,
                RpcController controller,
                RpcCallback<RouteResponse> done) -> stub.route(controller, message, done))
        .thenApply(RouteMessages::read);
  }

  @Override
  public CompletableFuture<Filters> filters(
      TableName table, Set<RegionCopy.Version> known, long maxBytes) {
    FiltersRequest message = FilterMessages.request(table, known, maxBytes);
    return patientAdmin
        .<IndexMasterService.Stub, FiltersResponse>coprocessorService(
            IndexMasterService::newStub,
            (IndexMasterService.Stub stub,
                RpcController controller,
                RpcCallback<FiltersResponse> done) -> stub.filters(controller, message, done))
        .thenApply(response -> FilterMessages.read(response, maxBytes));
  }
}
