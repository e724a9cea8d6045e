/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/**
 * Bytes as text that a person can type and that reads back exactly: printable ASCII stands for
 * itself; everything else, and the characters that separate parts of a definition, are written
 * {@code \xHH}, as the HBase shell writes them.
 */
final class PrintableBytes {
  private static final String SEPARATORS = "\\,+:=";
  private static final String OPERATORS = "<>^|";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final int ESCAPE_LENGTH = 4;

  private PrintableBytes() {}

  static String print(byte[] bytes) {
    return print(bytes, SEPARATORS);
  }

  private static String print(byte[] bytes, String separators) {
    StringBuilder text = new StringBuilder(bytes.length);
    for (byte b : bytes) {
      if (b > ' ' && b < 0x7F && separators.indexOf(b) < 0) {
        text.append((char) b);
      } else {
        text.append("\\x").append(HEX.toHexDigits(b));
      }
    }
    return text.toString();
  }

  /** As {@link #print(byte[])}, for a part of a condition: operators are written {@code \xHH}. */
  static String printInCondition(byte[] bytes) {
    return print(bytes, SEPARATORS + OPERATORS);
  }

  static byte[] parse(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\\') {
        bytes.write(escaped(text, at));
        at += ESCAPE_LENGTH;
      } else if (c > ' ' && c < 0x7F) {
        bytes.write(c);
        at++;
      } else {
        throw new DefinitionException(
            "\"" + text + "\" holds the character U+" + HEX.toHexDigits(c) + "; write it as \\xHH");
      }
    }
    return bytes.toByteArray();
  }

  private static int escaped(String text, int at) {
    if (at + ESCAPE_LENGTH <= text.length()
        && text.charAt(at + 1) == 'x'
        && HexFormat.isHexDigit(text.charAt(at + 2))
        && HexFormat.isHexDigit(text.charAt(at + 3))) {
      return HexFormat.fromHexDigits(text, at + 2, at + ESCAPE_LENGTH);
    }
    throw new DefinitionException(
        "\"" + text + "\" has a backslash not followed by xHH; write a backslash as \\x5C");
  }
}
