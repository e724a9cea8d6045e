/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import io.hbaseindex.protocol.IndexRegionProtos;
import io.hbaseindex.protocol.IndexRegionProtos.RebuildRequest;
import io.hbaseindex.protocol.IndexRegionProtos.StatusRequest;
import io.hbaseindex.protocol.IndexRegionProtos.StatusResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Asks the regions of a table, one after the other, about their indexes. Safe for use by many
 * threads. {@link IndexAdmin} is the friendlier way in.
 *
 * <p>Regions that split, merge or move meanwhile are asked by key: whoever holds the key range
 * answers.
 */
@InterfaceAudience.Private
public final class RegionIndexAdmin {

  private static final long POLL_MILLIS = 100;

  private final RegionCalls calls;

  public RegionIndexAdmin(Connection connection) {
    this.calls = new RegionCalls(connection);
  }

  /** How the indexes of each region are doing, in key order. */
  public List<RegionStatus> status(TableName table) throws IOException {
    List<RegionStatus> answers = new ArrayList<>();
    for (HRegionLocation region : calls.regionsOf(table)) {
      answers.add(statusAt(table, region.getRegion().getStartKey()));
    }
    return answers;
  }

  /** How the indexes of the region are doing that has the key. */
  RegionStatus statusAt(TableName table, byte[] key) throws IOException {
    return read(
        calls.call(table, key, region -> region.status(null, StatusRequest.getDefaultInstance())));
  }

  /** What the regions have counted, added up by name. */
  public Map<String, Long> counters(TableName table) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    for (RegionStatus region : status(table)) {
      region.counters().forEach((name, value) -> sums.merge(name, value, Long::sum));
    }
    return sums;
  }

  /**
   * Waits until no index of the table waits or is being built.
   *
   * @return the last status of each region
   * @throws IOException if that takes longer than {@code timeout}; the message says what is still
   *     missing
   */
  public List<RegionStatus> awaitReady(TableName table, long timeout, TimeUnit unit)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + unit.toNanos(timeout);
    while (true) {
      List<RegionStatus> status = status(table);
      if (status.stream().allMatch(RegionStatus::isSettled)) {
        return status;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "Cannot wait longer for the indexes of " + table + ": " + unsettled(status));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static List<String> unsettled(List<RegionStatus> status) {
    return status.stream()
        .flatMap(
            region ->
                region.indexes().stream()
                    .filter(index -> !index.isSettled())
                    .map(index -> region.region() + " " + index))
        .toList();
  }

  /**
   * Compares rows and postings of the whole table in both directions.
   *
   * @param repair whether to mend what is found
   */
  public CheckReport check(TableName table, boolean repair) throws IOException {
    return check(table, repair, Progress.NONE);
  }

  CheckReport check(TableName table, boolean repair, Progress progress) throws IOException {
    return new TableCheck(calls, table, repair, progress).run();
  }

  /** Has every region distrust its indexes and build them anew. */
  public void rebuild(TableName table) throws IOException {
    rebuild(table, Progress.NONE);
  }

  void rebuild(TableName table, Progress progress) throws IOException {
    List<HRegionLocation> regions = calls.regionsOf(table);
    int done = 0;
    for (HRegionLocation region : regions) {
      calls.call(
          table,
          region.getRegion().getStartKey(),
          service -> service.rebuild(null, RebuildRequest.getDefaultInstance()));
      done++;
      progress.reached(new Progress.Step(Progress.Work.REBUILD, done, regions.size(), 0));
    }
  }

  /** Where each region is and what it says; one that does not answer is told as such. */
  List<RegionState> states(TableName table) throws IOException {
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
      status = Optional.of(statusAt(table, startKey));
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
              index.getRowsDone()));
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
        response.getStaleQueue());
  }
}
