/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.PostingState;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Reads the state of single postings. Unless told otherwise, it also reads those that are not
 * visible yet. All postings of a call are read in the order of their keys, with one set of
 * scanners.
 */
final class PostingReader {
  /** Also what no reader may see yet. */
  private static final long EVERYTHING = Long.MAX_VALUE;

  private final HRegion region;

  PostingReader(Region region) {
    this.region = (HRegion) region;
  }

  /** Those of the keys under which there is a posting, and it is live; by content. */
  Set<byte[]> live(Collection<byte[]> indexRows) throws IOException {
    return live(indexRows, EVERYTHING);
  }

  /** As {@link #live(Collection)}, as of a read point. */
  Set<byte[]> live(Collection<byte[]> indexRows, long readPoint) throws IOException {
    if (indexRows.isEmpty()) {
      return Set.of();
    }
    SortedSet<byte[]> ascending = new TreeSet<>(Arrays::compareUnsigned);
    ascending.addAll(indexRows);
    SortedSet<byte[]> live = new TreeSet<>(Arrays::compareUnsigned);
    try (StoreCursor cursor = new StoreCursor(region.getStore(IndexFamily.bytes()), readPoint)) {
      for (byte[] indexRow : ascending) {
        Newest newest = new Newest();
        cursor.read(indexRow, newest);
        if (newest.state == PostingState.LIVE) {
          live.add(indexRow);
        }
      }
    }
    return live;
  }

  /** The newest version of one posting: of one timestamp the one that was written later. */
  private static final class Newest implements StoreCursor.RowCollector {
    private PostingState state;
    private long timestamp;
    private long sequence;

    @Override
    public boolean take(Cell cell) {
      long cellSequence = sequenceOf(cell);
      boolean newer =
          state == null
              || cell.getTimestamp() > timestamp
              || cell.getTimestamp() == timestamp && cellSequence > sequence;
      if (newer) {
        timestamp = cell.getTimestamp();
        sequence = cellSequence;
        // Read here, while the scanner keeps the cell's memory.
        state =
            PostingState.parse(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
      }
      return true;
    }

    @SuppressWarnings("deprecation") // HBase offers nothing else for it.
    private static long sequenceOf(Cell cell) {
      return cell.getSequenceId();
    }

    @Override
    public Cell nextColumn(Cell cell) {
      return null;
    }
  }
}
