/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.core.definition.IndexDefinition;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A mark on log entries that names the indexes an entry went through. During the replay of a log,
 * an entry without an index shows that it was written without the observer, or under other
 * definitions.
 *
 * <p>It is an extended attribute of the log key: per index its id and its version, 4 bytes each. An
 * empty second attribute says that the entry was written after a lost batch (rule P14).
 */
@InterfaceAudience.Private
public final class LogMark {
  private static final String ATTRIBUTE = "hbaseindex.indexed";
  private static final String AFTER_LOSS = "hbaseindex.after-loss";
  private static final int ENTRY_LENGTH = 2 * Integer.BYTES;

  private final byte[] value;
  private final boolean afterLoss;

  /** The mark of entries that go through these indexes. */
  public LogMark(Collection<IndexDefinition> definitions) {
    ByteBuffer buffer = ByteBuffer.allocate(definitions.size() * ENTRY_LENGTH);
    definitions.forEach(definition -> buffer.putInt(definition.id()).putInt(definition.version()));
    value = buffer.array();
    afterLoss = false;
  }

  private LogMark(byte[] value, boolean afterLoss) {
    this.value = value;
    this.afterLoss = afterLoss;
  }

  /** The same mark, for entries after a batch that the log may hold and the memstore does not. */
  LogMark afterLoss() {
    return new LogMark(value, true);
  }

  public void putOn(WALKey key) {
    key.addExtendedAttribute(ATTRIBUTE, value);
    if (afterLoss) {
      key.addExtendedAttribute(AFTER_LOSS, new byte[0]);
    }
  }

  /** Whether an entry was written after a lost batch. */
  public static boolean isAfterLoss(WALKey key) {
    return key.getExtendedAttribute(AFTER_LOSS) != null;
  }

  /** The indexes that an entry went through, version by id; none for what cannot be read. */
  public static Map<Integer, Integer> read(WALKey key) {
    Map<Integer, Integer> indexes = new TreeMap<>();
    byte[] stored = key.getExtendedAttribute(ATTRIBUTE);
    if (stored != null && stored.length % ENTRY_LENGTH == 0) {
      ByteBuffer buffer = ByteBuffer.wrap(stored);
      while (buffer.hasRemaining()) {
        indexes.put(buffer.getInt(), buffer.getInt());
      }
    }
    return indexes;
  }
}
