/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.format.VarLong;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How many rows show each value of a column. Grows with the number of distinct values; {@link
 * #bytes} tells how large it is. Not thread-safe.
 */
@InterfaceAudience.Private
public final class ValueGroups {
  /** What a group takes beside the bytes of its value: entry, array, number. */
  private static final int GROUP_OVERHEAD = 96;

  private final NavigableMap<byte[], long[]> rowsByValue = new TreeMap<>(Arrays::compareUnsigned);
  private long bytes;

  /** Adds rows that show a value. */
  public void add(byte[] value, long rows) {
    long[] group = rowsByValue.get(value);
    if (group == null) {
      rowsByValue.put(value, new long[] {rows});
      bytes += value.length + GROUP_OVERHEAD;
    } else {
      group[0] += rows;
    }
  }

  public void clear() {
    rowsByValue.clear();
    bytes = 0;
  }

  public boolean isEmpty() {
    return rowsByValue.isEmpty();
  }

  /** How many distinct values there are. */
  public int size() {
    return rowsByValue.size();
  }

  /** About how much memory this takes. */
  public long bytes() {
    return bytes;
  }

  /** The number of rows by value, in the order of values; each number in an array of its own. */
  public NavigableMap<byte[], long[]> rowsByValue() {
    return Collections.unmodifiableNavigableMap(rowsByValue);
  }

  /** The groups as bytes: for each the length of the value, the value, the number of rows. */
  public byte[] encode() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    rowsByValue.forEach(
        (value, rows) -> {
          VarLong.write(out, value.length);
          out.writeBytes(value);
          VarLong.write(out, rows[0]);
        });
    return out.toByteArray();
  }

  /**
   * Adds the groups that {@link #encode} has written.
   *
   * @throws IllegalArgumentException if a value is longer than what is left
   */
  public void addEncoded(byte[] array, int offset, int length) {
    ByteBuffer in = ByteBuffer.wrap(array, offset, length);
    while (in.hasRemaining()) {
      long valueLength = VarLong.read(in);
      if (valueLength < 0 || valueLength > in.remaining()) {
        throw new IllegalArgumentException(
            "Cannot read the rows by value: a value of %d bytes was announced and %d are left"
                .formatted(valueLength, in.remaining()));
      }
      byte[] value = new byte[(int) valueLength];
      in.get(value);
      add(value, VarLong.read(in));
    }
  }
}
