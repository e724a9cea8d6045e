/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The cells that a certain posting carries, so that scans need not read the row: what an ordinary
 * scan shows of the indexed and of the included columns. Immutable, save for the arrays in it.
 *
 * <p>The value of such a posting's cell:
 *
 * <pre>
 *   13 | int64 certain until | int64 carried until
 *      | int64 timestamp                              per indexed column, 0 if the row lacks it
 *      | int16 length | int64 timestamp | value       per included column
 *      | int16 -1                                     ... that the row lacks
 * </pre>
 *
 * <p>The values of the indexed columns are in the key. Both times are in ms since 1970, and the
 * highest number if only a write ends them.
 *
 * @param until the last time at which the row shows these cells, unless it is written
 * @param timestamps of the indexed columns, in the order of the index; 0 for absent ones
 * @param included the cells of the included columns in the order of the index, null for absent ones
 */
@InterfaceAudience.Private
public record CarriedCells(long until, List<Long> timestamps, List<Cell> included) {
  /** How many bytes the values of included columns may have together; above, none is carried. */
  public static final int MAX_BYTES = 4096;

  static final byte CARRYING = 0x13;
  private static final int HEAD = 1 + 2 * Long.BYTES;
  private static final short ABSENT = -1;

  /**
   * What a row shows of one column.
   *
   * @param value not to be changed
   */
  public record Cell(long timestamp, byte[] value) {}

  public CarriedCells {
    timestamps = List.copyOf(timestamps);
    // List.copyOf refuses the nulls that stand for absent columns.
    included = Collections.unmodifiableList(new ArrayList<>(included));
  }

  /** Whether a posting can carry them: they are not too long. */
  public boolean fit() {
    long bytes = 0;
    for (Cell cell : included) {
      bytes += cell == null ? 0 : cell.value().length;
    }
    return bytes <= MAX_BYTES;
  }

  /** Whether others are the same cells, be it for a longer or a shorter time. */
  public boolean areThe(CarriedCells others) {
    boolean same =
        timestamps.equals(others.timestamps) && included.size() == others.included.size();
    for (int i = 0; same && i < included.size(); i++) {
      Cell one = included.get(i);
      Cell other = others.included.get(i);
      same =
          one == null || other == null
              ? one == other
              : one.timestamp == other.timestamp && Arrays.equals(one.value, other.value);
    }
    return same;
  }

  /** The value of a live posting that carries these cells, which {@link #fit}. */
  byte[] encode(long certainUntil) {
    int length = HEAD + timestamps.size() * Long.BYTES;
    for (Cell cell : included) {
      length += Short.BYTES + (cell == null ? 0 : Long.BYTES + cell.value().length);
    }
    ByteBuffer buffer = ByteBuffer.allocate(length);
    buffer.put(CARRYING).putLong(certainUntil).putLong(until);
    timestamps.forEach(buffer::putLong);
    for (Cell cell : included) {
      if (cell == null) {
        buffer.putShort(ABSENT);
      } else {
        buffer.putShort((short) cell.value().length).putLong(cell.timestamp()).put(cell.value());
      }
    }
    return buffer.array();
  }

  /**
   * The cells that the value of a live posting carries; empty if it carries none.
   *
   * @param indexedColumns how many columns the index has
   * @param includedColumns how many it includes
   * @throws MalformedPostingException if that is not what the value was written for
   */
  public static Optional<CarriedCells> in(byte[] value, int indexedColumns, int includedColumns) {
    if (!isCarrying(value, 0, value.length)) {
      return Optional.empty();
    }
    ByteBuffer buffer = ByteBuffer.wrap(value, 1 + Long.BYTES, value.length - 1 - Long.BYTES);
    try {
      long until = buffer.getLong();
      List<Long> timestamps = new ArrayList<>(indexedColumns);
      for (int i = 0; i < indexedColumns; i++) {
        timestamps.add(buffer.getLong());
      }
      List<Cell> included = new ArrayList<>(includedColumns);
      for (int i = 0; i < includedColumns; i++) {
        included.add(readCell(buffer));
      }
      if (!buffer.hasRemaining()) {
        return Optional.of(new CarriedCells(until, timestamps, included));
      }
    } catch (BufferUnderflowException e) {
      throw malformed(value, indexedColumns, includedColumns, e);
    }
    throw malformed(value, indexedColumns, includedColumns, null);
  }

  private static Cell readCell(ByteBuffer buffer) {
    short length = buffer.getShort();
    if (length == ABSENT) {
      return null;
    }
    long timestamp = buffer.getLong();
    if (length < 0 || length > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return new Cell(timestamp, bytes);
  }

  private static MalformedPostingException malformed(
      byte[] value, int indexedColumns, int includedColumns, Throwable cause) {
    MalformedPostingException malformed =
        new MalformedPostingException(
            "Cannot read the cells that a posting carries: its %d bytes were not of %d indexed and %d included columns"
                .formatted(value.length, indexedColumns, includedColumns));
    malformed.initCause(cause);
    return malformed;
  }

  static boolean isCarrying(byte[] source, int offset, int length) {
    return length >= HEAD && source[offset] == CARRYING;
  }
}
