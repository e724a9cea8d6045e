/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.apache.yetus.audience.InterfaceAudience;

/** How the bytes of a value are shown. The names are those that conditions give to values. */
@InterfaceAudience.Private
public enum ValueType {
  /** Text in UTF-8; bytes that are none, and characters that cannot be seen, as {@code \\xHH}. */
  TEXT(-1),
  /** As {@link Bytes#toBytes(long)} writes it. */
  LONG(Long.BYTES),
  /** As {@link Bytes#toBytes(int)} writes it. */
  INT(Integer.BYTES),
  /** As {@link Bytes#toBytes(short)} writes it. */
  SHORT(Short.BYTES),
  /** As {@link Bytes#toBytes(double)} writes it. */
  DOUBLE(Double.BYTES),
  /** As {@link Bytes#toBytes(float)} writes it. */
  FLOAT(Float.BYTES),
  /** As {@link Bytes#toBytes(boolean)} writes it. */
  BOOLEAN(1),
  /** All bytes in hexadecimal digits. */
  HEX(-1);

  private static final int ANY_LENGTH = -1;

  private final int length;

  ValueType(int length) {
    this.length = length;
  }

  /**
   * The type of this name.
   *
   * @throws IllegalArgumentException if there is none; the message names those there are
   */
  public static ValueType named(String name) {
    return Arrays.stream(values())
        .filter(type -> type.word().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\"%s\" is no type; use one of %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(ValueType::word)
                                .collect(Collectors.joining(", ")))));
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value as JSON; bytes that are of another length than the type's are shown as text. */
  public JsonPrimitive show(byte[] value) {
    if (length != ANY_LENGTH && value.length != length) {
      return TEXT.show(value);
    }
    return switch (this) {
      case TEXT -> new JsonPrimitive(text(value));
      case LONG -> new JsonPrimitive(Bytes.toLong(value));
      case INT -> new JsonPrimitive(Bytes.toInt(value));
      case SHORT -> new JsonPrimitive(Bytes.toShort(value));
      case DOUBLE -> number(Bytes.toDouble(value));
      case FLOAT -> number(Bytes.toFloat(value));
      case BOOLEAN -> new JsonPrimitive(Bytes.toBoolean(value));
      case HEX -> new JsonPrimitive(HexFormat.of().withUpperCase().formatHex(value));
    };
  }

  /** JSON has no word for what is no finite number. */
  private static JsonPrimitive number(double value) {
    return Double.isFinite(value)
        ? new JsonPrimitive(value)
        : new JsonPrimitive(Double.toString(value));
  }

  private static JsonPrimitive number(float value) {
    return Float.isFinite(value)
        ? new JsonPrimitive(value)
        : new JsonPrimitive(Float.toString(value));
  }

  /** Bytes as text in UTF-8, with everything that cannot be seen as {@code \\xHH}. */
  static String text(byte[] value) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      return Bytes.toStringBinary(value);
    }
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              if (isVisible(point)) {
                shown.appendCodePoint(point);
              } else {
                shown.append(escaped(point));
              }
            });
    return shown.toString();
  }

  /** A backslash stands for itself nowhere, so that it can begin an escape everywhere. */
  private static boolean isVisible(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.UNASSIGNED,
          Character.PRIVATE_USE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> point != '\\';
    };
  }

  private static String escaped(int point) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : Character.toString(point).getBytes(StandardCharsets.UTF_8)) {
      escaped.append("\\x").append(HexFormat.of().withUpperCase().toHexDigits(b));
    }
    return escaped.toString();
  }
}
