/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The candidates that all of several streams have in common, found by leapfrogging: each stream in
 * turn is asked for its first row at or after the furthest row any of them has named, until all
 * name the same. A long disagreement costs as many seeks as the stream with the fewest candidates
 * has rows, never as many as the longest.
 *
 * <p>After {@value #MAX_LEAPS} leaps without agreement the furthest row is returned as it stands:
 * all candidates lie at or after it, and reading one row too many is cheaper than letting a scan
 * run past its time limit.
 */
final class IntersectionStream implements RowStream {
  static final int MAX_LEAPS = 1_000;

  private final List<RowStream> streams;

  IntersectionStream(List<RowStream> streams) {
    this.streams = List.copyOf(streams);
  }

  @Override
  public byte[] seek(byte[] from) throws IOException {
    byte[] furthest = from;
    int agreeing = 0;
    for (int leap = 0; agreeing < streams.size() && leap < MAX_LEAPS; leap++) {
      byte[] row = streams.get(leap % streams.size()).seek(furthest);
      if (row == null) {
        return null;
      }
      agreeing = Arrays.equals(row, furthest) ? agreeing + 1 : 1;
      furthest = row;
    }
    return furthest;
  }

  @Override
  public boolean answersFor(byte[] row, Consumer<CertainPosting> certain) {
    // Each is asked: one that is certain may know the row although another is not.
    boolean all = true;
    for (RowStream stream : streams) {
      all &= stream.answersFor(row, certain);
    }
    return all;
  }

  @Override
  public void postingsOf(byte[] row, Consumer<byte[]> postings) {
    streams.forEach(stream -> stream.postingsOf(row, postings));
  }
}
