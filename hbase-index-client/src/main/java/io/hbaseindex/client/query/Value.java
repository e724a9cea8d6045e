/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.hbase.types.DataType;
import org.apache.hadoop.hbase.types.RawBytes;
import org.apache.hadoop.hbase.types.RawString;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A value to compare a column with, in the bytes in which the column holds it.
 *
 * <p>Text and numbers are encoded as {@link Bytes} does it, which is how most tables hold them.
 * {@link #of(DataType, Object)} takes any of HBase's own types, such as {@code
 * OrderedInt64.ASCENDING} or {@code OrderedString.ASCENDING}.
 *
 * <p>HBase compares bytes. How far the order of the bytes is the order of the values decides what
 * ranges mean; {@link ByteOrder} says it, and a range that bytes cannot express is refused.
 * Immutable.
 */
@InterfaceAudience.Public
public final class Value {
  private final byte[] bytes;
  private final ByteOrder order;
  private final boolean prefix;

  private Value(byte[] bytes, ByteOrder order) {
    this(bytes, order, order == ByteOrder.NATURAL);
  }

  private Value(byte[] bytes, ByteOrder order, boolean prefix) {
    this.bytes = bytes;
    this.order = order;
    this.prefix = prefix;
  }

  /** How the order of encoded values relates to the order of the values. */
  enum ByteOrder {
    /** They are the same. */
    NATURAL,
    /**
     * Two's complement: the same among numbers of one sign; all negative ones come after all
     * others.
     */
    SIGNED,
    /** They have nothing to do with each other: ranges make no sense. */
    NONE
  }

  /** The bytes as they are. */
  public static Value of(byte[] bytes) {
    return new Value(bytes.clone(), ByteOrder.NATURAL);
  }

  /** Text in UTF-8. */
  public static Value of(String text) {
    return new Value(text.getBytes(StandardCharsets.UTF_8), ByteOrder.NATURAL);
  }

  /** A long as {@link Bytes#toBytes(long)} writes it. */
  public static Value of(long number) {
    return new Value(Bytes.toBytes(number), ByteOrder.SIGNED);
  }

  /** An int as {@link Bytes#toBytes(int)} writes it. */
  public static Value of(int number) {
    return new Value(Bytes.toBytes(number), ByteOrder.SIGNED);
  }

  /** A short as {@link Bytes#toBytes(short)} writes it. */
  public static Value of(short number) {
    return new Value(Bytes.toBytes(number), ByteOrder.SIGNED);
  }

  /** A boolean as {@link Bytes#toBytes(boolean)} writes it. */
  public static Value of(boolean truth) {
    return new Value(Bytes.toBytes(truth), ByteOrder.NONE);
  }

  /** A double as {@link Bytes#toBytes(double)} writes it; good for equality only. */
  public static Value of(double number) {
    return new Value(Bytes.toBytes(number), ByteOrder.NONE);
  }

  /**
   * A value of one of HBase's own types. Ranges need a type that keeps the order, ascending.
   *
   * @throws IllegalArgumentException if the type cannot encode the value
   */
  public static <T> Value of(DataType<T> type, T value) {
    Objects.requireNonNull(value, "value");
    SimplePositionedMutableByteRange buffer =
        new SimplePositionedMutableByteRange(type.encodedLength(value));
    int length = type.encode(buffer, value);
    boolean ascending = type.isOrderPreserving() && type.getOrder() == Order.ASCENDING;
    return new Value(
        Arrays.copyOf(buffer.getBytes(), length),
        ascending ? ByteOrder.NATURAL : ByteOrder.NONE,
        ascending && (type instanceof RawString || type instanceof RawBytes));
  }

  /** The encoded value: a fresh copy. */
  public byte[] bytes() {
    return bytes.clone();
  }

  ByteOrder order() {
    return order;
  }

  /**
   * Whether longer values begin with these bytes. HBase's other types end a value with a terminator
   * or begin it with its length, which longer values do not have in that place.
   */
  boolean isPrefix() {
    return prefix;
  }

  boolean isNegative() {
    return order == ByteOrder.SIGNED && bytes[0] < 0;
  }

  /** The lowest number of the same width. */
  Value lowest() {
    byte[] low = new byte[bytes.length];
    low[0] = (byte) 0x80;
    return new Value(low, order);
  }

  /** The highest number of the same width. */
  Value highest() {
    byte[] high = new byte[bytes.length];
    Arrays.fill(high, (byte) 0xFF);
    high[0] = 0x7F;
    return new Value(high, order);
  }

  Value minusOne() {
    byte[] all = new byte[bytes.length];
    Arrays.fill(all, (byte) 0xFF);
    return new Value(all, order);
  }

  Value zero() {
    return new Value(new byte[bytes.length], order);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Value that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return Bytes.toStringBinary(bytes);
  }
}
