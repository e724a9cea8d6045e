/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import com.google.protobuf.ByteString;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegionView;
import io.hbaseindex.core.registry.RegistryCensus;
import io.hbaseindex.core.registry.RegistryView;
import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.protocol.IndexMasterProtos.CoveredIndex;
import io.hbaseindex.protocol.IndexMasterProtos.HoldingServersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.MasterStatus;
import io.hbaseindex.protocol.IndexMasterProtos.RegionFilterStatus;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusResponse;
import io.hbaseindex.protocol.IndexMasterProtos.ServerAnswer;
import io.hbaseindex.protocol.IndexMasterProtos.StatusCursor;
import io.hbaseindex.protocol.IndexMasterProtos.VerdictCount;
import java.util.Arrays;
import java.util.List;

/**
 * Shows a registry a page at a time. Pages are cut between regions, so the registry's lock is held
 * for one page only; what changes between two pages may be seen twice or not at all.
 */
final class StatusPages {
  /** More regions than this are not given at once, whatever is asked for. */
  static final int MAX_REGIONS = 1000;

  private static final byte[] FIRST_KEY = {};

  private final FilterRegistry registry;
  private final String masterName;

  StatusPages(FilterRegistry registry, String masterName) {
    this.registry = registry;
    this.masterName = masterName;
  }

  /** The page that a request asks for. */
  RoutingStatusResponse page(RoutingStatusRequest request) {
    int limit = Math.max(1, Math.min(MAX_REGIONS, request.getLimit()));
    MasterStatus.Builder master = master(registry.view());
    if (!request.hasFrom() && !request.hasTable()) {
      RegistryCensus census = RegistryCensus.of(registry);
      master
          .setRegions(census.regions())
          .setPreciseRegions(census.precise())
          .setValues(census.values());
    }
    RoutingStatusResponse.Builder page = RoutingStatusResponse.newBuilder().setMaster(master);
    for (String table : tablesFrom(request)) {
      boolean continued = request.hasFrom() && table.equals(request.getFrom().getTable());
      byte[] from = continued ? request.getFrom().getKey().toByteArray() : FIRST_KEY;
      List<RegionView> regions = registry.regions(table, from, limit - page.getRegionCount());
      regions.forEach(region -> page.addRegion(region(region)));
      if (page.getRegionCount() == limit) {
        byte[] last = page.getRegion(limit - 1).getStartKey().toByteArray();
        return page.setNext(
                StatusCursor.newBuilder()
                    .setTable(table)
                    .setKey(ByteString.copyFrom(Arrays.copyOf(last, last.length + 1))))
            .build();
      }
    }
    return page.build();
  }

  private Iterable<String> tablesFrom(RoutingStatusRequest request) {
    return registry.tableNames().stream()
        .filter(name -> !request.hasTable() || isOf(name, request.getTable()))
        .filter(name -> !request.hasFrom() || name.compareTo(request.getFrom().getTable()) >= 0)
        .toList();
  }

  /** Whether this is the registry's name of a table, or of a shard of it. */
  private static boolean isOf(String name, String table) {
    return ShardPlace.tableOf(name).equals(table);
  }

  private MasterStatus.Builder master(RegistryView view) {
    MasterStatus.Builder master =
        MasterStatus.newBuilder()
            .setServer(masterName)
            .setIncarnation(view.master())
            .setActiveSinceMs(view.activeSinceMillis())
            .setTrusting(view.trusting())
            .setLeaseNanos(view.leaseNanos())
            .setFilterBytes(view.filterBytes())
            .setFilterByteLimit(view.filterByteLimit());
    view.answered()
        .forEach(
            (verdict, count) ->
                master.addAnswered(
                    VerdictCount.newBuilder().setVerdict(verdict.name()).setCount(count)));
    return master;
  }

  private static RegionFilterStatus region(RegionView view) {
    RegionFilterStatus.Builder region =
        RegionFilterStatus.newBuilder()
            .setTable(view.region().table())
            .setEncodedName(view.region().encodedName())
            .setRegionId(view.region().regionId())
            .setEpoch(view.region().epoch())
            .setStartKey(ByteString.copyFrom(view.region().range().start()))
            .setEndKey(ByteString.copyFrom(view.region().range().end()))
            .setServer(view.server())
            .setGeneration(view.generation())
            .setPage(view.page())
            .setSegments(view.size().segments())
            .setBytes(view.size().bytes())
            .setCells(view.size().cells())
            .setBits(view.size().bits())
            .setError(view.size().error())
            .setSilentNanos(view.silentNanos());
    if (view.open() != null) {
      region.setOpenReason(view.open().name());
    }
    view.lagNanos().ifPresent(region::setLagNanos);
    view.coverage().stream()
        .filter(IndexCoverage::isWhole) // smaller sets come and go with it
        .forEach(
            index ->
                region.addIndex(
                    CoveredIndex.newBuilder()
                        .setIndex(index.space())
                        .setVersion(index.version())
                        .setSeed(index.seed())
                        .setShape(index.shape())));
    return region.build();
  }

  /** What each server's filter says. */
  static HoldingServersResponse holding(HoldingServers servers) {
    HoldingServersResponse.Builder response =
        HoldingServersResponse.newBuilder().setUnannounced(servers.unannounced());
    for (HoldingServers.ServerAnswer answer : servers.servers()) {
      response.addServer(
          ServerAnswer.newBuilder()
              .setServer(answer.server())
              .setNegative(answer.negative())
              .setPositive(answer.positive())
              .setOpen(answer.open()));
    }
    return response.build();
  }
}
