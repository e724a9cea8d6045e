/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.common.version.VersionProbe;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.HoldersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.HoldersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.HoldingServersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.PushRequest;
import io.hbaseindex.protocol.IndexMasterProtos.PushResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RPC service of whoever holds filters: the active master, or a region of the holders' table.
 *
 * <p>A registry belongs to one version of the layout. When the layout changes, whoever still holds
 * filters begins anew with an empty one, as a master does that has just become active: so nobody
 * answers by what was published under another layout.
 */
abstract class FilterService extends IndexMasterService {
  private static final Logger LOG = LoggerFactory.getLogger(FilterService.class);

  /** Planes of filters become columns half of the time of a thread at most. */
  private static final long TIDYING_MILLIS = 20;

  /**
   * What takes and gives filters, by one version of the layout, and the thread that tidies them.
   */
  private record Held(long version, FilterDesk desk, ScheduledExecutorService tidying) {}

  private final boolean isMaster;
  private Held held;

  FilterService(boolean isMaster) {
    this.isMaster = isMaster;
  }

  /** Where filters are kept, as far as is known here. */
  abstract HolderLayout layout() throws IOException;

  /**
   * Where filters are kept, by who decides it; as far as is known here, unless that is to be had.
   */
  HolderLayout layoutInForce() throws IOException {
    return layout();
  }

  /** Begins to hold filters by a version of the layout. */
  abstract FilterDesk newDesk(HolderLayout layout);

  /** Whether this holder is about to go, so that it must not begin anew. */
  boolean isEnding() {
    return false;
  }

  /** What {@link #newDesk} has given last is no longer in use. */
  abstract void dropped();

  /** Changes where filters are kept. */
  abstract HolderLayout change(Optional<User> sender, HolderLayout next) throws IOException;

  /** What holds filters by this layout here; empty if somebody else does. */
  private synchronized Optional<FilterDesk> deskFor(HolderLayout layout) {
    if (layout.isMaster() != isMaster || isEnding()) {
      holdNothing();
      return Optional.empty();
    }
    if (held == null || held.version() != layout.version()) {
      holdNothing();
      FilterDesk desk = newDesk(layout);
      held = new Held(layout.version(), desk, tidying(desk));
    }
    return Optional.of(held.desk());
  }

