/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import com.google.protobuf.ByteString;
import io.hbaseindex.client.admin.call.RegionCalls;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.protocol.IndexRegionProtos;
import io.hbaseindex.protocol.IndexRegionProtos.TraceRequest;
import io.hbaseindex.protocol.IndexRegionProtos.TraceResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Runs a scan under a trace id and asks every region afterwards what it did under that id. A region
 * that has never seen the id was not visited, whatever the client believes.
 */
@InterfaceAudience.Private
public final class ScanExplainer {
  private final Connection connection;
  private final RegionCalls calls;

  public ScanExplainer(Connection connection, RegionCalls calls) {
    this.connection = connection;
    this.calls = calls;
  }

  /**
   * Runs a scan to its end and says what became of it.
   *
   * @param nanoClock a monotonic clock
   */
  public Explanation explain(TableName table, Scan scan, LongSupplier nanoClock)
      throws IOException {
    TableDescriptor descriptor = calls.readableDescriptorOf(table);
    List<HRegionLocation> regions = calls.regionsOf(table);
    byte[] trace = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    Scan traced = new Scan(scan);
    traced.setAttribute(IndexSettings.SCAN_TRACE, trace);

    long start = nanoClock.getAsLong();
    RouteFigures route;
    long routed;
    long rows;
    try (Table opened = connection.getTable(table);
        ResultScanner scanner = opened.getScanner(traced)) {
      route = ScanRoutes.of(connection, table, scanner, traced, regions);
      routed = nanoClock.getAsLong();
      rows = count(scanner);
    }
    long scanned = nanoClock.getAsLong();
    List<RegionVisit> visits = visits(table, descriptor, trace);
    long collected = nanoClock.getAsLong();

    ScanVerdict verdict = ScanReader.of(descriptor).read(scan);
    return new Explanation(
        table,
        verdict instanceof ScanVerdict.Plain plain ? Optional.of(plain.reason()) : Optional.empty(),
        route,
        visits,
        rows,
        new Explanation.Times(
            Duration.ofNanos(routed - start),
            Duration.ofNanos(scanned - routed),
            Duration.ofNanos(collected - scanned)),
        fittingIndex(descriptor, verdict));
  }

  private static Optional<IndexAdvice> fittingIndex(TableDescriptor table, ScanVerdict verdict) {
    if (!(verdict instanceof ScanVerdict.Eligible eligible)) {
      return Optional.empty();
    }
    try {
      return IndexAdvice.of(eligible.predicate(), IndexedTableDescriptor.indexesOf(table));
    } catch (DefinitionException e) {
      // What indexes the table has, only its regions tell, which say that they cannot read them.
      return Optional.empty();
    }
  }

  private static long count(ResultScanner scanner) {
    long rows = 0;
    Result before = null;
    for (Result result : scanner) {
      // A row may come in parts.
      boolean sameRow =
          before != null && CellUtil.matchingRows(before.rawCells()[0], result.rawCells()[0]);
      rows += sameRow ? 0 : 1;
      before = result;
    }
    return rows;
  }

  private List<RegionVisit> visits(TableName table, TableDescriptor descriptor, byte[] trace)
      throws IOException {
    if (!descriptor.hasCoprocessor(IndexSettings.REGION_OBSERVER_CLASS)) {
      return List.of();
    }
    TraceRequest request = TraceRequest.newBuilder().setId(ByteString.copyFrom(trace)).build();
    List<RegionVisit> visits = new ArrayList<>();
    for (HRegionLocation at : calls.regionsOf(table)) {
      TraceResponse answer =
          calls.call(table, at.getRegion().getStartKey(), region -> region.trace(null, request));
      if (answer.getVisited()) {
        visits.add(visit(at, answer));
      }
    }
    return visits;
  }

  private static RegionVisit visit(HRegionLocation at, TraceResponse answer) {
    RegionInfo region = at.getRegion();
    List<RegionVisit.Choice> choices = new ArrayList<>();
    for (IndexRegionProtos.IndexChoice choice : answer.getChoiceList()) {
      choices.add(new RegionVisit.Choice(choice.getIndex(), choice.getUsed(), choice.getReason()));
    }
    Map<String, Long> counters = new TreeMap<>();
    answer.getCounterList().forEach(one -> counters.put(one.getName(), one.getValue()));
    return new RegionVisit(
        region.getEncodedName(),
        region.getStartKey(),
        String.valueOf(at.getServerName()),
        answer.getPlan(),
        choices,
        answer.getAccessList().stream().map(ScanExplainer::access).toList(),
        counters,
        Duration.ofNanos(answer.getPlanNanos()),
        Duration.ofNanos(answer.getOpenNanos()));
  }

  private static RegionVisit.Access access(IndexRegionProtos.AccessFigures figures) {
    return new RegionVisit.Access(
        figures.getAccess(),
        figures.hasEstimated() ? OptionalLong.of(figures.getEstimated()) : OptionalLong.empty(),
        figures.getLeftOut(),
        figures.getLive());
  }
}
