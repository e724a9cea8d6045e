/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.check;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.KeyTooLongException;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.predicate.IndexScope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * The postings that indexes must have for what an ordinary scan shows. That is what an index
 * promises, found out without the reasoning about stored versions by which postings are written: an
 * error in that reasoning shows here.
 */
final class ShownPostings {
  private final Region region;
  private final IndexRowKeys keys;

  ShownPostings(Region region, IndexRowKeys keys) {
    this.region = region;
    this.keys = keys;
  }

  /**
   * A suspicion for every posting that there must be.
   *
   * @param rows row keys in order, without gaps: rows between them are looked at too
   * @param readPoint at which to look; the caller keeps it from being forgotten
   */
  List<Fault> suspects(List<byte[]> rows, Collection<IndexDefinition> indexes, long readPoint)
      throws IOException {
    List<Fault> suspects = new ArrayList<>();
    if (rows.isEmpty() || indexes.isEmpty()) {
      return suspects;
    }
    Scan scan =
        new Scan()
            .withStartRow(rows.get(0))
            .withStopRow(rows.get(rows.size() - 1), true)
            .setCacheBlocks(false);
    // Whole families: a scan of chosen columns passes over the marker that deletes a family, where
    // one of them has an empty name, and then shows what was deleted.
    for (IndexDefinition index : indexes) {
      index.decidingColumns().forEach(column -> scan.addFamily(column.family()));
    }
    PackagePrivateFieldAccessor.setMvccReadPoint(scan, readPoint);
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          Result row = Result.create(cells);
          indexes.forEach(index -> suspect(index, row).ifPresent(suspects::add));
          cells.clear();
        }
      }
    }
    return suspects;
  }

  /**
   * What an ordinary scan shows of a row in the columns of an index and in those that it includes.
   *
   * @param readPoint at which to look; the caller keeps it from being forgotten
   */
  CarriedCells cellsOf(byte[] row, IndexDefinition index, long readPoint) throws IOException {
    Scan scan = new Scan().withStartRow(row, true).withStopRow(row, true).setCacheBlocks(false);
    index.heldColumns().forEach(column -> scan.addFamily(column.family()));
    PackagePrivateFieldAccessor.setMvccReadPoint(scan, readPoint);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      scanner.next(cells);
      Result result = Result.create(cells);
      List<Long> timestamps = new ArrayList<>();
      for (ColumnRef column : index.columns()) {
        Cell cell = result.getColumnLatestCell(column.family(), column.qualifier());
        timestamps.add(cell == null ? 0 : cell.getTimestamp());
      }
      List<CarriedCells.Cell> included = new ArrayList<>();
      for (ColumnRef column : index.included()) {
        Cell cell = result.getColumnLatestCell(column.family(), column.qualifier());
        included.add(
            cell == null
                ? null
                : new CarriedCells.Cell(cell.getTimestamp(), CellUtil.cloneValue(cell)));
      }
      return new CarriedCells(PostingCertainty.UNTIL_WRITTEN, timestamps, included);
    }
  }

  private Optional<Fault> suspect(IndexDefinition index, Result row) {
    List<byte[]> values = new ArrayList<>();
    for (ColumnRef column : index.columns()) {
      values.add(row.getValue(column.family(), column.qualifier()));
    }
    boolean in =
        IndexScope.of(index.condition())
            .isMet(column -> row.getValue(column.family(), column.qualifier()));
    if (values.get(0) == null || !in) {
      return Optional.empty();
    }
    try {
      byte[] indexRow = keys.key(index, values, row.getRow());
      return Optional.of(new Fault(Fault.Kind.MISSING, index.id(), row.getRow(), indexRow));
    } catch (KeyTooLongException e) {
      // No index that has met such a row becomes ready, and no such row is written to one.
      return Optional.empty();
    }
  }
}
