/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.region.write.plan.IndexedColumns;
import io.hbaseindex.region.write.plan.RowPostings;
import io.hbaseindex.region.write.plan.RowVersions;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The rows and postings of a region at one read point, which the caller keeps valid. Data and
 * postings of a write become visible together, so both can be compared without a lock.
 *
 * <p>All rows are read with one set of scanners, and so are the postings of a call. The region is
 * kept from closing until this is closed.
 */
@InterfaceAudience.Private
public final class RegionSnapshot implements AutoCloseable {
  private final Region region;
  private final long readPoint;
  private final IndexedColumns columns;
  private final Collection<RowPostings> indexes;
  private final StoredRows.Cursor rows;
  private final PostingReader postings;
  private final LongSupplier wallClockMillis;

  RegionSnapshot(
      Region region,
      long readPoint,
      IndexedColumns columns,
      Collection<RowPostings> indexes,
      StoredRows storedRows,
      LongSupplier wallClockMillis)
      throws IOException {
    region.startRegionOperation(); // stores must not be closed under their scanners
    this.region = region;
    this.readPoint = readPoint;
    this.columns = columns;
    this.indexes = indexes;
    this.rows = storedRows.openAt(readPoint);
    this.postings = new PostingReader(region);
    this.wallClockMillis = wallClockMillis;
  }

  /**
   * The keys of the postings a row calls for in one index.
   *
   * @param row the row asked for before, or one behind it
   */
  public SortedSet<byte[]> postingsOf(byte[] row, int indexId) throws IOException {
    RowPostings index = index(indexId);
    RowVersions stored = rows.read(row, columns.familiesOf(index));
    SortedSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    keys.addAll(index.of(row, stored, wallClockMillis.getAsLong()));
    return keys;
  }

  /**
   * Up to which time the only posting that a row calls for in one index answers for the row.
   *
   * @param row the row asked for before, or one behind it
   */
  public long certainUntil(byte[] row, int indexId) throws IOException {
    RowPostings index = index(indexId);
    RowVersions stored = rows.read(row, columns.familiesOf(index));
    return index.certainUntil(stored, wallClockMillis.getAsLong());
  }

  /**
   * The cells that the only posting which a row calls for in one index carries; empty if the row
   * has to be asked.
   *
   * @param row the row asked for before, or one behind it
   */
  public Optional<CarriedCells> carriedBy(byte[] row, int indexId) throws IOException {
    RowPostings index = index(indexId);
    RowVersions stored = rows.read(row, columns.familiesOf(index));
    return index.carried(stored, wallClockMillis.getAsLong());
  }

  private RowPostings index(int indexId) {
    return indexes.stream()
        .filter(i -> i.definition().id() == indexId)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("Cannot find an index of id " + indexId));
  }

  /** Those of the keys under which there is a live posting; by content. */
  public Set<byte[]> live(Collection<byte[]> indexRows) throws IOException {
    return postings.live(indexRows, readPoint);
  }

  @Override
  public void close() throws IOException {
    try {
      rows.close();
    } finally {
      region.closeRegionOperation();
    }
  }
}
