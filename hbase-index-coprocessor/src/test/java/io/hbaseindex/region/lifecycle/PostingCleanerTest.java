/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.region.metrics.IndexCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.jupiter.api.Test;

class PostingCleanerTest {

  private static final long READ_POINT = 100;
  private static final int INDEX = 1;
  private static final IndexRowKeys KEYS = keysOf("0123456789abcdef0123456789abcdef");
  private static final IndexRowKeys PARENTS_KEYS = keysOf("fedcba9876543210fedcba9876543210");

  private final CountingMetrics metrics = new CountingMetrics();
  private final PostingCleaner major = cleaner(true);
  private final PostingCleaner minor = cleaner(false);

  @Test
  void major_deadPosting_isDropped() {
    assertThat(clean(major, cell("a", 10, 50, PostingState.DEAD))).isEmpty();
    assertThat(metrics.of(IndexCounter.COMPACTION_DROPPED_DEAD)).isEqualTo(1);
  }

  @Test
  void major_deadPosting_takesItsOlderVersionsAlong() {
    assertThat(
            clean(
                major,
                cell("a", 10, 50, PostingState.DEAD),
                cell("a", 9, 40, PostingState.LIVE),
                cell("b", 9, 40, PostingState.LIVE)))
        .containsExactly(cell("b", 9, 40, PostingState.LIVE));
  }

  @Test
  void major_deadPosting_takesItsOlderVersionsAlongIntoTheNextPiece() {
    assertThat(clean(major, cell("a", 10, 50, PostingState.DEAD))).isEmpty();
    assertThat(clean(major, cell("a", 9, 40, PostingState.LIVE))).isEmpty();
  }

  @Test
  void major_deadPostingAboveReadPoint_staysWithItsOlderVersions() {
    Cell[] cells = {
      cell("a", 10, READ_POINT + 1, PostingState.DEAD), cell("a", 9, 40, PostingState.LIVE)
    };

    assertThat(clean(major, cells)).containsExactly(cells);
  }

  @Test
  void major_livePosting_staysAndSoDoOlderDeadVersions() {
    Cell[] cells = {
      cell("a", 10, READ_POINT + 1, PostingState.LIVE), cell("a", 9, 40, PostingState.DEAD)
    };

    assertThat(clean(major, cells)).containsExactly(cells);
  }

  @Test
  void minor_deadPosting_staysBecauseItMayHideALiveOneElsewhere() {
    Cell dead = cell("a", 10, 50, PostingState.DEAD);

    assertThat(clean(minor, dead)).containsExactly(dead);
  }

  @Test
  void anyCompaction_postingOfAnotherIncarnation_isDropped() {
    Cell foreign = posting(PARENTS_KEYS.key(INDEX, List.of(bytes("v")), bytes("a")), 10, 50);

    assertThat(clean(minor, foreign)).isEmpty();
    assertThat(clean(major, foreign)).isEmpty();
    assertThat(metrics.of(IndexCounter.COMPACTION_DROPPED_FOREIGN)).isEqualTo(2);
  }

  @Test
  void anyCompaction_postingOfADroppedIndex_isDropped() {
    Cell dropped = posting(KEYS.key(INDEX + 1, List.of(bytes("v")), bytes("a")), 10, 50);

    assertThat(clean(minor, dropped)).isEmpty();
  }

  @Test
  void major_unreadableState_stays() {
    byte[] key = KEYS.key(INDEX, List.of(bytes("v")), bytes("a"));
    KeyValue odd = new KeyValue(key, IndexFamily.bytes(), new byte[0], 10, new byte[] {0x7F});
    odd.setSequenceId(50);

    assertThat(clean(major, odd)).containsExactly(odd);
  }

  private PostingCleaner cleaner(boolean dropsDead) {
    return new PostingCleaner(KEYS, Set.of(INDEX), dropsDead, READ_POINT, metrics);
  }

  private static List<Cell> clean(PostingCleaner cleaner, Cell... cells) {
    List<Cell> list = new ArrayList<>(Arrays.asList(cells));
    cleaner.clean(list);
    return list;
  }

  private static Cell cell(String row, long timestamp, long sequence, PostingState state) {
    return cell(
        KEYS.key(INDEX, List.of(bytes("v")), bytes(row)), timestamp, sequence, state.code());
  }

  private static Cell posting(byte[] key, long timestamp, long sequence) {
    return cell(key, timestamp, sequence, PostingState.LIVE.code());
  }

  private static Cell cell(byte[] key, long timestamp, long sequence, byte state) {
    KeyValue cell =
        new KeyValue(key, IndexFamily.bytes(), new byte[0], timestamp, new byte[] {state});
    cell.setSequenceId(sequence);
    return cell;
  }

  private static IndexRowKeys keysOf(String encodedName) {
    return IndexRowKeys.ofRegion(bytes("b"), bytes("dd"), bytes(encodedName)).orElseThrow();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
