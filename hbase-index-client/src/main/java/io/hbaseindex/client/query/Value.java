/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
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
public final class Value implements Comparable<Value>, Serializable {
  private static final long serialVersionUID = 1;

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
    /** IEEE 754: negative ones come after all others, and backwards. */
    FLOATING,
    /** A scale and a number: HBase compares them as numbers, not by their bytes. */
    DECIMAL,
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

  /** A double as {@link Bytes#toBytes(double)} writes it. */
  public static Value of(double number) {
    return new Value(Bytes.toBytes(number), ByteOrder.FLOATING);
  }

  /**
   * A float as {@link Bytes#toBytes(float)} writes it. {@code of} takes a float for the double of
   * the same number.
   */
  public static Value ofFloat(float number) {
    return new Value(Bytes.toBytes(number), ByteOrder.FLOATING);
  }

  /**
   * A decimal as {@link Bytes#toBytes(BigDecimal)} writes it. It compares as a number: 1.0 is equal
   * to 1.00. Cells that hold no decimal meet no condition on one.
   */
  public static Value of(BigDecimal number) {
    return new Value(Bytes.toBytes(number), ByteOrder.DECIMAL);
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

  /** Whether it is a number whose bytes sort with those of the other sign in between. */
  boolean isSplitBySign() {
    return order == ByteOrder.SIGNED || order == ByteOrder.FLOATING;
  }

  boolean isNegative() {
    return isSplitBySign() && bytes[0] < 0;
  }

  /** Whether higher numbers of its sign have lower bytes. */
  boolean isBackwards() {
    return order == ByteOrder.FLOATING && isNegative();
  }

  /** Whether it is 0.0 or -0.0, which are the same number. */
  boolean isFloatingZero() {
    return order == ByteOrder.FLOATING && floating() == 0;
  }

  boolean isNoNumber() {
    return order == ByteOrder.FLOATING && Double.isNaN(floating());
  }

  private double floating() {
    return bytes.length == Float.BYTES ? Bytes.toFloat(bytes) : Bytes.toDouble(bytes);
  }

  /** The lowest number of the same type. */
  Value lowest() {
    return order == ByteOrder.FLOATING
        ? floating(Double.NEGATIVE_INFINITY)
        : new Value(sign(), order);
  }

  /** The highest number of the same type. */
  Value highest() {
    if (order == ByteOrder.FLOATING) {
      return floating(Double.POSITIVE_INFINITY);
    }
    byte[] high = new byte[bytes.length];
    Arrays.fill(high, (byte) 0xFF);
    high[0] = 0x7F;
    return new Value(high, order);
  }

  /** The highest negative number of the same type: -1, or -0.0. */
  Value highestNegative() {
    if (order == ByteOrder.FLOATING) {
      return new Value(sign(), order);
    }
    byte[] all = new byte[bytes.length];
    Arrays.fill(all, (byte) 0xFF);
    return new Value(all, order);
  }

  Value zero() {
    return new Value(new byte[bytes.length], order);
  }

  private Value floating(double number) {
    return bytes.length == Float.BYTES ? ofFloat((float) number) : of(number);
  }

  private byte[] sign() {
    byte[] low = new byte[bytes.length];
    low[0] = (byte) 0x80;
    return low;
  }

  /** By number, for numbers of one type; by bytes otherwise. */
  @Override
  public int compareTo(Value other) {
    if (order == ByteOrder.DECIMAL && other.order == ByteOrder.DECIMAL) {
      return Bytes.toBigDecimal(bytes).compareTo(Bytes.toBigDecimal(other.bytes));
    }
    if (isNegative() != other.isNegative()) {
      return isNegative() ? -1 : 1;
    }
    int compared = Arrays.compareUnsigned(bytes, other.bytes);
    return isBackwards() ? -compared : compared;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Value that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** A number in digits; other values as their bytes, printable. */
  @Override
  public String toString() {
    return switch (order) {
      case SIGNED -> new BigInteger(bytes).toString();
      case FLOATING ->
          bytes.length == Float.BYTES
              ? Float.toString(Bytes.toFloat(bytes))
              : Double.toString(Bytes.toDouble(bytes));
      case DECIMAL -> Bytes.toBigDecimal(bytes).toString();
      case NATURAL, NONE -> Bytes.toStringBinary(bytes);
    };
  }
}
