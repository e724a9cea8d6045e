package io.hbaseindex.client.admin;

import com.google.protobuf.ServiceException;
import io.hbaseindex.protocol.IndexRegionProtos;
import io.hbaseindex.protocol.IndexRegionProtos.CheckRequest;
import io.hbaseindex.protocol.IndexRegionProtos.CheckResponse;
import io.hbaseindex.protocol.IndexRegionProtos.FaultKind;
import io.hbaseindex.protocol.IndexRegionProtos.IndexRegionService;
import io.hbaseindex.protocol.IndexRegionProtos.RebuildRequest;
import io.hbaseindex.protocol.IndexRegionProtos.StatusRequest;
import io.hbaseindex.protocol.IndexRegionProtos.StatusResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks the regions of a table, one after the other, about their indexes. Safe for use by many
 * threads.
 *
 * <p>Regions that split, merge or move meanwhile are asked by key: whoever holds the key range
 * answers.
 */
public final class RegionIndexAdmin {

  private static final long POLL_MILLIS = 100;
  private static final int CHECK_PIECE = 500;

  private final Connection connection;

  public RegionIndexAdmin(Connection connection) {
    this.connection = connection;
  }

  /** A call to the service of one region. */
  private interface Call<T> {
    T on(IndexRegionService.BlockingInterface region) throws ServiceException;
  }

  /** How the indexes of each region are doing, in key order. */
  public List<RegionStatus> status(TableName table) throws IOException {
    return onEachRegion(
        table, region -> status(region.status(null, StatusRequest.getDefaultInstance())));
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
    return onEachRegion(table, region -> check(region, repair)).stream()
        .reduce(CheckReport.NOTHING, CheckReport::and);
  }

  /** Has every region distrust its indexes and build them anew. */
  public void rebuild(TableName table) throws IOException {
    onEachRegion(table, region -> region.rebuild(null, RebuildRequest.getDefaultInstance()));
  }

  private <T> List<T> onEachRegion(TableName name, Call<T> call) throws IOException {
    List<T> answers = new ArrayList<>();
    try (Table table = connection.getTable(name);
        RegionLocator locator = connection.getRegionLocator(name)) {
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        RegionInfo region = location.getRegion();
        if (region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
          try {
            answers.add(
                call.on(
                    IndexRegionService.newBlockingStub(
                        table.coprocessorService(region.getStartKey()))));
          } catch (ServiceException e) {
            throw failed(region, e);
          }
        }
      }
    }
    return answers;
  }

  private static IOException failed(RegionInfo region, ServiceException e) {
    String message =
        "Cannot ask region "
            + region.getRegionNameAsString()
            + " from key "
            + Bytes.toStringBinary(region.getStartKey())
            + " about its indexes: "
            + e.getMessage();
    return new IOException(message, e.getCause() == null ? e : e.getCause());
  }

  private static RegionStatus status(StatusResponse response) {
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

  private static CheckReport check(IndexRegionService.BlockingInterface region, boolean repair)
      throws ServiceException {
    CheckReport report = CheckReport.NOTHING;
    CheckRequest.Builder request =
        CheckRequest.newBuilder().setRepair(repair).setLimit(CHECK_PIECE);
    CheckResponse response;
    do {
      response = region.check(null, request.build());
      report = report.and(report(response));
      if (response.hasCursor()) {
        request.setCursor(response.getCursor());
      }
    } while (response.hasCursor());
    return report;
  }

  private static CheckReport report(CheckResponse response) {
    List<IndexFault> faults = new ArrayList<>();
    for (IndexRegionProtos.Fault fault : response.getFaultList()) {
      faults.add(
          new IndexFault(
              IndexFault.Kind.valueOf(fault.getKind().name()),
              fault.getIndexId(),
              fault.getRow().toByteArray(),
              fault.getIndexRow().toByteArray()));
    }
    long missing =
        response.getFaultList().stream().filter(f -> f.getKind() == FaultKind.MISSING).count();
    return new CheckReport(
        response.getRows(),
        response.getPostings(),
        missing,
        faults.size() - missing,
        response.getRepaired(),
        faults);
  }
}
