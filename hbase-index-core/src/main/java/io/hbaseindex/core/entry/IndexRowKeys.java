/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The index row keys of one region: where the posting (index, values, row) is stored, and what a
 * key says. Every key lies inside the region, and keys of one index sort by value, then by row.
 *
 * <pre>
 *  +--------+-------------+----------+---------------------+--------------+
 *  | anchor | incarnation | index id | value … value       | data row key |
 *  |        |   4 bytes   | 1 or 4   | see ValueCodec      |              |
 *  +--------+-------------+----------+---------------------+--------------+
 * </pre>
 *
 * <p>The {@link RegionAnchor anchor} keeps keys inside the region whatever follows it. It is as
 * short as the region's bounds allow, since every posting repeats it.
 *
 * <p>The incarnation is the upper half of a hash of the region's encoded name. Splits, merges and
 * clones make regions of new names, so what a parent left behind is not mistaken for a posting of
 * the daughter. Should two hashes ever agree, leftovers are stale postings like others: the
 * daughter builds its own in any case, with timestamps above all that it finds.
 *
 * <p>An index id below 128 takes one byte, any other four with the highest bit set; so none is the
 * beginning of another.
 *
 * <p>Immutable and safe for use by many threads.
 */
@InterfaceAudience.Private
public final class IndexRowKeys {
  /** HBase keeps the length of a row key in a signed short. */
  public static final int MAX_ROW_KEY_LENGTH = Short.MAX_VALUE;

  private static final Hasher64 INCARNATION_HASH = Hashing.xxh3_64();

  private static final int INCARNATION_BYTES = Integer.BYTES;
  private static final int SHORT_ID_LIMIT = 0x80;
  private static final int LONG_ID = 0x80000000;

  private final byte[] regionPrefix;

  private IndexRowKeys(byte[] regionPrefix) {
    this.regionPrefix = regionPrefix;
  }

  /**
   * The codec of a region, or empty when its key range has no room for index rows.
   *
   * @param startKey the region's start key, empty for the first region
   * @param endKey the region's end key, empty for the last region
   * @param encodedName the region's encoded name in ASCII
   */
  public static Optional<IndexRowKeys> ofRegion(
      byte[] startKey, byte[] endKey, byte[] encodedName) {
    long incarnation = incarnationOf(encodedName);
    return RegionAnchor.between(startKey, endKey)
        .map(
            anchor -> {
              byte[] prefix = Arrays.copyOf(anchor, anchor.length + INCARNATION_BYTES);
              writeInt((int) (incarnation >>> Integer.SIZE), prefix, anchor.length);
              return new IndexRowKeys(prefix);
            });
  }

  /**
   * A number that tells a region from every other one, those it came from among them.
   *
   * @param encodedName the region's encoded name in ASCII
   */
  public static long incarnationOf(byte[] encodedName) {
    return INCARNATION_HASH.hashBytesToLong(encodedName);
  }

  /** What every key of this region and incarnation begins with. */
  public byte[] regionPrefix() {
    return regionPrefix.clone();
  }

  /** What every key of one index begins with. */
  public byte[] indexPrefix(int indexId) {
    byte[] prefix = Arrays.copyOf(regionPrefix, regionPrefix.length + idLength(indexId));
    writeId(indexId, prefix, regionPrefix.length);
    return prefix;
  }

  /** Where in a key of this region, which begins at {@code offset}, the values begin. */
  int valuesOffset(byte[] source, int offset) {
    int at = offset + regionPrefix.length;
    return at + (source[at] < 0 ? Integer.BYTES : 1);
  }

  /** Every posting of this region and incarnation. */
  public KeyRange all() {
    return KeyRange.startingWith(regionPrefix);
  }

  /** Every posting of one index. */
  public KeyRange ofIndex(int indexId) {
    return KeyRange.startingWith(indexPrefix(indexId));
  }

  /**
   * The key of the posting of a row.
   *
   * @param cells one per column of the index, null where the row lacks the column
   * @throws KeyTooLongException if it exceeds what HBase allows
   */
  public byte[] key(IndexDefinition index, List<byte[]> cells, byte[] row) {
    return key(index.id(), PostingForm.of(index, cells), row);
  }

