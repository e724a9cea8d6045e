/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.check;

import com.google.protobuf.ServiceException;
import io.hbaseindex.client.admin.call.RegionCalls;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.protocol.IndexRegionProtos;
import io.hbaseindex.protocol.IndexRegionProtos.CheckRequest;
import io.hbaseindex.protocol.IndexRegionProtos.CheckResponse;
import io.hbaseindex.protocol.IndexRegionProtos.FaultKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Goes through a table once, region by region and piece by piece, comparing rows and postings.
 *
 * <p>It walks along the keys, not along a list of regions: a region that is split or merged under
 * way is gone through again from its first key, so that no key is left out. It holds nothing on the
 * servers between two pieces; ending it at any moment leaves nothing behind.
 */
@InterfaceAudience.Private
public final class TableCheck {
  /** Rows or postings per call: a fraction of a second's work. */
  private static final int PIECE = 500;

  /** Beyond this the region changes faster than it can be checked. */
  private static final int ATTEMPTS_PER_REGION = 10;

  private final RegionCalls calls;
  private final TableName table;
  private final boolean repair;
  private final Progress progress;
  private CheckReport report = CheckReport.NOTHING;
  private int regionsDone;
  private int regions;

  public TableCheck(RegionCalls calls, TableName table, boolean repair, Progress progress) {
    this.calls = calls;
    this.table = table;
    this.repair = repair;
    this.progress = progress;
  }

  public CheckReport run() throws IOException {
    regions = calls.regionsOf(table).size();
    byte[] key = new byte[0];
    do {
      key = checkRegionAt(key);
      regionsDone++;
      regions = Math.max(regions, regionsDone);
      tell(report);
    } while (key.length > 0);
    return report;
  }

  /** Checks one region and says where the next one begins; an empty key after the last. */
  private byte[] checkRegionAt(byte[] key) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS_PER_REGION; attempt++) {
      RegionInfo before = calls.regionAt(table, key);
      CheckReport found = checkPieces(key);
      if (before.equals(calls.regionAt(table, key))) {
        report = report.and(found);
        return before.getEndKey();
      }
      // Another region answered some of the calls. What was mended stays mended and is told.
      report = report.and(repair ? found.faultsAlone() : CheckReport.NOTHING);
    }
    throw new IOException(
        "Cannot check table %s: its region from key \"%s\" was split, merged or opened anew %d times meanwhile; repeat when it has settled"
            .formatted(table, Bytes.toStringBinary(key), ATTEMPTS_PER_REGION));
  }

  private CheckReport checkPieces(byte[] key) throws IOException {
    CheckReport found = CheckReport.NOTHING;
    CheckRequest.Builder request = CheckRequest.newBuilder().setRepair(repair).setLimit(PIECE);
    CheckResponse response;
    do {
      response = calls.call(table, key, region -> check(region, request));
      found = found.and(report(response));
      tell(report.and(found));
      if (response.hasCursor()) {
        request.setCursor(response.getCursor());
      }
    } while (response.hasCursor());
    return found;
  }

  private static CheckResponse check(
      IndexRegionProtos.IndexRegionService.BlockingInterface region, CheckRequest.Builder request)
      throws ServiceException {
    return region.check(null, request.build());
  }

  private void tell(CheckReport soFar) {
    progress.reached(
        new Progress.Step(
            repair ? Progress.Work.REPAIR : Progress.Work.VERIFY,
            regionsDone,
            regions,
            soFar.rows() + soFar.postings()));
  }

  private static CheckReport report(CheckResponse response) {
    List<IndexFault> faults = new ArrayList<>();
    Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    for (IndexRegionProtos.Fault fault : response.getFaultList()) {
      counts.merge(fault.getKind(), 1L, Long::sum);
      if (fault.getKind() != FaultKind.STALE) {
        faults.add(
            new IndexFault(
                IndexFault.Kind.valueOf(fault.getKind().name()),
                fault.getIndexId(),
                fault.getRow().toByteArray(),
                fault.getIndexRow().toByteArray()));
      }
    }
    return new CheckReport(
        response.getRows(),
        response.getPostings(),
        counts.getOrDefault(FaultKind.MISSING, 0L),
        counts.getOrDefault(FaultKind.DANGLING, 0L),
        counts.getOrDefault(FaultKind.STALE, 0L),
        counts.getOrDefault(FaultKind.OVERSTATED, 0L),
        response.getRepaired(),
        faults);
  }
}
