/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.protocol.IndexMasterProtos.CoveredIndex;
import io.hbaseindex.protocol.IndexMasterProtos.HoldingServersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.MasterStatus;
import io.hbaseindex.protocol.IndexMasterProtos.RegionFilterStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;

/** Reads the messages in which the master says how its filters stand. */
final class FilterStateMessages {
  private FilterStateMessages() {}

  static MasterFilterState master(MasterStatus status) {
    Map<String, Long> answered = new TreeMap<>();
    status.getAnsweredList().forEach(count -> answered.put(count.getVerdict(), count.getCount()));
    return new MasterFilterState(
        status.getIncarnation(),
        Instant.ofEpochMilli(status.getActiveSinceMs()),
        status.getTrusting(),
        Duration.ofNanos(status.getLeaseNanos()),
        status.getFilterBytes(),
        status.getFilterByteLimit(),
        answered);
  }

  static RegionFilterState region(RegionFilterStatus status) {
    return new RegionFilterState(
        TableName.valueOf(ShardPlace.tableOf(status.getTable())),
        status.getEncodedName(),
        new RowRange(status.getStartKey().toByteArray(), status.getEndKey().toByteArray()),
        status.getEpoch(),
        status.getServer(),
        status.hasOpenReason() ? Optional.of(status.getOpenReason()) : Optional.empty(),
        status.getIndexList().stream()
            .map(CoveredIndex::getIndex)
            .filter(space -> space >>> Integer.SIZE == 0) // an older master tells smaller sets, too
            .map(Math::toIntExact)
            .toList(),
        status.getGeneration(),
        status.getPage(),
        new FilterFigures(
            status.getSegments(),
            status.getBytes(),
            status.getCells(),
            status.getBits(),
            status.getError()),
        Duration.ofNanos(status.getSilentNanos()),
        status.hasLagNanos()
            ? Optional.of(Duration.ofNanos(status.getLagNanos()))
            : Optional.empty());
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
}
