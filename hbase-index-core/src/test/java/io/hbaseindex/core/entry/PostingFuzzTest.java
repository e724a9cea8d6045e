/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Any index row key: the first byte says how many columns are asked for and whether the rest stands
 * behind this region's prefix. What is read is written again, and must be read as the same.
 */
public class PostingFuzzTest {
  private static final IndexRowKeys REGION =
      IndexRowKeys.ofRegion(
              new byte[] {'k'}, new byte[] {'m'}, "0123".getBytes(StandardCharsets.US_ASCII))
          .orElseThrow();

  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    int columns = 1 + (data[0] & 3);
    byte[] prefix = (data[0] & 4) == 0 ? REGION.regionPrefix() : new byte[0];
    byte[] key = Arrays.copyOf(prefix, prefix.length + data.length - 1);
    System.arraycopy(data, 1, key, prefix.length, data.length - 1);
    FuzzTarget.run(data, MalformedPostingException.class, () -> read(key, columns));
    FuzzTarget.run(
        data, MalformedPostingException.class, () -> PostingState.parse(key, 0, key.length));
    FuzzTarget.run(data, MalformedPostingException.class, () -> CarriedCells.in(data, columns, 2));
  }

  private static void read(byte[] key, int columns) {
    boolean own = REGION.isOwn(key, 0, key.length);
    Posting posting = REGION.parse(key, columns);
    assertThat(own).isTrue();
    assertThat(posting.indexId()).isNotNegative().isEqualTo(REGION.indexIdOf(key, 0, key.length));
    assertThat(posting.values()).hasSize(columns);
    assertThat(key.length - REGION.dataRowOffset(key, 0, key.length, columns))
        .isEqualTo(posting.row().length);
    if (posting.values().stream().allMatch(PostingFuzzTest::isExact)) {
      byte[] again = REGION.key(posting.indexId(), posting.values(), posting.row());
      Posting same = REGION.parse(again, columns);
      // Field by field: a recursive comparison allocates kilobytes for each byte.
      assertThat(same.indexId()).isEqualTo(posting.indexId());
      assertThat(Arrays.equals(same.row(), posting.row())).isTrue();
      assertThat(Arrays.deepEquals(same.values().toArray(), posting.values().toArray())).isTrue();
    }
  }

  /** A long value cannot be written again: its key keeps the beginning and a hash. */
  private static boolean isExact(byte[] value) {
    return value == null || value.length < ValueCodec.MAX_EXACT_LENGTH;
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("posting", PostingFuzzTest::fuzzerTestOneInput);
  }
}
