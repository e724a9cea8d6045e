package io.hbaseindex.region.write;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.PostingState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/** Looks single postings up, whether readers may see them yet or not. */
final class PostingReader {
  private static final byte[] HIDDEN = IndexFamily.bytes();

  private final Region region;

  PostingReader(Region region) {
    this.region = region;
  }

  /** Whether there is a posting of this key and it is live. */
  boolean isLive(byte[] indexRow) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(indexRow, true)
            .withStopRow(indexRow, true)
            .addFamily(HIDDEN)
            .setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    List<Cell> cells = new ArrayList<>(1);
    try (RegionScanner scanner = region.getScanner(scan)) {
      scanner.nextRaw(cells);
      // States are compared here, while the scanner keeps the cell's memory.
      return !cells.isEmpty() && stateOf(cells.get(0)) == PostingState.LIVE;
    }
  }

  private static PostingState stateOf(Cell cell) {
    return PostingState.parse(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }
}
