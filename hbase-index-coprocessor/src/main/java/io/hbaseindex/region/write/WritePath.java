/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.region.context.FilterFeed;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.write.plan.IndexedColumns;
import io.hbaseindex.region.write.plan.Retention;
import io.hbaseindex.region.write.plan.RowPostings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.yetus.audience.InterfaceAudience;

/** The objects of the write path of one open, indexed region. */
@InterfaceAudience.Private
public final class WritePath {
  private final Region region;
  private final IndexedColumns columns;
  private final StoredRows storedRows;
  private final List<RowPostings> indexes;
  private final RowReindexer reindexer;
  private final BatchIndexer batchIndexer;
  private final LongSupplier wallClockMillis;

  private WritePath(
      RegionIndexes region, FilterFeed feed, LongSupplier wallClockMillis, LoggedBatches logged) {
    Collection<IndexDefinition> definitions = region.definitions().definitions();
    this.region = region.region();
    this.wallClockMillis = wallClockMillis;
    columns = new IndexedColumns(definitions);
    storedRows = new StoredRows(region.region(), columns);
    List<Retention> retentions = retentions(region.region().getTableDescriptor(), columns);
    indexes =
        definitions.stream()
            .map(d -> new RowPostings(d, region.keys(), columns, retentions))
            .toList();
    reindexer = new RowReindexer(region.region());
    batchIndexer =
        new BatchIndexer(
            region, columns, storedRows, indexes, reindexer, feed, wallClockMillis, logged);
  }

  /**
   * The write path of a region that has opened.
   *
   * @param logged learns what becomes of batches that are given to the log
   */
  public static WritePath of(
      RegionIndexes region, FilterFeed feed, LongSupplier wallClockMillis, LoggedBatches logged) {
    return new WritePath(region, feed, wallClockMillis, logged);
  }

  /** What the write hooks call. */
  public BatchIndexer batchIndexer() {
    return batchIndexer;
  }

  /** What background work writes with. */
  public RowReindexer reindexer() {
    return reindexer;
  }

  /**
   * Rows and postings as of a read point, which the caller keeps from being forgotten; to be closed
   * by the caller.
   */
  public RegionSnapshot at(long readPoint) throws IOException {
    return new RegionSnapshot(region, readPoint, columns, indexes, storedRows, wallClockMillis);
  }

  /** The time by which values expire. */
  public long now() {
    return wallClockMillis.getAsLong();
  }

  private static List<Retention> retentions(TableDescriptor table, IndexedColumns columns) {
    List<Retention> retentions = new ArrayList<>();
    for (int column = 0; column < columns.size(); column++) {
      byte[] family = columns.family(columns.familyOf(column));
      retentions.add(retentionOf(table.getColumnFamily(family)));
    }
    return retentions;
  }

  private static Retention retentionOf(ColumnFamilyDescriptor family) {
    int seconds = family.getTimeToLive();
    return new Retention(
        family.getMaxVersions(), seconds == HConstants.FOREVER ? Long.MAX_VALUE : seconds * 1000L);
  }
}
