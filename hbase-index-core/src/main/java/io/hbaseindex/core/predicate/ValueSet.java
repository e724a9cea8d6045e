/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import io.hbaseindex.core.format.VarLong;
import io.hbaseindex.core.hash.ElementHasher;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A fixed set of values, in which each is found in the same time however many there are: an open
 * hash table, half full at most, over values that lie side by side in one array. It takes eight to
 * sixteen bytes for each value beside its own and the four of its end. Immutable.
 *
 * <pre>
 *   slot   0 if it is empty, else 1 + the place of a value in the order of values
 * </pre>
 */
@InterfaceAudience.Private
public final class ValueSet {
  /**
   * What values may take that are sent, with {@value #BYTES_PER_VALUE} bytes for each beside its
   * own. Values share what they begin with, so that few bytes may stand for more than a server has
   * memory for.
   */
  public static final long MOST_BYTES = 64L << 20;

  private static final int BYTES_PER_VALUE = 16;

  private static final ElementHasher HASHER = ElementHasher.of(0x76616C756573L, 0);

  private final byte[] bytes;
  private final int[] ends;
  private final int[] slots;

  private ValueSet(Collection<byte[]> sorted) {
    this.bytes = new byte[Math.toIntExact(sorted.stream().mapToLong(value -> value.length).sum())];
    this.ends = new int[sorted.size()];
    this.slots = new int[Integer.highestOneBit(Math.max(1, 2 * ends.length - 1)) * 2];
    int place = 0;
    int end = 0;
    for (byte[] value : sorted) {
      System.arraycopy(value, 0, bytes, end, value.length);
      end += value.length;
      ends[place] = end;
      slots[slotFor(value, 0, value.length)] = ++place;
    }
  }

  /** The set of these values; each may come several times. */
  public static ValueSet of(Collection<byte[]> values) {
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    sorted.addAll(values);
    return new ValueSet(sorted);
  }

  /** Whether the set has the value that stands in an array. */
  public boolean contains(byte[] array, int offset, int length) {
    return slots[slotFor(array, offset, length)] != 0;
  }

  /** The slot that holds the value, or the empty one where it belongs. */
  private int slotFor(byte[] array, int offset, int length) {
    int mask = slots.length - 1;
    int slot = (int) HASHER.hash(array, offset, length) & mask;
    while (slots[slot] != 0) {
      int place = slots[slot] - 1;
      if (Arrays.equals(bytes, start(place), ends[place], array, offset, offset + length)) {
        return slot;
      }
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private int start(int place) {
    return place == 0 ? 0 : ends[place - 1];
  }

  /** How many values there are. */
  public int size() {
    return ends.length;
  }

  /** The values, in the order of their bytes. */
  public List<byte[]> values() {
    List<byte[]> values = new ArrayList<>(ends.length);
    for (int place = 0; place < ends.length; place++) {
      values.add(Arrays.copyOfRange(bytes, start(place), ends[place]));
    }
    return values;
  }

  /** Whether the set may be sent; {@link #parse} refuses larger ones. */
  public boolean isSendable() {
    return bytes.length + (long) BYTES_PER_VALUE * ends.length <= MOST_BYTES;
  }

  /** Bytes of memory that it takes, but for a few. */
  public long memory() {
    return bytes.length + Integer.BYTES * ((long) ends.length + slots.length);
  }

  /**
   * The set as bytes: for each value, in order, how many bytes it shares with the one before, how
   * many follow, and these.
   */
  public byte[] encode() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] before = {};
    for (byte[] value : values()) {
      int differs = Arrays.mismatch(before, value);
      int shared = differs < 0 ? value.length : differs;
      VarLong.write(out, shared);
      VarLong.write(out, value.length - shared);
      out.write(value, shared, value.length - shared);
      before = value;
    }
    return out.toByteArray();
  }

  /**
   * Reads what {@link #encode} has written.
   *
   * @throws IllegalArgumentException if it is something else, or takes too much memory
   */
  public static ValueSet parse(byte[] encoded) {
    ByteBuffer in = ByteBuffer.wrap(encoded);
    List<byte[]> values = new ArrayList<>();
    byte[] before = {};
    long taken = 0;
    while (in.hasRemaining()) {
      long shared = VarLong.read(in);
      long following = VarLong.read(in);
      if (shared < 0 || shared > before.length || following < 0 || following > in.remaining()) {
        throw new IllegalArgumentException(
            "Cannot read a list of values: %d bytes of %d were shared, and %d of %d follow"
                .formatted(shared, before.length, following, in.remaining()));
      }
      taken += shared + following + BYTES_PER_VALUE;
      if (taken > MOST_BYTES) {
        throw new IllegalArgumentException(
            "Cannot read a list of values: they took more than %d bytes; ask for fewer at once"
                .formatted(MOST_BYTES));
      }
      byte[] value = Arrays.copyOf(before, (int) (shared + following));
      in.get(value, (int) shared, (int) following);
      values.add(value);
      before = value;
    }
    return of(values);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueSet that
        && Arrays.equals(bytes, that.bytes)
        && Arrays.equals(ends, that.ends);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(bytes) + Arrays.hashCode(ends);
  }

  @Override
  public String toString() {
    return size() + " values";
  }
}
