/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.Test;

class ReplayCheckTest {

  private static final Map<Integer, Integer> VERSIONS = Map.of(1, 1, 2, 3);

  private final ReplayCheck check = check();

  @Test
  void entryThatWentThroughAll_bypassesNone() {
    assertThat(check.doubtedBy(edit("f"), 50, VERSIONS, VERSIONS)).isEmpty();
  }

  @Test
  void entryWithoutMark_bypassesTheIndexesOfItsFamily() {
    assertThat(check.doubtedBy(edit("f"), 50, Map.of(), VERSIONS)).containsExactly(1);
    assertThat(check.doubtedBy(edit("f", "g"), 50, Map.of(), VERSIONS)).containsExactly(1, 2);
  }

  @Test
  void entryOfAnotherVersion_bypasses() {
    assertThat(check.doubtedBy(edit("g"), 50, Map.of(2, 2), VERSIONS)).containsExactly(2);
  }

  @Test
  void entryOfAnUnindexedFamily_bypassesNone() {
    assertThat(check.doubtedBy(edit("other"), 50, Map.of(), VERSIONS)).isEmpty();
  }

  @Test
  void entryThatIsInAStoreFileAlready_isNotLookedAt() {
    assertThat(check.doubtedBy(edit("f"), 10, Map.of(), VERSIONS)).isEmpty();
    assertThat(check.doubtedBy(edit("f"), 11, Map.of(), VERSIONS)).containsExactly(1);
  }

  @Test
  void entryOfAFamilyCompactedInMemory_isDoubtedWhateverItSays() {
    ReplayCheck thinned = check(bytes("f"));

    assertThat(thinned.doubtedBy(edit("f", "g"), 50, VERSIONS, VERSIONS)).containsExactly(1);
    assertThat(thinned.doubtedBy(edit("f", "g"), 10, VERSIONS, VERSIONS)).isEmpty();
  }

  @Test
  void entryOfHBaseItself_bypassesNone() {
    WALEdit edit = new WALEdit();
    edit.add(new KeyValue(bytes("row"), WALEdit.METAFAMILY, bytes("HBASE::FLUSH"), bytes("x")));

    assertThat(check.doubtedBy(edit, 50, Map.of(), VERSIONS)).isEmpty();
  }

  private static ReplayCheck check(byte[]... thinned) {
    Map<byte[], Set<Integer>> indexes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    indexes.put(bytes("f"), Set.of(1));
    indexes.put(bytes("g"), Set.of(2));
    Map<byte[], Long> flushed = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    flushed.put(bytes("f"), 10L);
    return new ReplayCheck(indexes, flushed, List.of(thinned));
  }

  private static WALEdit edit(String... families) {
    WALEdit edit = new WALEdit();
    for (String family : families) {
      edit.add(new KeyValue(bytes("row"), bytes(family), bytes("q"), bytes("v")));
    }
    return edit;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
