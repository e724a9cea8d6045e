package io.hbaseindex.region.write;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.region.RegionIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The write path of one open, indexed region, put together. */
public final class WritePath {
  private final IndexedColumns columns;
  private final StoredRows storedRows;
  private final List<RowPostings> indexes;
  private final RowReindexer reindexer;
  private final BatchIndexer batchIndexer;
  private final LongSupplier wallClockMillis;

  private WritePath(RegionIndexes region, FilterFeed feed, LongSupplier wallClockMillis) {
    Collection<IndexDefinition> definitions = region.definitions().definitions();
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
        new BatchIndexer(region, columns, storedRows, indexes, reindexer, feed, wallClockMillis);
  }

  public static WritePath of(RegionIndexes region, FilterFeed feed, LongSupplier wallClockMillis) {
    return new WritePath(region, feed, wallClockMillis);
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
   * The keys of the postings a row calls for in one index, as of a read point. Data and postings of
   * a write become visible together, so at one read point both can be compared without a lock.
   */
  public SortedSet<byte[]> postingsOf(byte[] row, int indexId, long readPoint) throws IOException {
    RowPostings index =
        indexes.stream()
            .filter(i -> i.definition().id() == indexId)
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("Cannot find an index of id " + indexId));
    RowVersions stored = storedRows.readAt(readPoint, row, columns.familiesOf(index));
    SortedSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    keys.addAll(index.of(row, stored, wallClockMillis.getAsLong()));
    return keys;
  }

  private static List<Retention> retentions(TableDescriptor table, IndexedColumns columns) {
    List<Retention> retentions = new ArrayList<>();
    for (int column = 0; column < columns.size(); column++) {
      byte[] family = columns.family(columns.familyOf(column));
      retentions.add(Retention.of(table.getColumnFamily(family)));
    }
    return retentions;
  }
}
