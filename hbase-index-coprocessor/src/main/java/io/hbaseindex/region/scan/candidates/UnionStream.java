/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The candidates of any of several streams, each once. A plan unites few streams, so the smallest
 * head is found by looking at all of them.
 */
final class UnionStream implements RowStream {
  private static final byte[] EXHAUSTED = {};

  private final List<RowStream> streams;

  /** Per stream the row it named last, null before the first call. */
  private final byte[][] heads;

  UnionStream(List<RowStream> streams) {
    this.streams = List.copyOf(streams);
    this.heads = new byte[streams.size()][];
  }

  @Override
  public byte[] seek(byte[] from) throws IOException {
    byte[] smallest = null;
    for (int i = 0; i < heads.length; i++) {
      if (heads[i] == EXHAUSTED) {
        continue;
      }
      if (heads[i] == null || Arrays.compareUnsigned(heads[i], from) < 0) {
        byte[] head = streams.get(i).seek(from);
        heads[i] = head == null ? EXHAUSTED : head;
      }
      if (heads[i] != EXHAUSTED
          && (smallest == null || Arrays.compareUnsigned(heads[i], smallest) < 0)) {
        smallest = heads[i];
      }
    }
    return smallest;
  }

  @Override
  public boolean answersFor(byte[] row, Consumer<CertainPosting> certain) {
    for (int i = 0; i < heads.length; i++) {
      boolean atRow = heads[i] != EXHAUSTED && Arrays.equals(heads[i], row);
      if (atRow && streams.get(i).answersFor(row, certain)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void postingsOf(byte[] row, Consumer<byte[]> postings) {
    for (int i = 0; i < heads.length; i++) {
      if (heads[i] != EXHAUSTED && Arrays.equals(heads[i], row)) {
        streams.get(i).postingsOf(row, postings);
      }
    }
  }
}
