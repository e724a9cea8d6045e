/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import io.hbaseindex.cli.input.ConditionTokens.Token;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ColumnRef;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads conditions as they are typed.
 *
 * <pre>
 * condition = part { "or" part }
 * part      = leaf { "and" leaf }
 * leaf      = "(" condition ")" | column test
 * test      = ("=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=" | "^=") value    ^= : starts with
 *           | "in" "(" value { "," value } ")"
 *           | "between" value "and" value
 * value     = word | 'text' | long:7 | int:7 | short:7 | double:7.5 | hex:00FF | text:word
 * </pre>
 */
@InterfaceAudience.Private
public final class ConditionParser {
  /** How many brackets may be open at once: each takes some stack, here and in every filter. */
  private static final int MAX_DEPTH = 100;

  private final List<Token> tokens;
  private final Set<ColumnRef> columns = new LinkedHashSet<>();
  private int next;
  private int depth;

  private ConditionParser(List<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * A condition and what it looks at.
   *
   * @param columns the columns in it
   */
  public record Parsed(Condition condition, Set<ColumnRef> columns) {}

  /**
   * Reads a condition.
   *
   * @throws IllegalArgumentException if it is none; the message says where and what to do
   */
  public static Parsed parse(String text) {
    ConditionParser parser = new ConditionParser(ConditionTokens.of(text));
    Condition condition = parser.condition();
    if (parser.next < parser.tokens.size()) {
      throw parser.expected("\"and\", \"or\" or the end");
    }
    return new Parsed(condition, parser.columns);
  }

  private Condition condition() {
    List<Condition> parts = new ArrayList<>(List.of(part()));
    while (accept("or")) {
      parts.add(part());
    }
    return Condition.any(parts);
  }

  private Condition part() {
    List<Condition> leaves = new ArrayList<>(List.of(leaf()));
    while (accept("and")) {
      leaves.add(leaf());
    }
    return Condition.all(leaves);
  }

  private Condition leaf() {
    if (accept("(")) {
      if (++depth > MAX_DEPTH) {
        throw new IllegalArgumentException(
            "more than %d brackets are open at character %d; leave out those that change nothing"
                .formatted(MAX_DEPTH, tokens.get(next - 1).at()));
      }
      Condition inner = condition();
      require(")");
      depth--;
      return inner;
    }
    ColumnRef ref = ColumnText.parse(take("a column such as f:city").text());
    columns.add(ref);
    return test(Column.of(ref.family(), ref.qualifier()));
  }

  private Condition test(Column column) {
    Token operator = take("an operator: = < <= > >= ^= in between");
    if (operator.is("in")) {
      return column.in(list());
    }
    if (operator.is("between")) {
      Value lowest = value();
      require("and");
      return column.between(lowest, value());
    }
    return switch (operator.literal() ? "" : operator.text()) {
      case "=" -> column.equalTo(value());
      case "<" -> column.lessThan(value());
      case "<=" -> column.atMost(value());
      case ">" -> column.greaterThan(value());
      case ">=" -> column.atLeast(value());
      case "^=" -> column.startsWith(value());
      default -> {
        next--;
        throw expected("an operator: = < <= > >= ^= in between");
      }
    };
  }

  private List<Value> list() {
    require("(");
    List<Value> values = new ArrayList<>(List.of(value()));
    while (accept(",")) {
      values.add(value());
    }
    require(")");
    return values;
  }

  private Value value() {
    Token token = take("a value");
    if (token.literal()) {
      return Value.of(token.text());
    }
    int colon = token.text().indexOf(':');
    String type = colon < 0 ? "" : token.text().substring(0, colon);
    String text = token.text().substring(colon + 1);
    try {
      return switch (type) {
        case "long" -> Value.of(Long.parseLong(text));
        case "int" -> Value.of(Integer.parseInt(text));
        case "short" -> Value.of(Short.parseShort(text));
        case "double" -> Value.of(Double.parseDouble(text));
        case "hex" -> Value.of(HexFormat.of().parseHex(text));
        case "text" -> Value.of(text);
        default -> Value.of(token.text());
      };
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "value \"%s\" at character %d is no %s".formatted(token.text(), token.at(), type), e);
    }
  }

  private boolean accept(String keyword) {
    boolean there = next < tokens.size() && tokens.get(next).is(keyword);
    next += there ? 1 : 0;
    return there;
  }

  private void require(String keyword) {
    if (!accept(keyword)) {
      throw expected("\"" + keyword + "\"");
    }
  }

  private Token take(String what) {
    if (next == tokens.size()) {
      throw expected(what);
    }
    return tokens.get(next++);
  }

  private IllegalArgumentException expected(String what) {
    String found =
        next < tokens.size()
            ? "found \"%s\" at character %d"
                .formatted(tokens.get(next).text(), tokens.get(next).at())
            : "found the end";
    return new IllegalArgumentException("expected " + what + ", " + found);
  }
}