  /**
   * The key of a posting.
   *
   * @param values one per column of the index in its {@link PostingForm}, null where the row lacks
   *     the column
   * @throws KeyTooLongException if it exceeds what HBase allows
   */
  public byte[] key(int indexId, List<byte[]> values, byte[] row) {
    int length = regionPrefix.length + idLength(indexId) + row.length;
    for (byte[] value : values) {
      length += ValueCodec.encodedLength(value);
    }
    if (length > MAX_ROW_KEY_LENGTH) {
      throw new KeyTooLongException(
          "index row key would be %d bytes long (row key %d, region prefix %d); HBase allows %d"
              .formatted(length, row.length, regionPrefix.length, MAX_ROW_KEY_LENGTH));
    }
    byte[] key = Arrays.copyOf(regionPrefix, length);
    int at = writeId(indexId, key, regionPrefix.length);
    for (byte[] value : values) {
      at = ValueCodec.write(value, key, at);
    }
    System.arraycopy(row, 0, key, at, row.length);
    return key;
  }

  /**
   * The postings whose leading columns have exactly these values, in their {@link PostingForm};
   * null means absent.
   */
  public KeyRange equalTo(int indexId, List<byte[]> leading) {
    return KeyRange.startingWith(leadingPrefix(indexId, leading));
  }

  /**
   * The postings whose leading columns have exactly these values and whose next column has a value
   * between the bounds, all in their {@link PostingForm}. When a bound is longer than 512 bytes,
   * some postings in the range may lie outside the bounds; none inside them is left out. Rows that
   * lack the next column are not in it.
   */
  public KeyRange between(
      int indexId, List<byte[]> leading, Optional<ValueBound> lower, Optional<ValueBound> upper) {
    byte[] prefix = leadingPrefix(indexId, leading);
    byte[] start = lower.map(bound -> start(prefix, bound)).orElse(ending(prefix, ValueCodec.END));
    byte[] stop =
        upper.map(bound -> stop(prefix, bound)).orElseGet(() -> KeyRange.firstAfter(prefix));
    return new KeyRange(start, stop);
  }

  private static byte[] start(byte[] prefix, ValueBound bound) {
    byte[] start = join(prefix, ValueCodec.escapedStart(bound.value()));
    boolean withoutExact = ValueCodec.isLong(bound.value()) || !bound.inclusive();
    return ending(start, withoutExact ? ValueCodec.END_OF_PREFIX : ValueCodec.END);
  }

  private static byte[] stop(byte[] prefix, ValueBound bound) {
    byte[] stop = join(prefix, ValueCodec.escapedStart(bound.value()));
    if (ValueCodec.isLong(bound.value())) {
      return ending(stop, ValueCodec.AFTER_PREFIX);
    }
    return ending(stop, bound.inclusive() ? ValueCodec.END_OF_PREFIX : ValueCodec.END);
  }

  /** Whether keys hold the cell as it is; of a longer one they hold the beginning and a hash. */
  public static boolean holdWhole(ValueType type, byte[] cell) {
    return !ValueCodec.isLong(PostingForm.of(type, cell));
  }

  /** Whether a value that was read out of a key may be only the beginning of a longer one. */
  public static boolean mayBeCut(byte[] read) {
    return read.length >= ValueCodec.MAX_EXACT_LENGTH;
  }

  /** Whether the key belongs to this region and incarnation; others are leftovers. */
  public boolean isOwn(byte[] source, int offset, int length) {
    int idAt = regionPrefix.length;
    return length > idAt
        && Arrays.equals(source, offset, offset + idAt, regionPrefix, 0, idAt)
        && length >= valuesOffset(source, offset) - offset;
  }

