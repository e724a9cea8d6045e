/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.registry.FilterSize;
import io.hbaseindex.core.registry.RegionView;
import io.hbaseindex.core.registry.RegistryView;
import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.protocol.IndexMasterProtos.HoldingServersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.MasterStatus;
import io.hbaseindex.protocol.IndexMasterProtos.RegionFilterStatus;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/** Reads what the master says of its filters. */
final class RoutingStatusReader {
  private RoutingStatusReader() {}

  static RegistryView master(MasterStatus status) {
    Map<Verdict, Long> answered = new EnumMap<>(Verdict.class);
    status
        .getAnsweredList()
        .forEach(
            count -> answered.put(constant(Verdict.class, count.getVerdict()), count.getCount()));
    return new RegistryView(
        status.getIncarnation(),
        status.getActiveSinceMs(),
        status.getTrusting(),
        status.getLeaseNanos(),
        status.getFilterBytes(),
        status.getFilterByteLimit(),
        answered);
  }

  static RegionView region(RegionFilterStatus status) {
    RowRange range =
        new RowRange(status.getStartKey().toByteArray(), status.getEndKey().toByteArray());
    return new RegionView(
        new RegionIncarnation(
            status.getTable(),
            status.getEncodedName(),
            status.getRegionId(),
            status.getEpoch(),
            range),
        status.getServer(),
        status.hasOpenReason() ? constant(OpenReason.class, status.getOpenReason()) : null,
        status.getIndexList().stream()
            .map(
                index ->
                    new IndexCoverage(
                        index.getIndex(), index.getVersion(), index.getSeed(), index.getShape()))
            .toList(),
        status.getGeneration(),
        status.getPage(),
        new FilterSize(
            status.getSegments(),
            status.getBytes(),
            status.getCells(),
            status.getBits(),
            status.getError()),
        status.getSilentNanos(),
        status.hasLagNanos() ? OptionalLong.of(status.getLagNanos()) : OptionalLong.empty());
  }

  static HoldingServers holding(HoldingServersResponse response) {
    return new HoldingServers(
        response.getServerList().stream()
            .map(
                answer ->
                    new HoldingServers.ServerAnswer(
                        answer.getServer(),
                        answer.getNegative(),
                        answer.getPositive(),
                        answer.getOpen()))
            .toList(),
        response.getUnannounced());
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String name) {
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "Cannot read the master's answer: a "
              + type.getSimpleName()
              + " was "
              + name
              + "; use the client of the master's version",
          e);
    }
  }
}
