/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.core.entry.IndexRowKeys;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** The rows that have a live posting for one value of an index; its postings lie in row order. */
final class LookupStream implements RowStream {
  /** Short leaps are walked: reading a few neighbours costs less than seeking. */
  private static final int STEPS_BEFORE_SEEKING = 3;

  /** Work per call: dead postings that one call steps over before it says how far it has come. */
  private static final int MAX_POSTINGS_PER_CALL = 1_000;

  private final PostingCursor postings;
  private final byte[] keyBeforeRow;
  private boolean started;
  private final Optional<byte[]> end;
  private boolean exhausted;

  /**
   * @param keyBeforeRow what the index row keys of all these postings have before the row
   * @param end the row before which to end, if the postings go on behind it
   */
  LookupStream(PostingCursor postings, byte[] keyBeforeRow, Optional<byte[]> end) {
    this.postings = postings;
    this.keyBeforeRow = keyBeforeRow;
    this.end = end;
  }

  @Override
  public byte[] seek(byte[] from) throws IOException {
    if (!started) {
      started = true;
      advance();
    }
    int stepped = 0;
    for (int read = 0; !exhausted && read < MAX_POSTINGS_PER_CALL; read++) {
      boolean reached = postings.compareRow(from) >= 0;
      if (reached && postings.isLive()) {
        return postings.row();
      }
      if (!reached && ++stepped > STEPS_BEFORE_SEEKING) {
        postings.reseek(keyOf(from));
        stepped = 0;
      }
      advance();
    }
    return exhausted ? null : furtherOf(postings.row(), from);
  }

  private void advance() throws IOException {
    exhausted = !postings.next() || end.isPresent() && postings.compareRow(end.get()) >= 0;
  }

  private static byte[] furtherOf(byte[] row, byte[] from) {
    return Arrays.compareUnsigned(row, from) >= 0 ? row : from;
  }

  /** A key cut to what HBase can seek to sorts before the whole one: nothing is jumped over. */
  private byte[] keyOf(byte[] row) {
    int length = Math.min(keyBeforeRow.length + row.length, IndexRowKeys.MAX_ROW_KEY_LENGTH);
    byte[] key = Arrays.copyOf(keyBeforeRow, length);
    System.arraycopy(row, 0, key, keyBeforeRow.length, length - keyBeforeRow.length);
    return key;
  }

  @Override
  public boolean answersFor(byte[] row, Consumer<CertainPosting> certain) {
    boolean answers =
        !exhausted && postings.isLive() && postings.isCertain() && postings.compareRow(row) == 0;
    if (answers) {
      certain.accept(new CertainPosting(postings.key(), postings.value()));
    }
    return answers;
  }

  @Override
  public void postingsOf(byte[] row, Consumer<byte[]> found) {
    if (!exhausted && postings.compareRow(row) == 0) {
      found.accept(postings.key());
    }
  }
}
