/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.testing.GoldenFile;
import java.util.Collection;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.jupiter.api.Test;

class LogMarkTest {
  private static final String ATTRIBUTE = "hbaseindex.indexed";

  @Test
  void mark_isWrittenAndReadAsEver() {
    WALKeyImpl key = key();
    new LogMark(definitions()).putOn(key);

    byte[] golden = GoldenFile.bytes("log-mark", key.getExtendedAttribute(ATTRIBUTE));

    WALKeyImpl replayed = key();
    replayed.addExtendedAttribute(ATTRIBUTE, golden);
    assertThat(LogMark.read(replayed)).isEqualTo(Map.of(1, 4, 129, 1));
  }

  @Test
  void mark_thatIsAbsentOrCut_namesNoIndex() {
    WALKeyImpl cut = key();
    cut.addExtendedAttribute(ATTRIBUTE, new byte[12]);

    assertThat(LogMark.read(key())).isEmpty();
    assertThat(LogMark.read(cut)).isEmpty();
  }

  @Test
  void P14_mark_afterALostBatch_saysSoAndNamesTheSameIndexes() {
    WALKeyImpl before = key();
    WALKeyImpl after = key();
    LogMark mark = new LogMark(definitions());
    mark.putOn(before);
    mark.afterLoss().putOn(after);

    assertThat(LogMark.isAfterLoss(before)).isFalse();
    assertThat(LogMark.isAfterLoss(after)).isTrue();
    assertThat(LogMark.read(after)).isEqualTo(LogMark.read(before));
  }

  private static Collection<IndexDefinition> definitions() {
    return TableIndexes.parse(
            Map.of(
                "hbaseindex.index.a", "id=1, version=4, columns=f:a",
                "hbaseindex.index.b", "id=129, columns=f:b"))
        .definitions();
  }

  private static WALKeyImpl key() {
    return new WALKeyImpl(Bytes.toBytes("region"), TableName.valueOf("t"), 1L);
  }
}
