package io.hbaseindex.region.lifecycle;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.region.write.RowReindexer;
import io.hbaseindex.region.write.RowTask;
import io.hbaseindex.region.write.UnindexableRowException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/** Translates what builder, stale worker and repair want into what the write path offers. */
public final class RowIndexing {

  private final RowReindexer reindexer;

  public RowIndexing(RowReindexer reindexer) {
    this.reindexer = reindexer;
  }

  /**
   * Writes the postings of {@code rows}.
   *
   * @return by index id, why an index cannot take one of these rows (P13)
   */
  public Map<Integer, String> index(List<byte[]> rows, Set<Integer> indexIds) throws IOException {
    List<RowTask> tasks = rows.stream().map(RowTask::of).toList();
    try {
      reindexer.reindex(tasks, indexIds);
      return Map.of();
    } catch (UnindexableRowException e) {
      return indexOneByOne(tasks, indexIds);
    }
  }

  private Map<Integer, String> indexOneByOne(List<RowTask> tasks, Set<Integer> indexIds)
      throws IOException {
    Map<Integer, String> impossible = new TreeMap<>();
    for (int id : indexIds) {
      try {
        reindexer.reindex(tasks, Set.of(id));
      } catch (UnindexableRowException e) {
        impossible.put(id, e.getMessage());
      }
    }
    return impossible;
  }

  /** Ends those postings whose row does not call for them, and returns how many. */
  public long endIfStale(List<byte[]> indexRows, IndexRowKeys keys, IndexSet indexes)
      throws IOException {
    Map<byte[], List<byte[]>> suspectsByRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (byte[] indexRow : indexRows) {
      indexes
          .dataRowOf(indexRow, keys)
          .ifPresent(
              row -> suspectsByRow.computeIfAbsent(row, r -> new ArrayList<>()).add(indexRow));
    }
    if (suspectsByRow.isEmpty()) {
      return 0;
    }
    List<RowTask> tasks = new ArrayList<>();
    suspectsByRow.forEach((row, suspects) -> tasks.add(new RowTask(row, suspects)));
    return reindexer.reindex(tasks, Set.of()).dead();
  }
}
