/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import com.google.protobuf.ByteString;
import com.google.protobuf.ServiceException;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.common.query.RoutePlanner;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.core.shard.ShardedRoute;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.HoldersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.HoldersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
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
  private static final int HOLDERS_AT_ONCE = 16;
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

  /** The version of the product that the master runs; empty if it is too old to tell. */
  public Optional<String> version() throws IOException {
    HoldersResponse response = holdersOf(HoldersRequest.getDefaultInstance());
    return response.hasVersion() ? Optional.of(response.getVersion()) : Optional.empty();
  }

  private RoutingStatus status(RoutingStatusRequest.Builder request) throws IOException {
    HolderLayout layout = layout();
    if (layout.isMaster()) {
      return status(ShardPlace.MASTER, request);
    }
    List<RoutingStatus> holders = statusOfAll(layout.holders(), request);
    return new RoutingStatus(
        holders.stream().map(RoutingStatus::masterServer).collect(Collectors.joining(" ")),
        holders.stream().map(RoutingStatus::master).reduce(MasterFilterState::with).orElseThrow(),
        ShardStates.regions(
            layout, holders.stream().flatMap(holder -> holder.regions().stream()).toList()));
  }

  /** Asks the holders side by side. */
  private List<RoutingStatus> statusOfAll(int holders, RoutingStatusRequest.Builder request)
      throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(holders, HOLDERS_AT_ONCE));
    try {
      List<Future<RoutingStatus>> asked = new ArrayList<>();
      for (int holder = 0; holder < holders; holder++) {
        int number = holder;
        RoutingStatusRequest.Builder own = request.clone();
        asked.add(threads.submit(() -> status(number, own)));
      }
      // Several holders may be in one region, which then answers for each of them alike.
      Map<String, RoutingStatus> found = new LinkedHashMap<>();
      for (Future<RoutingStatus> one : asked) {
        found.putIfAbsent(one.get().masterServer(), one.get());
      }
      return List.copyOf(found.values());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "Cannot ask the holders how their filters stand: interrupted");
    } finally {
      threads.shutdownNow();
    }
  }

  private RoutingStatus status(int holder, RoutingStatusRequest.Builder request)
      throws IOException {
    request.setLimit(REGIONS_PER_CALL);
    List<RegionFilterState> regions = new ArrayList<>();
    RoutingStatusResponse page;
    do {
      RoutingStatusRequest next = request.build();
      page = call("how its filters stand", holder, master -> master.status(null, next));
      page.getRegionList().forEach(region -> regions.add(FilterStateMessages.region(region)));
      request.setFrom(page.getNext());
    } while (page.hasNext());
    return new RoutingStatus(
        page.getMaster().getServer(), FilterStateMessages.master(page.getMaster()), regions);
  }

  /** Where filters are kept. */
  public HolderLayout layout() throws IOException {
    return holders(HoldersRequest.getDefaultInstance());
  }

  /**
   * Has filters kept by another layout, and makes the table that it needs.
   *
   * @param next one version above the present one
   */
  public HolderLayout change(HolderLayout next) throws IOException {
    if (!next.isMaster()) {
      new HolderRegions(connection).provide(next.holders());
    }
    return holders(HoldersRequest.newBuilder().setLayout(next.text()).build());
  }

  private HolderLayout holders(HoldersRequest request) throws IOException {
    return HolderLayout.parse(holdersOf(request).getLayout());
  }

  private HoldersResponse holdersOf(HoldersRequest request) throws IOException {
    return call(
        "where filters are kept", ShardPlace.MASTER, master -> master.holders(null, request));
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
    HolderLayout layout = layout();
    List<ShardPlace> places = layout.places(table.getNameAsString());
    RouteRequest first = question(table, predicate, layout, 0);
    HoldingServers announced =
        FilterStateMessages.holding(
            call(
                "which servers hold a value",
                places.get(0).holder(),
                holder -> holder.servers(null, first)));
    if (places.size() == 1) {
      return announced;
    }
    try {
      return ShardStates.servers(
          announced,
          ShardedRoute.ask(
                  predicate,
                  places.size(),
                  (shard, part) -> route(question(table, part, layout, shard), places.get(shard)))
              .join());
    } catch (CompletionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    }
  }

  private static RouteRequest question(
      TableName table, RoutePredicate predicate, HolderLayout layout, int shard) {
    byte[] blob =
        RouteCodec.encode(new RouteCodec.RouteRequest(table.getNameAsString(), predicate));
    return RouteRequest.newBuilder()
        .setRequest(ByteString.copyFrom(blob))
        .setLayout(layout.version())
        .setShard(shard)
        .build();
  }

  /** What one shard says; one that is kept elsewhere by now excludes nothing. */
  private CompletableFuture<RouteAnswer> route(RouteRequest request, ShardPlace place) {
    try {
      RouteResponse response =
          call("where a value is", place.holder(), holder -> holder.route(null, request));
      return CompletableFuture.completedFuture(
          response.hasAnswer()
              ? RouteCodec.decodeAnswer(response.getAnswer().toByteArray())
              : RouteAnswer.unknownTable());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <T> T call(String what, int holder, Call<T> call) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try (Admin admin = connection.getAdmin();
          Table table = connection.getTable(HoldersTable.NAME)) {
        return call.on(
            IndexMasterService.newBlockingStub(
                holder == ShardPlace.MASTER
                    ? admin.coprocessorService()
                    : table.coprocessorService(HoldersTable.rowOf(holder))));
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
