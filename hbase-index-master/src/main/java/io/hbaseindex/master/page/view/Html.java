/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * HTML, written piece by piece. Every text and every value of an attribute is escaped here and
 * nowhere else; names of elements and attributes come from the code alone. What comes out is
 * well-formed XML, too.
 */
final class Html {
  private final StringBuilder out = new StringBuilder(1 << 14);
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Starts an element.
   *
   * @param attributes names and values, by turns
   */
  Html open(String tag, String... attributes) {
    start(tag, attributes);
    out.append('>');
    open.push(tag);
    return this;
  }

  /** Ends the element that was started last. */
  Html close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** An element without content. */
  Html empty(String tag, String... attributes) {
    start(tag, attributes);
    out.append("/>");
    return this;
  }

  /** An element that holds a text. */
  Html element(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close();
  }

  Html text(String text) {
    escape(text);
    return this;
  }

  /** The whole document; all elements must have ended. */
  String document() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("Cannot finish the page: " + open + " were left open");
    }
    return "<!DOCTYPE html>\n" + out;
  }

  private void start(String tag, String... attributes) {
    out.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(attributes[i + 1]);
      out.append('"');
    }
  }

  private void escape(String text) {
    text.codePoints().forEach(this::escape);
  }

  private void escape(int character) {
    switch (character) {
      case '&' -> out.append("&amp;");
      case '<' -> out.append("&lt;");
      case '>' -> out.append("&gt;");
      case '"' -> out.append("&quot;");
      case '\'' -> out.append("&#39;");
      case '\n' -> out.append('\n');
      default -> {
        if (isShown(character)) {
          out.appendCodePoint(character);
        } else {
          out.append("\\u%04X".formatted(character));
        }
      }
    }
  }

  /** Characters that cannot be seen, or that turn the order of others, are spelled out. */
  private static boolean isShown(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
