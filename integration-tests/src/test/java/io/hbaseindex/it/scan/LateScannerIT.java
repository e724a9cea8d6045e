/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.scan.LateScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans whose scanner of HBase is opened when a row has to be read, and what they show. */
@OnSharedCluster
class LateScannerIT {
  private static final byte[] ROW = CoveredTable.row(10);

  private CoveredTable people;
  private HRegion region;

  @BeforeEach
  void create(TestCluster cluster) throws Exception {
    people = CoveredTable.create(cluster);
    region =
        cluster.utility().getHBaseCluster().getRegions(people.name()).stream()
            .min(Comparator.comparing(HRegion::getRegionInfo))
            .orElseThrow();
  }

  @AfterEach
  void drop() throws IOException {
    people.close();
  }

  /** One scan of the region, as a gathering call makes it. */
  private final class Visit implements AutoCloseable {
    private final LateScanner late;
    private final RegionScanner scanner;
    private final List<String> cells = new ArrayList<>();
    private boolean more = true;

    Visit(Scan scan) throws IOException {
      region.getCoprocessorHost().preScannerOpen(scan);
      late = (LateScanner) LateScanner.of(region, scan).orElseThrow();
      scanner = region.getCoprocessorHost().postScannerOpen(scan, late);
    }

    Visit next() throws IOException {
      List<Cell> row = new ArrayList<>();
      more = scanner.nextRaw(row);
      CoveredTable.text(Result.create(row))
          .forEach(cell -> cells.add(cell.replaceFirst("/seqid=\\d+", "/seqid=0")));
      return this;
    }

    Visit rest() throws IOException {
      while (more) {
        next();
      }
      return this;
    }

    @Override
    public void close() throws IOException {
      scanner.close();
    }
  }

  private List<String> plain(Scan scan) throws IOException {
    return people.cells(
        IndexProbe.withoutIndex(scan).withStopRow(region.getRegionInfo().getEndKey()));
  }

  /** A range, whose postings are read at once and then closed. */
  private static Scan inOsloByRange() {
    return CoveredTable.inOslo().setFilter(Filters.startsWith("f:city", "Oslo"));
  }

  private static Scan wholeRows(String city) {
    return CoveredTable.where(CoveredTable.CITY, city)
        .addFamily(CoveredTable.F)
        .addFamily(CoveredTable.G);
  }

  @Test
  void postingsHaveAllThatIsAskedFor_rowsAreNeverOpened() throws Exception {
    for (Scan scan : List.of(CoveredTable.inOslo(), inOsloByRange())) {
      List<String> expected = plain(new Scan(scan));
      IndexCounters before = people.counters();
      try (Visit visit = new Visit(scan)) {
        assertThat(visit.rest().cells).isNotEmpty().isEqualTo(expected);
        assertThat(visit.late.opened()).isEmpty();
      }
      assertThat(people.counters().since(before).get(IndexCounter.ROWS_FROM_POSTINGS)).isPositive();
    }
  }

  @Test
  void noCandidates_rowsAreNeverOpened() throws Exception {
    Scan scan = wholeRows("nowhere");
    IndexCounters before = people.counters();
    try (Visit visit = new Visit(scan)) {
      assertThat(visit.rest().cells).isEmpty();
      assertThat(visit.late.opened()).isEmpty();
    }
    assertThat(people.counters().since(before).get(IndexCounter.SCANS_JUMPED)).isOne();
  }

  @Test
  void rowsAreNeeded_scannerBeginsAtTheFirst() throws Exception {
    Scan scan = wholeRows("city 7");
    List<String> expected = plain(new Scan(scan));
    IndexCounters before = people.counters();
    try (Visit visit = new Visit(scan)) {
      assertThat(visit.rest().cells).isNotEmpty().isEqualTo(expected);
      assertThat(visit.late.opened()).isPresent();
    }
    IndexCounters counted = people.counters().since(before);
    assertThat(counted.get(IndexCounter.SCANS_JUMPED)).isOne();
    assertThat(counted.get(IndexCounter.ROWS_READ)).isEqualTo(15);
  }

  /** The scanner of rows, opened last, shows what the postings showed. */
  @Test
  void rowThatHasToBeRead_isShownAsItWasWhenThePostingsWereRead() throws Exception {
    people
        .table()
        .put(
            new Put(ROW)
                .addColumn(
                    CoveredTable.G, CoveredTable.NOTE, new byte[CarriedCells.MAX_BYTES + 1]));
    List<String> expected = plain(inOsloByRange());
    try (Visit visit = new Visit(inOsloByRange())) {
      visit.next();
      assertThat(visit.late.opened()).as("the first row came from a posting").isEmpty();
      people
          .table()
          .put(new Put(ROW).addColumn(CoveredTable.F, CoveredTable.CITY, Bytes.toBytes("Bergen")));
      region.flush(true);
      region.compact(true);

      assertThat(visit.rest().cells).isEqualTo(expected);
      assertThat(visit.late.opened()).isPresent();
    }
    assertThat(plain(inOsloByRange())).as("for others it has changed").isNotEqualTo(expected);
  }
}
