/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/** An indexed table of a test, and the two ways of asking it: with its indexes and without. */
final class ScannedTable extends TestTable {

  /** What a scan returned, cell by cell, and what the servers counted meanwhile. */
  record Answer(List<String> cells, int rows, IndexCounters counted) {}

  private ScannedTable(TestCluster cluster, TableDescriptor descriptor, String... splits)
      throws IOException {
    super(cluster, descriptor, splits);
  }

  static ScannedTable create(TestCluster cluster, TableDescriptor descriptor, String... splits)
      throws IOException {
    return new ScannedTable(cluster, descriptor, splits);
  }

  /** Returns when a scan with this filter jumps in every region. */
  void awaitJumping(Filter filter) throws IOException {
    awaitJumping(filter, regions().size());
  }

  /** Returns when a scan with this filter jumps in so many regions. */
  void awaitJumping(Filter filter, int regions) {
    Waits.until(name() + " ready")
        .until(
            () -> answer(new Scan().setFilter(filter)).counted(),
            counted -> counted.get(IndexCounter.SCANS_JUMPED) == regions);
  }

  /** The scan's answer as the servers choose to give it. */
  Answer answer(Scan scan) {
    IndexCounters before = counters();
    List<String> cells = new ArrayList<>();
    int rows = 0;
    byte[] lastRow = null;
    try (ResultScanner scanner = table().getScanner(new Scan(scan))) {
      for (Result result : scanner) {
        rows += Bytes.equals(lastRow, result.getRow()) ? 0 : 1;
        lastRow = result.getRow();
        cells.add("result of " + result.size());
        for (Cell cell : result.rawCells()) {
          cells.add(print(cell));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Answer(cells, rows, counters().since(before));
  }

  /** The answer to the same scan with the index switched off. */
  Answer plainAnswer(Scan scan) throws IOException {
    Scan plain = new Scan(scan);
    plain.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));
    return answer(plain);
  }

  private static String print(Cell cell) {
    return "%s/%s:%s/%d=%s"
        .formatted(
            Bytes.toStringBinary(CellUtil.cloneRow(cell)),
            Bytes.toString(CellUtil.cloneFamily(cell)),
            Bytes.toStringBinary(CellUtil.cloneQualifier(cell)),
            cell.getTimestamp(),
            Bytes.toStringBinary(CellUtil.cloneValue(cell)));
  }

  void flush() throws IOException {
    for (RegionInfo region : regions()) {
      cluster().regions().flush(region);
    }
  }

  void majorCompact() throws IOException {
    for (RegionInfo region : regions()) {
      cluster().regions().majorCompact(region);
    }
  }
}
