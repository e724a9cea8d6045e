/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the values of a column are, and how HBase's own classes write them.
 *
 * <p>An index whose column has a type keeps its postings in the order of the values rather than of
 * their bytes. The cells themselves are left as they are; one that is no value of the type is
 * indexed by its bytes, behind all others.
 */
@InterfaceAudience.Public
public enum ValueType {
  /** Bytes as they are: what a column is whose index declares nothing. */
  BYTES(Encoding.AS_IT_IS, 0),
  /** Text in UTF-8. */
  STRING(Encoding.AS_IT_IS, 0),
  /** As {@code Bytes.toBytes(boolean)} writes it. */
  BOOLEAN(Encoding.AS_IT_IS, 1),
  /** As {@code Bytes.toBytes(long)} writes it. */
  LONG(Encoding.SIGNED, Long.BYTES),
  /** As {@code Bytes.toBytes(int)} writes it. */
  INT(Encoding.SIGNED, Integer.BYTES),
  /** As {@code Bytes.toBytes(short)} writes it. */
  SHORT(Encoding.SIGNED, Short.BYTES),
  /** As {@code Bytes.toBytes(double)} writes it. */
  DOUBLE(Encoding.FLOATING, Double.BYTES),
  /** As {@code Bytes.toBytes(float)} writes it. */
  FLOAT(Encoding.FLOATING, Float.BYTES),
  /** As {@code Bytes.toBytes(BigDecimal)} writes it. */
  DECIMAL(Encoding.DECIMAL, 0),
  /** As {@code OrderedInt64.ASCENDING} writes it. */
  ORDERED_LONG(Encoding.AS_IT_IS, 1 + Long.BYTES),
  /** As {@code OrderedInt32.ASCENDING} writes it. */
  ORDERED_INT(Encoding.AS_IT_IS, 1 + Integer.BYTES),
  /** As {@code OrderedInt16.ASCENDING} writes it. */
  ORDERED_SHORT(Encoding.AS_IT_IS, 1 + Short.BYTES),
  /** As {@code OrderedFloat64.ASCENDING} writes it. */
  ORDERED_DOUBLE(Encoding.AS_IT_IS, 1 + Double.BYTES),
  /** As {@code OrderedFloat32.ASCENDING} writes it. */
  ORDERED_FLOAT(Encoding.AS_IT_IS, 1 + Float.BYTES),
  /** As {@code OrderedNumeric.ASCENDING} writes it. */
  ORDERED_DECIMAL(Encoding.AS_IT_IS, 0),
  /** As {@code OrderedString.ASCENDING} writes it. */
  ORDERED_STRING(Encoding.AS_IT_IS, 0);

  /** How the bytes of a value sort. */
  @InterfaceAudience.Private
  public enum Encoding {
    /** As the values do. */
    AS_IT_IS,
    /** Two's complement: negative numbers behind the others. */
    SIGNED,
    /** IEEE 754: negative numbers behind the others, and backwards. */
    FLOATING,
    /** A scale and a number of any length: in no order that has to do with the values. */
    DECIMAL
  }

  private final Encoding encoding;
  private final int width;

  ValueType(Encoding encoding, int width) {
    this.encoding = encoding;
    this.width = width;
  }

  /** The name by which definitions and the command line know the type. */
  public String keyword() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The type of this name.
   *
   * @throws DefinitionException if there is none; the message names those there are
   */
  public static ValueType parse(String keyword) {
    return Arrays.stream(values())
        .filter(type -> type.keyword().equals(keyword))
        .findFirst()
        .orElseThrow(
            () ->
                new DefinitionException(
                    "type was \"%s\"; known types are %s"
                        .formatted(
                            keyword,
                            Arrays.stream(values())
                                .map(ValueType::keyword)
                                .collect(Collectors.joining(", ")))));
  }

  /** How the bytes of values sort. */
  @InterfaceAudience.Private
  public Encoding encoding() {
    return encoding;
  }

  /** How many bytes every value has; 0 if that differs. */
  @InterfaceAudience.Private
  public int width() {
    return width;
  }
}