  private static ScheduledExecutorService tidying(FilterDesk desk) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "hbase-index-filter-tidying");
              thread.setDaemon(true);
              return thread;
            });
    timer.scheduleWithFixedDelay(
        () -> tidy(desk), TIDYING_MILLIS, TIDYING_MILLIS, TimeUnit.MILLISECONDS);
    return timer;
  }

  private static void tidy(FilterDesk desk) {
    try {
      desk.tidy(TimeUnit.MILLISECONDS.toNanos(TIDYING_MILLIS));
    } catch (Throwable e) {
      // The timer must go on, whatever is thrown; routes are right without it, only slower.
      LOG.error("Cannot move bits of filters to where routes read them fastest; trying again", e);
    }
  }

  /**
   * The layout in force, and what holds filters by it here, if anything does. Both at once: a
   * layout that was read before another one came must not be followed after it.
   */
  private record Place(HolderLayout layout, Optional<FilterDesk> desk) {
    FilterDesk required() throws IOException {
      return desk.orElseThrow(
          () ->
              new DoNotRetryIOException(
                  "Cannot find filters here: they are kept elsewhere, by " + layout.text()));
    }
  }

  private synchronized Place place() throws IOException {
    HolderLayout layout = layout();
    return new Place(layout, deskFor(layout));
  }

  /** No filter is held here any more. */
  synchronized void holdNothing() {
    if (held != null) {
      held.tidying().shutdown();
      held = null;
      dropped();
    }
  }

  /** Holds filters from now on if the layout says so, and none if it does not. */
  void follow(HolderLayout layout) {
    deskFor(layout);
  }

  @Override
  public void push(RpcController controller, PushRequest request, RpcCallback<PushResponse> done) {
    answer(
        controller,
        done,
        () -> place().required().push(RpcServer.getRequestUser(), request.getPush()));
  }

  @Override
  public void route(
      RpcController controller, RouteRequest request, RpcCallback<RouteResponse> done) {
    answer(controller, done, () -> route(request));
  }

  private RouteResponse route(RouteRequest request) throws IOException {
    Place place = place();
    HolderLayout layout = place.layout();
    Optional<FilterDesk> desk = place.desk();
    if (desk.isEmpty() || !isMeant(request.hasLayout(), request.getLayout(), layout)) {
      return RouteResponse.newBuilder().setLayout(layout.text()).build();
    }
    return desk.get()
        .route(
            RpcServer.getRequestUser(),
            request.getRequest(),
            request.hasEdges() ? Optional.of(request.getEdges()) : Optional.empty(),
            table -> nameOf(layout, table, request.getShard()));
  }

  private static String nameOf(HolderLayout layout, String table, int shard) {
    List<ShardPlace> places = layout.places(table);
    return shard >= 0 && shard < places.size() ? places.get(shard).name() : table;
  }

  @Override
  public void servers(
      RpcController controller, RouteRequest request, RpcCallback<HoldingServersResponse> done) {
    answer(controller, done, () -> servers(request));
  }

  private HoldingServersResponse servers(RouteRequest request) throws IOException {
    Place place = place();
    HolderLayout layout = place.layout();
    FilterDesk desk = place.required();
    if (!isMaster && request.getLayout() != layout.version()) {
      throw new DoNotRetryIOException(
          "Cannot tell which servers hold a value: filters are kept by \"%s\"; ask again by that"
              .formatted(layout.text()));
    }
    return desk.servers(
        RpcServer.getRequestUser(),
        request.getRequest(),
        table -> nameOf(layout, table, request.getShard()));
  }

  @Override
  public void filters(
      RpcController controller, FiltersRequest request, RpcCallback<FiltersResponse> done) {
    answer(controller, done, () -> filters(request));
  }

  /** A client of an older release names no layout, and knows of no shards. */
  private boolean isMeant(boolean named, long version, HolderLayout layout) {
    return named ? version == layout.version() : isMaster;
  }

  private FiltersResponse filters(FiltersRequest request) throws IOException {
    Place place = place();
    HolderLayout layout = place.layout();
    Optional<FilterDesk> desk = place.desk();
    if (desk.isEmpty() || !isMeant(request.hasLayout(), request.getLayout(), layout)) {
      return FiltersResponse.newBuilder().setLayout(layout.text()).build();
    }
    return desk.get()
        .filters(
            RpcServer.getRequestUser(),
            request,
            nameOf(layout, request.getTable(), request.getShard()));
  }

  @Override
  public void status(
      RpcController controller,
      RoutingStatusRequest request,
      RpcCallback<RoutingStatusResponse> done) {
    answer(controller, done, () -> place().required().status(RpcServer.getRequestUser(), request));
  }

  @Override
  public void holders(
      RpcController controller, HoldersRequest request, RpcCallback<HoldersResponse> done) {
    answer(controller, done, () -> holders(request));
  }

  private HoldersResponse holders(HoldersRequest request) throws IOException {
    HolderLayout layout =
        request.hasLayout()
            ? change(RpcServer.getRequestUser(), parsed(request.getLayout()))
            : layoutInForce();
    return HoldersResponse.newBuilder()
        .setLayout(layout.text())
        .setVersion(VersionProbe.version())
        .build();
  }

  private static HolderLayout parsed(String layout) throws DoNotRetryIOException {
    try {
      return HolderLayout.parse(layout);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private static <T> void answer(
      RpcController controller, RpcCallback<T> done, CallGate.Work<T> work) {
    T response = null;
    try {
      response = work.run();
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    } catch (RuntimeException e) {
      // HBase would end the process on anything but an IOException.
      LOG.error("Cannot answer a call about filters", e);
      CoprocessorRpcUtils.setControllerException(
          controller, new DoNotRetryIOException("Cannot answer a call about filters: " + e, e));
    }
    done.run(response);
  }
}
