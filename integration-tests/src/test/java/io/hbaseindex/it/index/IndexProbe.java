/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.index;

import com.google.protobuf.ServiceException;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.protocol.IndexRegionProtos.CheckCursor;
import io.hbaseindex.protocol.IndexRegionProtos.CheckRequest;
import io.hbaseindex.protocol.IndexRegionProtos.CheckResponse;
import io.hbaseindex.protocol.IndexRegionProtos.IndexRegionService;
import io.hbaseindex.protocol.IndexRegionProtos.IndexStatus;
import io.hbaseindex.protocol.IndexRegionProtos.Phase;
import io.hbaseindex.protocol.IndexRegionProtos.StatusRequest;
import io.hbaseindex.protocol.IndexRegionProtos.StatusResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks the regions of one table how their indexes are, through the service they offer to everyone.
 */
public final class IndexProbe {

  private static final Duration BETWEEN_CHECKS = Duration.ofMillis(400);
  private static final int ROWS_PER_CHECK_CALL = 2_000;

  private final TestCluster cluster;
  private final TableName name;

  public IndexProbe(TestCluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
  }

  /** A copy of the scan that runs as if there were no index. */
  public static Scan withoutIndex(Scan scan) throws IOException {
    Scan plain = new Scan(scan);
    plain.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));
    return plain;
  }

  /** The status of every region, in key order. */
  public List<StatusResponse> status() throws IOException {
    List<StatusResponse> answers = new ArrayList<>();
    for (RegionInfo region : cluster.regions().of(name)) {
      answers.add(
          call(region, service -> service.status(null, StatusRequest.getDefaultInstance())));
    }
    return answers;
  }

  /** Waits until every index of every region is ready. */
  public void awaitReady() throws IOException {
    int declared =
        IndexedTableDescriptor.indexesOf(cluster.admin().getDescriptor(name)).definitions().size();
    Waits.until("indexes of " + name + " ready")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> notReady(declared), List::isEmpty);
  }

  private List<String> notReady(int declared) throws IOException {
    List<String> waiting = new ArrayList<>();
    for (StatusResponse region : status()) {
      if (region.hasUnindexed() || region.getIndexCount() != declared) {
        waiting.add(region.toString());
      }
      for (IndexStatus index : region.getIndexList()) {
        if (index.getPhase() != Phase.READY) {
          waiting.add(region.getRegion() + ": " + index);
        }
      }
    }
    return waiting;
  }

  /** Checks every region in both directions. */
  public Findings check() throws IOException {
    return check(false);
  }

  /** Checks every region and mends what is found; the findings are those before mending. */
  public Findings checkAndRepair() throws IOException {
    return check(true);
  }

  private Findings check(boolean repair) throws IOException {
    Findings findings = new Findings();
    for (RegionInfo region : cluster.regions().of(name)) {
      CheckCursor cursor = null;
      do {
        CheckRequest.Builder request =
            CheckRequest.newBuilder().setRepair(repair).setLimit(ROWS_PER_CHECK_CALL);
        if (cursor != null) {
          request.setCursor(cursor);
        }
        CheckResponse answer = call(region, service -> service.check(null, request.build()));
        findings.add(answer);
        cursor = answer.hasCursor() ? answer.getCursor() : null;
      } while (cursor != null);
    }
    return findings;
  }

  /**
   * Brings the table to rest and waits until no posting dangles, apart from those of the given
   * indexes.
   *
   * <p>Flushes, compactions and Increments drop stored cells that could have shown again, and
   * values expire, without a write that could end their postings; the sweep behind a major
   * compaction does.
   */
  public Findings settle(Set<Integer> exceptIndexIds) throws IOException {
    awaitReady();
    for (RegionInfo region : cluster.regions().of(name)) {
      cluster.regions().flush(region);
      cluster.regions().majorCompact(region);
    }
    // A check reads everything, so it would hold up the sweep that it waits for.
    return Waits.until("sweep of stale postings of " + name)
        .pollInterval(BETWEEN_CHECKS)
        .until(this::check, findings -> findings.danglingExcept(exceptIndexIds).isEmpty());
  }

  /** The definition as the table has it, with its id. */
  public IndexDefinition index(String indexName) throws IOException {
    return IndexedTableDescriptor.indexesOf(cluster.admin().getDescriptor(name))
        .definitions()
        .stream()
        .filter(definition -> definition.name().equals(indexName))
        .findFirst()
        .orElseThrow();
  }

  private <T> T call(RegionInfo region, RegionCall<T> call) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      CoprocessorRpcChannel channel = table.coprocessorService(region.getStartKey());
      return call.on(IndexRegionService.newBlockingStub(channel));
    } catch (ServiceException e) {
      throw new IOException(
          "Cannot ask region " + region.getEncodedName() + ": " + e.getMessage(), e);
    }
  }

  @FunctionalInterface
  private interface RegionCall<T> {
    T on(IndexRegionService.BlockingInterface service) throws ServiceException;
  }
}
