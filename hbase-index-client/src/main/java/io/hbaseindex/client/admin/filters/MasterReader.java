/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import com.google.protobuf.ByteString;
import com.google.protobuf.ServiceException;
import io.hbaseindex.client.routing.plan.RoutePlanner;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.MasterStatus;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Asks the active master how its filters stand. Safe for use by many threads.
 *
 * <p>Calls take as long as the connection's operation timeout allows, and fail where the master
 * does not answer or has no such service. A master that is busy is asked a few times.
 */
@InterfaceAudience.Private
public final class MasterReader {
  private static final int REGIONS_PER_CALL = 1000;
  private static final int ATTEMPTS = 10;
  private static final long PAUSE_MILLIS = 100;

  private final Connection connection;

  public MasterReader(Connection connection) {
    this.connection = connection;
  }

  /** A call to the master's service. */
  private interface Call<T> {
    T on(IndexMasterService.BlockingInterface master) throws ServiceException;
  }

  /** How all filters stand; for administrators of the cluster. */
  public RoutingStatus status() throws IOException {
    return status(RoutingStatusRequest.newBuilder());
  }

  /** How the filters of one table stand; for administrators of the table. */
  public RoutingStatus status(TableName table) throws IOException {
    return status(RoutingStatusRequest.newBuilder().setTable(table.getNameAsString()));
  }

  /** The version of the product that the master runs; for administrators of the cluster. */
  public Optional<String> version() throws IOException {
    RoutingStatusRequest request = RoutingStatusRequest.newBuilder().setLimit(1).build();
    MasterStatus master =
        call("which version it runs", service -> service.status(null, request)).getMaster();
    return master.hasVersion() ? Optional.of(master.getVersion()) : Optional.empty();
  }

  private RoutingStatus status(RoutingStatusRequest.Builder request) throws IOException {
    request.setLimit(REGIONS_PER_CALL);
    List<RegionFilterState> regions = new ArrayList<>();
    RoutingStatusResponse page;
    do {
      RoutingStatusRequest next = request.build();
      page = call("how its filters stand", master -> master.status(null, next));
      page.getRegionList().forEach(region -> regions.add(FilterStateMessages.region(region)));
      request.setFrom(page.getNext());
    } while (page.hasNext());
    return new RoutingStatus(
        page.getMaster().getServer(), FilterStateMessages.master(page.getMaster()), regions);
  }

  /**
   * Which region servers may hold rows that the scan's filter lets pass; for users who may read the
   * table. Empty if filters cannot tell, because the scan does not fix the columns of any index.
   */
  public Optional<HoldingServers> serversThatMayHold(TableName table, Scan scan)
      throws IOException {
    TableDescriptor descriptor;
    try (Admin admin = connection.getAdmin()) {
      descriptor = admin.getDescriptor(table);
    }
    if (!(ScanReader.of(descriptor).read(scan) instanceof ScanVerdict.Eligible eligible)) {
      return Optional.empty();
    }
    Optional<RoutePredicate> predicate =
        RoutePlanner.of(descriptor, IndexedTableDescriptor.indexesOf(descriptor))
            .plan(eligible.predicate());
    return predicate.isEmpty()
        ? Optional.empty()
        : Optional.of(serversThatMayHold(table, predicate.get()));
  }

  private HoldingServers serversThatMayHold(TableName table, RoutePredicate predicate)
      throws IOException {
    byte[] blob =
        RouteCodec.encode(new RouteCodec.RouteRequest(table.getNameAsString(), predicate));
    RouteRequest request = RouteRequest.newBuilder().setRequest(ByteString.copyFrom(blob)).build();
    return FilterStateMessages.holding(
        call("which servers hold a value", master -> master.servers(null, request)));
  }

  private <T> T call(String what, Call<T> call) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try (Admin admin = connection.getAdmin()) {
        return call.on(IndexMasterService.newBlockingStub(admin.coprocessorService()));
      } catch (ServiceException e) {
        boolean busy = e.getCause() instanceof CallQueueTooBigException;
        if (!busy || attempt == ATTEMPTS) {
          // The master's own error, for example that access is denied, says it best.
          throw e.getCause() instanceof IOException cause
              ? cause
              : new IOException("Cannot ask the master " + what + ": " + e.getMessage(), e);
        }
      }
      pause(what);
    }
  }

  private static void pause(String what) throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot ask the master " + what + ": interrupted");
    }
  }
}
