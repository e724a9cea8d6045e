/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.status;

import io.hbaseindex.client.admin.call.RegionCalls;
import io.hbaseindex.protocol.IndexRegionProtos;
import io.hbaseindex.protocol.IndexRegionProtos.StatusRequest;
import io.hbaseindex.protocol.IndexRegionProtos.StatusResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Asks the regions of a table, one after the other, how their indexes are doing. Safe for use by
 * many threads.
 *
 * <p>Regions that split, merge or move meanwhile are asked by key: whoever holds the key range
 * answers.
 */
@InterfaceAudience.Private
public final class RegionReader {
  private final RegionCalls calls;

  public RegionReader(RegionCalls calls) {
    this.calls = calls;
  }

  /** Where each region is and what it says; one that does not answer is told as such. */
  public List<RegionState> states(TableName table) throws IOException {
    List<RegionState> states = new ArrayList<>();
    for (HRegionLocation location : calls.regionsOf(table)) {
      states.add(stateOf(table, location));
    }
    return states;
  }

  private RegionState stateOf(TableName table, HRegionLocation location) throws IOException {
    byte[] startKey = location.getRegion().getStartKey();
    Optional<RegionStatus> status = Optional.empty();
    Optional<String> problem = Optional.empty();
    try {
      status =
          Optional.of(
              read(
                  calls.call(
                      table,
                      startKey,
                      region -> region.status(null, StatusRequest.getDefaultInstance()))));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      problem = Optional.of(String.valueOf(e.getMessage()));
    }
    return new RegionState(
        location.getRegion().getEncodedName(),
        startKey,
        location.getRegion().getEndKey(),
        Optional.ofNullable(location.getServerName()).map(server -> server.getServerName()),
        status,
        problem);
  }

  private static RegionStatus read(StatusResponse response) {
    List<IndexStatus> indexes = new ArrayList<>();
    for (IndexRegionProtos.IndexStatus index : response.getIndexList()) {
      indexes.add(
          new IndexStatus(
              index.getName(),
              index.getId(),
              IndexStatus.Phase.valueOf(index.getPhase().name()),
              index.getReason(),
              index.getRowsDone(),
              index.getRowsExpected()));
    }
    Map<String, Long> counters = new TreeMap<>();
    response
        .getCounterList()
        .forEach(counter -> counters.put(counter.getName(), counter.getValue()));
    return new RegionStatus(
        response.getRegion(),
        response.hasUnindexed() ? Optional.of(response.getUnindexed()) : Optional.empty(),
        indexes,
        counters,
        response.getStaleQueue(),
        response.hasFilterPercent()
            ? OptionalInt.of(response.getFilterPercent())
            : OptionalInt.empty(),
        response.hasPostings() ? Optional.of(sizeOf(response.getPostings())) : Optional.empty());
  }

  private static PostingSize sizeOf(IndexRegionProtos.PostingSize size) {
    return new PostingSize(
        size.getBytes(), size.getCells(), size.getKeyBytes(), size.getValueBytes(), size.getRows());
  }
}
