/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Checks log entries while a region that was not closed properly replays its log. An entry casts
 * doubt on the indexes it did not go through, and on those of families that were compacted in
 * memory.
 *
 * <p>Such entries come from a time without the observer, or under other definitions (P10). Entries
 * that are already in store files are skipped here as HBase skips them; the ledger knows those
 * files.
 *
 * <p>Where versions are dropped in memory, later writes were planned without them. The log brings
 * them back, and they may show although their postings have ended. HBase can be asked to keep more
 * in memory, but never two puts of one timestamp, so such an index is built again.
 */
@InterfaceAudience.Private
public final class ReplayCheck {

  /** Index ids by name of the families they cover. */
  private final Map<byte[], Set<Integer>> indexesByFamily = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  /** What is in store files already, by family: the highest sequence id when the replay began. */
  private final Map<byte[], Long> flushedUpTo = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  /** Families whose versions may have been dropped in memory. */
  private final Set<byte[]> thinned = new TreeSet<>(Bytes.BYTES_COMPARATOR);

  /**
   * @param indexesByFamily which indexes cover a family
   * @param flushedUpTo by family, the highest sequence id in its store files before any replay
   * @param thinned families for which {@link MemoryCompaction#dropsVersions}
   */
  ReplayCheck(
      Map<byte[], Set<Integer>> indexesByFamily,
      Map<byte[], Long> flushedUpTo,
      Collection<byte[]> thinned) {
    this.indexesByFamily.putAll(indexesByFamily);
    this.flushedUpTo.putAll(flushedUpTo);
    this.thinned.addAll(thinned);
  }

  /**
   * The indexes that cannot be trusted because of an entry.
   *
   * @param passed the indexes that the entry says it went through, version by id; empty if it says
   *     nothing
   * @param versions the indexes that there are, version by id
   */
  Set<Integer> doubtedBy(
      WALEdit edit, long sequenceId, Map<Integer, Integer> passed, Map<Integer, Integer> versions) {
    Set<Integer> doubted = new HashSet<>();
    for (Cell cell : edit.getCells()) {
      if (WALEdit.isMetaEditFamily(cell)) {
        continue;
      }
      byte[] family = CellUtil.cloneFamily(cell);
      if (sequenceId > flushedUpTo.getOrDefault(family, -1L)) {
        for (int index : indexesByFamily.getOrDefault(family, Set.of())) {
          if (thinned.contains(family) || !versions.get(index).equals(passed.get(index))) {
            doubted.add(index);
          }
        }
      }
    }
    return doubted;
  }
}
