/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import io.hbaseindex.core.definition.ColumnRef;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads a condition that was typed into the page, as far as filters can judge one: a part of what
 * the command line reads, with the same meaning.
 *
 * <pre>
 * condition = part { "or" part }
 * part      = test { "and" test }
 * test      = column "=" value | column "in" "(" value { "," value } ")"
 * value     = word | 'text' | long:7 | int:7 | short:7 | double:7.5 | hex:00FF | text:word
 * </pre>
 */
final class TypedCondition {
  private static final int MOST_CHARACTERS = 2000;
  private static final String SIGNS = "=(),";

  private final String text;
  private int at;

  private TypedCondition(String text) {
    this.text = text;
  }

  /**
   * The filter of a scan with the condition.
   *
   * @throws IllegalArgumentException if it cannot be read; the message says where and why
   */
  static Filter parse(String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "it was %d characters long; the page reads up to %d"
              .formatted(text.length(), MOST_CHARACTERS));
    }
    TypedCondition condition = new TypedCondition(text);
    List<Filter> parts = new ArrayList<>(List.of(condition.part()));
    while (condition.accept("or")) {
      parts.add(condition.part());
    }
    if (!condition.peek().isEmpty()) {
      throw condition.expected("\"and\", \"or\" or the end");
    }
    return joined(FilterList.Operator.MUST_PASS_ONE, parts);
  }

  private Filter part() {
    List<Filter> tests = new ArrayList<>(List.of(test()));
    while (accept("and")) {
      tests.add(test());
    }
    return joined(FilterList.Operator.MUST_PASS_ALL, tests);
  }

  private Filter test() {
    ColumnRef column = column();
    if (accept("=")) {
      return equal(column, value());
    }
    if (!accept("in")) {
      throw expected("\"=\" or \"in\"");
    }
    require("(");
    List<Filter> values = new ArrayList<>(List.of(equal(column, value())));
    while (accept(",")) {
      values.add(equal(column, value()));
    }
    require(")");
    return joined(FilterList.Operator.MUST_PASS_ONE, values);
  }

  private static Filter equal(ColumnRef column, byte[] value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            column.family(), column.qualifier(), CompareOperator.EQUAL, value);
    filter.setFilterIfMissing(true);
    return filter;
  }

  private static Filter joined(FilterList.Operator operator, List<Filter> parts) {
    return parts.size() == 1 ? parts.get(0) : new FilterList(operator, parts);
  }

  private ColumnRef column() {
    String word = peek();
    if (word.indexOf(':') < 1) {
      throw expected("a column such as f:email");
    }
    take(word);
    return ColumnRef.parse(word);
  }

  private byte[] value() {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == '\'') {
      return quoted().getBytes(StandardCharsets.UTF_8);
    }
    String word = peek();
    if (word.isEmpty() || SIGNS.contains(word)) {
      throw expected("a value");
    }
    byte[] value = typed(word);
    take(word);
    return value;
  }

  private byte[] typed(String word) {
    int colon = word.indexOf(':');
    String type = colon < 0 ? "" : word.substring(0, colon);
    String rest = word.substring(colon + 1);
    try {
      return switch (type) {
        case "long" -> Bytes.toBytes(Long.parseLong(rest));
        case "int" -> Bytes.toBytes(Integer.parseInt(rest));
        case "short" -> Bytes.toBytes(Short.parseShort(rest));
        case "double" -> Bytes.toBytes(Double.parseDouble(rest));
        case "hex" -> HexFormat.of().parseHex(rest);
        case "text" -> Bytes.toBytes(rest);
        default -> Bytes.toBytes(word);
      };
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "value \"%s\" at character %d is no %s".formatted(word, at + 1, type), e);
    }
  }

  /** A text in quotes; two of them stand for one. */
  private String quoted() {
    StringBuilder quoted = new StringBuilder();
    for (int i = at + 1; i < text.length(); i++) {
      if (text.charAt(i) != '\'') {
        quoted.append(text.charAt(i));
      } else if (i + 1 < text.length() && text.charAt(i + 1) == '\'') {
        quoted.append('\'');
        i++;
      } else {
        at = i + 1;
        return quoted.toString();
      }
    }
    throw new IllegalArgumentException("the quote at character %d has no end".formatted(at + 1));
  }

  private boolean accept(String keyword) {
    boolean there = peek().equalsIgnoreCase(keyword);
    if (there) {
      take(keyword);
    }
    return there;
  }

  private void require(String keyword) {
    if (!accept(keyword)) {
      throw expected("\"" + keyword + "\"");
    }
  }

  /** The next word or sign; empty at the end. */
  private String peek() {
    skipBlanks();
    int end = at;
    while (end < text.length() && isWord(text.charAt(end))) {
      end++;
    }
    return text.substring(at, end == at ? Math.min(at + 1, text.length()) : end);
  }

  private static boolean isWord(char c) {
    return !Character.isWhitespace(c) && c != '\'' && SIGNS.indexOf(c) < 0;
  }

  private void take(String word) {
    at += word.length();
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private IllegalArgumentException expected(String what) {
    String word = peek();
    return new IllegalArgumentException(
        "expected %s, found %s"
            .formatted(
                what,
                word.isEmpty() ? "the end" : "\"%s\" at character %d".formatted(word, at + 1)));
  }
}
