package io.hbaseindex.region.lifecycle;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * Finds log entries that change an indexed family and did not go through all indexes the region has
 * now, while a region that was not closed properly replays its log.
 *
 * <p>Such entries come from a time without the observer, or under other definitions (P10). Entries
 * that are already in store files are skipped here as HBase skips them; the ledger knows those
 * files.
 */
final class ReplayCheck {

  /** Index ids by name of the families they cover. */
  private final Map<byte[], Set<Integer>> indexesByFamily = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  /** What is in store files already, by family: the highest sequence id when the replay began. */
  private final Map<byte[], Long> flushedUpTo = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  /**
   * @param indexesByFamily which indexes cover a family
   * @param flushedUpTo by family, the highest sequence id in its store files before any replay
   */
  ReplayCheck(Map<byte[], Set<Integer>> indexesByFamily, Map<byte[], Long> flushedUpTo) {
    this.indexesByFamily.putAll(indexesByFamily);
    this.flushedUpTo.putAll(flushedUpTo);
  }

  /**
   * The indexes that an entry has bypassed.
   *
   * @param passed the indexes that the entry says it went through, version by id; empty if it says
   *     nothing
   * @param versions the indexes that there are, version by id
   */
  Set<Integer> bypassedBy(
      WALEdit edit, long sequenceId, Map<Integer, Integer> passed, Map<Integer, Integer> versions) {
    Map<Integer, Integer> bypassed = new HashMap<>();
    for (Cell cell : edit.getCells()) {
      if (WALEdit.isMetaEditFamily(cell)) {
        continue;
      }
      byte[] family = CellUtil.cloneFamily(cell);
      if (sequenceId > flushedUpTo.getOrDefault(family, -1L)) {
        for (int index : indexesByFamily.getOrDefault(family, Set.of())) {
          bypassed.put(index, versions.get(index));
        }
      }
    }
    bypassed.entrySet().removeIf(index -> index.getValue().equals(passed.get(index.getKey())));
    return bypassed.keySet();
  }
}