  /** The index id that a key of this region names. */
  public int indexIdOf(byte[] source, int offset, int length) {
    requireOwn(source, offset, length);
    int at = offset + regionPrefix.length;
    if (source[at] >= 0) {
      return source[at];
    }
    int id = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      id = id << 8 | source[at + i] & 0xFF;
    }
    return id & ~LONG_ID;
  }

  /**
   * Where in {@code source} the data row key begins; it ends where the index row key ends.
   *
   * @param columns how many columns the index has
   * @throws MalformedPostingException if this is no key of this region
   */
  public int dataRowOffset(byte[] source, int offset, int length, int columns) {
    requireOwn(source, offset, length);
    int at = valuesOffset(source, offset);
    for (int column = 0; column < columns; column++) {
      at = ValueCodec.skip(source, at, offset + length);
    }
    return at;
  }

  /** Where in a key the value of each column ends. */
  int[] valueEnds(byte[] key, int columns) {
    requireOwn(key, 0, key.length);
    int[] ends = new int[columns];
    int at = valuesOffset(key, 0);
    for (int column = 0; column < columns; column++) {
      at = ValueCodec.skip(key, at, key.length);
      ends[column] = at;
    }
    return ends;
  }

  /** The cells that a key of an index speaks of, null where the row lacks the column. */
  public List<byte[]> cells(byte[] key, IndexDefinition index) {
    requireOwn(key, 0, key.length);
    int columns = index.columns().size();
    List<byte[]> cells = new ArrayList<>(columns);
    int at = valuesOffset(key, 0);
    for (int column = 0; column < columns; column++) {
      int next = ValueCodec.skip(key, at, key.length);
      byte[] form = ValueCodec.read(key, at, next);
      cells.add(index.hasTypes() ? PostingForm.cellOf(index.types().get(column), form) : form);
      at = next;
    }
    return cells;
  }

  /** The part of a key that stands for the first column: {@link #encoded} of its value. */
  public byte[] firstColumn(byte[] key) {
    requireOwn(key, 0, key.length);
    int at = valuesOffset(key, 0);
    if (ValueCodec.isAbsent(key, at)) {
      throw new MalformedPostingException("Cannot read a posting: it lacks its first column");
    }
    return Arrays.copyOfRange(key, at, ValueCodec.skip(key, at, key.length));
  }

  /**
   * A value as keys have it. These strings are in the order of the values, up to the first 512
   * bytes, and none is the beginning of another.
   *
   * @param form the value in its {@link PostingForm}
   */
  public static byte[] encoded(byte[] form) {
    byte[] encoded = new byte[ValueCodec.encodedLength(form)];
    ValueCodec.write(form, encoded, 0);
    return encoded;
  }

  /** What a key says, values in their {@link PostingForm}. */
  public Posting parse(byte[] key, int columns) {
    int id = indexIdOf(key, 0, key.length);
    List<byte[]> values = new ArrayList<>(columns);
    int at = valuesOffset(key, 0);
    for (int column = 0; column < columns; column++) {
      int next = ValueCodec.skip(key, at, key.length);
      values.add(ValueCodec.read(key, at, next));
      at = next;
    }
    return new Posting(id, values, Arrays.copyOfRange(key, at, key.length));
  }

  private void requireOwn(byte[] source, int offset, int length) {
    if (!isOwn(source, offset, length)) {
      throw new MalformedPostingException(
          "Cannot read a posting: its key does not begin with this region's prefix");
    }
  }

  private byte[] leadingPrefix(int indexId, List<byte[]> leading) {
    int length = regionPrefix.length + idLength(indexId);
    for (byte[] value : leading) {
      length += ValueCodec.encodedLength(value);
    }
    byte[] prefix = Arrays.copyOf(regionPrefix, length);
    int at = writeId(indexId, prefix, regionPrefix.length);
    for (byte[] value : leading) {
      at = ValueCodec.write(value, prefix, at);
    }
    return prefix;
  }

  private static byte[] ending(byte[] prefix, byte ending) {
    return join(prefix, new byte[] {0, ending});
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  private static int idLength(int indexId) {
    return indexId < SHORT_ID_LIMIT ? 1 : Integer.BYTES;
  }

  private static int writeId(int indexId, byte[] target, int at) {
    if (indexId < SHORT_ID_LIMIT) {
      target[at] = (byte) indexId;
      return at + 1;
    }
    return writeInt(indexId | LONG_ID, target, at);
  }

  private static int writeInt(int number, byte[] target, int at) {
    for (int i = 0; i < Integer.BYTES; i++) {
      target[at + i] = (byte) (number >>> (24 - 8 * i));
    }
    return at + Integer.BYTES;
  }
}
