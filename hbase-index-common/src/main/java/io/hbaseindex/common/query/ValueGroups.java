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
 * How many rows show each value of a column, and what another column of these rows adds up to.
 * Grows with the number of distinct values; {@link #bytes} tells how large it is. Not thread-safe.
 */
@InterfaceAudience.Private
public final class ValueGroups {
  /** What a group takes beside the bytes of its value: entry, array, number. */
  private static final int GROUP_OVERHEAD = 96;

  /** What its sum takes. */
  private static final int SUM_OVERHEAD = 120;

  private final NavigableMap<byte[], Group> groups = new TreeMap<>(Arrays::compareUnsigned);
  private final boolean summing;
  private long bytes;

  /** The rows that show one value. */
  public static final class Group {
    private final ExactSum sum;
    private long rows;

    private Group(ExactSum sum) {
      this.sum = sum;
    }

    /** How many there are. */
    public long rows() {
      return rows;
    }

    /** What they add up to. */
    public ExactSum sum() {
      return sum;
    }
  }

  /** Groups without sums. */
  public ValueGroups() {
    this(false);
  }

  /**
   * @param summing whether the rows of a group are added up
   */
  public ValueGroups(boolean summing) {
    this.summing = summing;
  }

  /** Adds rows that show a value; their group. */
  public Group add(byte[] value, long rows) {
    Group group = groups.get(value);
    if (group == null) {
      group = new Group(summing ? new ExactSum() : null);
      groups.put(value, group);
      bytes += value.length + GROUP_OVERHEAD + (summing ? SUM_OVERHEAD : 0);
    }
    group.rows += rows;
    return group;
  }

  public void clear() {
    groups.clear();
    bytes = 0;
  }

  public boolean isEmpty() {
    return groups.isEmpty();
  }

  /** How many distinct values there are. */
  public int size() {
    return groups.size();
  }

  /** About how much memory this takes. */
  public long bytes() {
    return bytes;
  }

  /** The groups by their value, in the order of values. */
  public NavigableMap<byte[], Group> byValue() {
    return Collections.unmodifiableNavigableMap(groups);
  }

  /**
   * The groups as bytes: for each the length of the value, the value, the number of rows, and the
   * sum if there are sums.
   */
  public byte[] encode() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    groups.forEach(
        (value, group) -> {
          VarLong.write(out, value.length);
          out.writeBytes(value);
          VarLong.write(out, group.rows);
          if (summing) {
            group.sum.write(out);
          }
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
      Group group = add(value, VarLong.read(in));
      if (summing) {
        group.sum.addWritten(in);
      }
    }
  }
}
