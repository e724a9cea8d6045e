/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import io.hbaseindex.client.query.TypedValue;
import io.hbaseindex.core.definition.ValueType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How the bytes of a value are shown: as text, as hexadecimal digits, or as what a type reads out
 * of them.
 */
@InterfaceAudience.Private
public final class ValueStyle {
  /** Text in UTF-8; bytes that are none, and characters that cannot be seen, as {@code \\xHH}. */
  public static final ValueStyle TEXT = new ValueStyle(ValueType.BYTES, false);

  private static final ValueStyle HEX = new ValueStyle(ValueType.BYTES, true);

  private final ValueType type;
  private final boolean hex;

  private ValueStyle(ValueType type, boolean hex) {
    this.type = type;
    this.hex = hex;
  }

  /** Values of a type as what they are, bytes as text. */
  public static ValueStyle of(ValueType type) {
    return new ValueStyle(type, false);
  }

  /**
   * The style of this name: {@code text}, {@code hex} or that of a type.
   *
   * @throws IllegalArgumentException if there is none; the message names those there are
   */
  public static ValueStyle named(String name) {
    if (name.equals("text") || name.equals("hex")) {
      return name.equals("hex") ? HEX : TEXT;
    }
    return Arrays.stream(ValueType.values())
        .filter(type -> type.keyword().equals(name))
        .findFirst()
        .map(ValueStyle::of)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\"%s\" is no type; use one of text, hex, %s"
                        .formatted(
                            name,
                            Arrays.stream(ValueType.values())
                                .map(ValueType::keyword)
                                .collect(Collectors.joining(", ")))));
  }

  /** In whose order lists of such values are shown. */
  public ValueType type() {
    return type;
  }

  /** The value as JSON; bytes that are no value of the type are shown as text. */
  public JsonPrimitive show(byte[] value) {
    if (hex) {
      return new JsonPrimitive(HexFormat.of().withUpperCase().formatHex(value));
    }
    Object read = TypedValue.read(type, value).orElse("");
    if (read instanceof Number number) {
      // JSON has no word for what is no finite number.
      boolean finite = !(read instanceof Double || read instanceof Float) || isFinite(number);
      return finite ? new JsonPrimitive(number) : new JsonPrimitive(number.toString());
    }
    if (read instanceof Boolean truth) {
      return new JsonPrimitive(truth);
    }
    boolean unpacked = type == ValueType.ORDERED_STRING && !read.equals("");
    return new JsonPrimitive(text(unpacked ? Bytes.toBytes(read.toString()) : value));
  }

  private static boolean isFinite(Number number) {
    return Double.isFinite(number.doubleValue());
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
