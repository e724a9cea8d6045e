/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A set of byte strings that are neighbours in unsigned lexicographic order: {@code lower <= v <
 * upper}. Immutable.
 *
 * <p>One form serves every comparison, because the successor of {@code v} in this order is {@code
 * v} followed by a zero byte: {@code = v} is {@code [v, v00)}, {@code > v} is {@code [v00, ∞)},
 * {@code <= v} is {@code [∅, v00)}, and the strings that begin with {@code p} are {@code [p, p')}
 * where {@code p'} is {@code p} without its trailing {@code FF} bytes, the last byte one higher.
 */
@InterfaceAudience.Private
public final class ValueRange {
  private static final byte[] EMPTY_STRING = {};

  private final byte[] lower;
  private final Optional<byte[]> upper;

  private ValueRange(byte[] lower, Optional<byte[]> upper) {
    this.lower = lower;
    this.upper = upper;
  }

  /** The strings from one on, up to another one, which is not among them; empty for no end. */
  public static ValueRange from(byte[] lower, Optional<byte[]> upper) {
    return new ValueRange(lower.clone(), upper.map(byte[]::clone));
  }

  /** All strings. */
  public static ValueRange everything() {
    return new ValueRange(EMPTY_STRING, Optional.empty());
  }

  /** No string. */
  public static ValueRange nothing() {
    return new ValueRange(EMPTY_STRING, Optional.of(EMPTY_STRING));
  }

  public static ValueRange equalTo(byte[] value) {
    return new ValueRange(value.clone(), Optional.of(successor(value)));
  }

  public static ValueRange startingWith(byte[] prefix) {
    return new ValueRange(prefix.clone(), afterPrefix(prefix));
  }

  public static ValueRange lessThan(byte[] value) {
    return new ValueRange(EMPTY_STRING, Optional.of(value.clone()));
  }

  public static ValueRange atMost(byte[] value) {
    return new ValueRange(EMPTY_STRING, Optional.of(successor(value)));
  }

  public static ValueRange greaterThan(byte[] value) {
    return new ValueRange(successor(value), Optional.empty());
  }

  public static ValueRange atLeast(byte[] value) {
    return new ValueRange(value.clone(), Optional.empty());
  }

  /** Everything below the strings that begin with {@code prefix}, and those themselves. */
  public static ValueRange atMostStartingWith(byte[] prefix) {
    return new ValueRange(EMPTY_STRING, afterPrefix(prefix));
  }

  /** Everything above the strings that begin with {@code prefix}. */
  public static ValueRange aboveStartingWith(byte[] prefix) {
    // Nothing lies above the strings that begin with FF FF …: the range is empty.
    return afterPrefix(prefix)
        .map(bound -> new ValueRange(bound, Optional.empty()))
        .orElseGet(ValueRange::nothing);
  }

  /** The smallest string of the range, if the range has any: a fresh copy. */
  public byte[] lower() {
    return lower.clone();
  }

  /** The smallest string above the range, absent if there is none: a fresh copy. */
  public Optional<byte[]> upper() {
    return upper.map(byte[]::clone);
  }

  /** Whether the range holds exactly one string, its {@link #lower}. */
  public boolean isSingleValue() {
    return upper.isPresent()
        && upper.get().length == lower.length + 1
        && upper.get()[lower.length] == 0
        && Arrays.equals(upper.get(), 0, lower.length, lower, 0, lower.length);
  }

  public boolean isEmpty() {
    return upper.isPresent() && Arrays.compareUnsigned(lower, upper.get()) >= 0;
  }

  public boolean contains(byte[] value) {
    return Arrays.compareUnsigned(lower, value) <= 0
        && (upper.isEmpty() || Arrays.compareUnsigned(value, upper.get()) < 0);
  }

  /** The strings that are in both ranges. */
  public ValueRange intersect(ValueRange other) {
    byte[] highestLower = Arrays.compareUnsigned(lower, other.lower) >= 0 ? lower : other.lower;
    if (upper.isEmpty() || other.upper.isEmpty()) {
      return new ValueRange(highestLower, upper.isPresent() ? upper : other.upper);
    }
    boolean thisEndsFirst = Arrays.compareUnsigned(upper.get(), other.upper.get()) <= 0;
    return new ValueRange(highestLower, thisEndsFirst ? upper : other.upper);
  }

  /** Whether some string is in both ranges. */
  public boolean meets(ValueRange other) {
    return !intersect(other).isEmpty();
  }

  /**
   * A range that has all strings of this one, and perhaps more, whose ends are short. Ends that are
   * short enough stay as they are.
   *
   * @param length bytes of the longest string that is told apart from its neighbours
   */
  public ValueRange roundedOut(int length) {
    boolean longUpper = upper.isPresent() && upper.get().length > length + 1;
    if (isEmpty() || lower.length <= length && !longUpper) {
      return this;
    }
    return new ValueRange(
        lower.length <= length ? lower : Arrays.copyOf(lower, length),
        longUpper ? afterPrefix(Arrays.copyOf(upper.get(), length)) : upper);
  }

  private static byte[] successor(byte[] value) {
    return Arrays.copyOf(value, value.length + 1);
  }

  private static Optional<byte[]> afterPrefix(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return Optional.empty();
    }
    byte[] bound = Arrays.copyOf(prefix, length);
    bound[length - 1]++;
    return Optional.of(bound);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueRange that
        && Arrays.equals(lower, that.lower)
        && upper.isPresent() == that.upper.isPresent()
        && (upper.isEmpty() || Arrays.equals(upper.get(), that.upper.get()));
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(lower) + upper.map(Arrays::hashCode).orElse(0);
  }

  /** The bounds in hexadecimal, as in {@code [6162, 616200)}. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(lower) + ", " + upper.map(hex::formatHex).orElse("∞") + ")";
  }
}
