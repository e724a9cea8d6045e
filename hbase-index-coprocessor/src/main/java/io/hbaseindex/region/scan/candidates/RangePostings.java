/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.core.entry.KeyRange;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** The live postings of several key ranges of one index, in the order of their keys, each once. */
@InterfaceAudience.Private
public final class RangePostings implements Closeable {
  private final PostingCursor postings;
  private final RowBounds bounds;
  private final List<KeyRange> ranges;
  private int range;
  private byte[] start;
  private byte[] stop;

  /**
   * @param ranges by rising start; they may overlap
   */
  RangePostings(PostingCursor postings, RowBounds bounds, List<KeyRange> ranges) {
    this.postings = postings;
    this.bounds = bounds;
    this.ranges = ranges;
    this.range = -1;
    nextRange();
  }

  /** What a step has come to. */
  public enum Step {
    /** A live posting of a row that is wanted. */
    POSTING,
    /** Another posting. */
    OTHER,
    END
  }

  /** Reads one posting. */
  public Step next() throws IOException {
    if (start == null || !postings.next()) {
      return Step.END;
    }
    byte[] key = postings.key();
    while (start != null && Arrays.compareUnsigned(stop, key) <= 0) {
      nextRange();
    }
    if (start == null) {
      return Step.END;
    }
    if (Arrays.compareUnsigned(start, key) > 0) {
      postings.reseek(start);
      return Step.OTHER;
    }
    return postings.isLive() && isInBounds() ? Step.POSTING : Step.OTHER;
  }

  private void nextRange() {
    range++;
    boolean more = range < ranges.size();
    start = more ? ranges.get(range).start() : null;
    stop = more ? ranges.get(range).stop() : null;
  }

  private boolean isInBounds() {
    return postings.compareRow(bounds.first()) >= 0
        && (!bounds.hasEnd() || postings.compareRow(bounds.end()) < 0);
  }

  /** The key of the posting read last. */
  public byte[] key() {
    return postings.key();
  }

  /** Where in its key the row begins. */
  public int rowOffset() {
    return postings.rowOffset();
  }

  public boolean isCertain() {
    return postings.isCertain();
  }

  /** The value of its cell; empty if the row is to be asked, or the cells are not wanted. */
  public byte[] value() {
    return postings.value();
  }

  @Override
  public void close() throws IOException {
    postings.close();
  }
}
