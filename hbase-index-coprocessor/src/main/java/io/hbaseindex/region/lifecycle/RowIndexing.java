/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.region.write.RowReindexer;
import io.hbaseindex.region.write.RowTask;
import io.hbaseindex.region.write.plan.TooManyPostingsException;
import io.hbaseindex.region.write.plan.UnindexableRowException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects builder, stale worker and repair to the write path. */
@InterfaceAudience.Private
public final class RowIndexing {

  private static final Logger LOG = LoggerFactory.getLogger(RowIndexing.class);

  private final Reindexer reindexer;

  /** What of {@link RowReindexer} is needed here. */
  interface Reindexer {
    RowReindexer.Result reindex(List<RowTask> tasks, Set<Integer> indexIds) throws IOException;
  }

  public RowIndexing(RowReindexer reindexer) {
    this(reindexer::reindex);
  }

  RowIndexing(Reindexer reindexer) {
    this.reindexer = reindexer;
  }

  /**
   * Why indexes cannot take some of the rows they were given.
   *
   * @param never by index id, what stands in the way for good (P13)
   * @param notYet by index id, what a major compaction takes out of the way
   */
  public record Obstacles(Map<Integer, String> never, Map<Integer, String> notYet) {
    static final Obstacles NONE = new Obstacles(Map.of(), Map.of());

    public boolean isEmpty() {
      return never.isEmpty() && notYet.isEmpty();
    }

    public List<String> reasons() {
      return Stream.concat(never.values().stream(), notYet.values().stream()).toList();
    }
  }

  /** Writes the postings of {@code rows}. */
  public Obstacles index(List<byte[]> rows, Set<Integer> indexIds) throws IOException {
    List<RowTask> tasks = rows.stream().map(RowTask::of).toList();
    try {
      reindexer.reindex(tasks, indexIds);
      return Obstacles.NONE;
    } catch (UnindexableRowException e) {
      return indexOneByOne(tasks, indexIds);
    }
  }

  private Obstacles indexOneByOne(List<RowTask> tasks, Set<Integer> indexIds) throws IOException {
    Map<Integer, String> never = new TreeMap<>();
    Map<Integer, String> notYet = new TreeMap<>();
    for (int id : indexIds) {
      try {
        reindexer.reindex(tasks, Set.of(id));
      } catch (TooManyPostingsException e) {
        notYet.put(id, e.getMessage());
      } catch (UnindexableRowException e) {
        never.put(id, e.getMessage());
      }
    }
    return new Obstacles(never, notYet);
  }

  /**
   * Ends those postings whose row does not call for them, and returns how many. A row that cannot
   * be judged keeps its postings, which costs its readers time and nothing else.
   */
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
    try {
      return reindexer.reindex(tasks, Set.of()).dead();
    } catch (UnindexableRowException e) {
      return endOneByOne(tasks);
    }
  }

  private long endOneByOne(List<RowTask> tasks) throws IOException {
    long ended = 0;
    for (RowTask task : tasks) {
      try {
        ended += reindexer.reindex(List.of(task), Set.of()).dead();
      } catch (UnindexableRowException e) {
        LOG.debug("Postings are left as they are", e);
      }
    }
    return ended;
  }
}
