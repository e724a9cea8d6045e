/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.format.VarLong;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The sum of numbers, exact whatever they are and in whatever order they come: whole numbers never
 * overflow, and floating ones are added as the exact decimals that they are. Not thread-safe.
 */
@InterfaceAudience.Private
public final class ExactSum {
  /** Whole numbers of so many digits can be added to half of what a long takes. */
  private static final int SMALL_DIGITS = 18;

  private BigDecimal total = BigDecimal.ZERO;

  /** What was added since the total was: most numbers are whole, and most sums are small. */
  private long pending;

  private long numbers;
  private long skipped;

  /** Adds what a cell holds; one that holds no number is counted as skipped. */
  public void add(ValueType type, byte[] cell) {
    Optional<BigDecimal> number = TypedCells.number(type, cell);
    if (number.isEmpty()) {
      skipped++;
      return;
    }
    numbers++;
    BigDecimal value = number.get();
    if (value.scale() == 0 && value.precision() <= SMALL_DIGITS) {
      addSmall(value.longValue());
    } else {
      total = total.add(value);
    }
  }

  private void addSmall(long value) {
    pending += value;
    if (Math.abs(pending) > Long.MAX_VALUE / 2) {
      settle();
    }
  }

  private void settle() {
    total = total.add(BigDecimal.valueOf(pending));
    pending = 0;
  }

  private void add(BigDecimal sum, long moreNumbers, long moreSkipped) {
    total = total.add(sum);
    numbers += moreNumbers;
    skipped += moreSkipped;
  }

  /** The sum; zero without numbers. */
  public BigDecimal total() {
    settle();
    return total;
  }

  /** How many numbers were added. */
  public long numbers() {
    return numbers;
  }

  /** How many cells held no number that can be added. */
  public long skipped() {
    return skipped;
  }

  /** Writes it as bytes: both numbers, the scale of the sum, and its digits with their length. */
  void write(ByteArrayOutputStream out) {
    byte[] digits = total().unscaledValue().toByteArray();
    VarLong.write(out, numbers);
    VarLong.write(out, skipped);
    out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(total.scale()).array());
    VarLong.write(out, digits.length);
    out.writeBytes(digits);
  }

  /**
   * Adds what {@link #write} has written.
   *
   * @throws IllegalArgumentException if it is cut off
   */
  void addWritten(ByteBuffer in) {
    long moreNumbers = VarLong.read(in);
    long moreSkipped = VarLong.read(in);
    if (in.remaining() < Integer.BYTES) {
      throw new IllegalArgumentException("Cannot read a sum: its scale was cut off");
    }
    int scale = in.getInt();
    long length = VarLong.read(in);
    if (length < 1 || length > in.remaining()) {
      throw new IllegalArgumentException(
          "Cannot read a sum: %d bytes of digits were announced and %d are left"
              .formatted(length, in.remaining()));
    }
    byte[] digits = new byte[(int) length];
    in.get(digits);
    add(new BigDecimal(new BigInteger(digits), scale), moreNumbers, moreSkipped);
  }
}
