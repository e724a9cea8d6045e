/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The form of decimals in postings: the number, so that it sorts, then the scale it was written
 * with, so that the cell can be had back.
 *
 * <pre>
 *  +----+------+----------+--------+-----+-------+
 *  | 01 | sign | exponent | digits | end | scale |     a number is 0.d1d2d3… · 10^exponent, d1 not 0
 *  |    |  1   |    5     |  n     |  1  |   4   |
 *  +----+------+----------+--------+-----+-------+
 *
 *  sign      00 negative, 01 zero, 02 positive; of zero only the scale follows
 *  exponent  plus 2^39
 *  digits    two in each byte, plus 1; without zeros at the end, but for one to make them even
 *  end       00
 *  scale     as the cell has it, its first bit inverted
 * </pre>
 *
 * <p>Of negative numbers all bits of exponent, digits and end are inverted. Up to and with the end,
 * the bytes are those of the number, whatever its scale, and none begins another.
 */
@InterfaceAudience.Private
public final class DecimalForm {
  /** Longer ones take too long to bring into this form, and are left to their bytes. */
  static final int MAX_UNSCALED_BYTES = 128;

  private static final byte NEGATIVE = 0;
  private static final byte ZERO = 1;
  private static final byte POSITIVE = 2;
  private static final int EXPONENT_BYTES = 5;
  private static final long EXPONENT_OFFSET = 1L << 39;
  private static final int SIGN_FLIP = 0x80000000;
  private static final int DIGITS_AT = 2 + EXPONENT_BYTES;

  private DecimalForm() {}

  /** What the form of every decimal of this number begins with; empty if it is too long. */
  public static Optional<byte[]> numberOf(BigDecimal decimal) {
    BigInteger unscaled = decimal.unscaledValue();
    if (unscaled.toByteArray().length > MAX_UNSCALED_BYTES) {
      return Optional.empty();
    }
    if (unscaled.signum() == 0) {
      return Optional.of(new byte[] {PostingForm.VALUE, ZERO});
    }
    String digits = unscaled.abs().toString();
    long exponent = (long) digits.length() - decimal.scale();
    digits = digits.replaceFirst("0+$", "");
    ByteBuffer number = ByteBuffer.allocate(DIGITS_AT + (digits.length() + 1) / 2 + 1);
    number.put(PostingForm.VALUE).put(unscaled.signum() < 0 ? NEGATIVE : POSITIVE);
    long offset = exponent + EXPONENT_OFFSET;
    number.put((byte) (offset >>> Integer.SIZE)).putInt((int) offset);
    for (int i = 0; i < digits.length(); i += 2) {
      int low = i + 1 < digits.length() ? digits.charAt(i + 1) - '0' : 0;
      number.put((byte) (1 + 10 * (digits.charAt(i) - '0') + low));
    }
    number.put((byte) 0);
    return Optional.of(unscaled.signum() < 0 ? inverted(number.array()) : number.array());
  }

  /** The form of a cell; empty if it does not hold a decimal as HBase writes it, or a long one. */
  static Optional<byte[]> of(byte[] cell) {
    int length = cell.length - Integer.BYTES;
    boolean shortest =
        length == 1 || length > 1 && cell[4] != (cell[5] < 0 ? (byte) 0xFF : (byte) 0);
    if (!shortest || length > MAX_UNSCALED_BYTES) {
      return Optional.empty();
    }
    int scale = ByteBuffer.wrap(cell).getInt();
    BigInteger unscaled = new BigInteger(cell, Integer.BYTES, length);
    return numberOf(new BigDecimal(unscaled, scale))
        .map(
            number ->
                ByteBuffer.allocate(number.length + Integer.BYTES)
                    .put(number)
                    .putInt(scale ^ SIGN_FLIP)
                    .array());
  }

  /** Of a form, or the beginning of one, what it says of the number. */
  static byte[] numberIn(byte[] form) {
    return Arrays.copyOf(form, endOfNumber(form));
  }

  private static int endOfNumber(byte[] form) {
    if (form.length >= 2 && form[1] == ZERO) {
      return 2;
    }
    byte end = (byte) (form.length >= 2 && form[1] == NEGATIVE ? 0xFF : 0);
    for (int at = DIGITS_AT; at < form.length; at++) {
      if (form[at] == end) {
        return at + 1;
      }
    }
    throw malformed(form);
  }

  /** The cell that has a form. */
  static byte[] cellOf(byte[] form) {
    int end = endOfNumber(form);
    if (form.length != end + Integer.BYTES) {
      throw malformed(form);
    }
    int scale = ByteBuffer.wrap(form, end, Integer.BYTES).getInt() ^ SIGN_FLIP;
    byte[] unscaled = unscaled(Arrays.copyOf(form, end), scale).toByteArray();
    return ByteBuffer.allocate(Integer.BYTES + unscaled.length).putInt(scale).put(unscaled).array();
  }

  private static BigInteger unscaled(byte[] number, int scale) {
    if (number[1] == ZERO) {
      return BigInteger.ZERO;
    }
    boolean negative = number[1] == NEGATIVE;
    byte[] plain = negative ? inverted(number) : number;
    long offset =
        (plain[2] & 0xFFL) << Integer.SIZE | ByteBuffer.wrap(plain).getInt(3) & 0xFFFFFFFFL;
    StringBuilder digits = new StringBuilder();
    for (int at = DIGITS_AT; at < plain.length - 1; at++) {
      int pair = (plain[at] & 0xFF) - 1;
      if (pair < 0 || pair > 99) {
        throw malformed(number);
      }
      digits.append((char) ('0' + pair / 10)).append((char) ('0' + pair % 10));
    }
    // The number is digits · 10^(exponent - n), and the unscaled value that times 10^scale.
    long power = offset - EXPONENT_OFFSET - digits.length() + scale;
    boolean possible = power >= -1 && power <= 3L * MAX_UNSCALED_BYTES && !digits.isEmpty();
    if (!possible || power < 0 && digits.charAt(digits.length() - 1) != '0') {
      throw malformed(number);
    }
    BigInteger value = new BigInteger(digits.toString());
    BigInteger scaled =
        power < 0 ? value.divide(BigInteger.TEN) : value.multiply(BigInteger.TEN.pow((int) power));
    return negative ? scaled.negate() : scaled;
  }

  /** All bits behind mark and sign inverted. */
  private static byte[] inverted(byte[] number) {
    byte[] other = number.clone();
    for (int i = 2; i < other.length; i++) {
      other[i] ^= (byte) 0xFF;
    }
    return other;
  }

  private static MalformedPostingException malformed(byte[] form) {
    return new MalformedPostingException(
        "Cannot read a posting: a decimal had %d bytes that are the form of no number"
            .formatted(form.length));
  }
}
