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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads conditions as they are typed.
 *
 * <pre>
 * query     = condition [ "order" "by" order ] [ "limit" number ]
 * order     = column [ "asc" | "desc" ]
 * condition = part { "or" part }
 * part      = leaf { "and" leaf }
 * leaf      = "not" leaf | "(" condition ")" | column test | "row" key
 * test      = ("=" | "!=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=" | "^=") value    ^= : starts with
 *           | [ "not" ] "in" "(" value { "," value } ")"
 *           | [ "not" ] "between" value "and" value
 *           | [ "not" ] "like" 'pattern'
 *           | "is" [ "not" ] "null"
 * key       = ("=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=" | "^=") value | "between" value "and" value
 * value     = word | 'text' | long:7 | int:7 | short:7 | double:7.5 | hex:00FF | text:word
 * </pre>
 *
 * <p>Keys of rows bound the whole query, so they are joined to it by {@code and} alone.
 */
@InterfaceAudience.Private
public final class ConditionParser {
  /** How many brackets may be open at once: each takes some stack, here and in every filter. */
  private static final int MAX_DEPTH = 100;

  private static final String OPERATORS =
      "an operator: = != < <= > >= ^= in between like is, or not before in, between, like";

  private static final String KEY_OPERATORS = "an operator: = < <= > >= ^= between";

  private final List<Token> tokens;
  private final Set<ColumnRef> columns = new LinkedHashSet<>();
  private RowKeys rows = RowKeys.ALL;
  private int next;
  private int depth;

  private ConditionParser(List<Token> tokens) {
    this.tokens = tokens;
  }

  /**
   * A condition and what it looks at.
   *
   * @param columns the columns in it
   * @param rows the keys it is bound to
   * @param order the order that rows are wanted in, if that was said
   * @param limit how many rows are wanted, if that was said
   */
  public record Parsed(
      Condition condition,
      Set<ColumnRef> columns,
      RowKeys rows,
      Optional<Order> order,
      OptionalInt limit) {}

  /** By which column rows are ordered, and how. */
  public record Order(ColumnRef column, boolean descending) {}

  /**
   * Reads an order.
   *
   * @throws IllegalArgumentException if it is none; the message says where and what to do
   */
  public static Order parseOrder(String text) {
    ConditionParser parser = new ConditionParser(ConditionTokens.of(text));
    Order order = parser.order();
    parser.requireEnd("\"asc\", \"desc\" or the end");
    return order;
  }

  /**
   * Reads a condition.
   *
   * @throws IllegalArgumentException if it is none; the message says where and what to do
   */
  public static Parsed parse(String text) {
    ConditionParser parser = new ConditionParser(ConditionTokens.of(text));
    Condition condition =
        parser
            .condition()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there are only keys of rows; add a condition on a column, such as f:city is not null"));
    Optional<Order> order = Optional.empty();
    if (parser.accept("order")) {
      parser.require("by");
      order = Optional.of(parser.order());
    }
    OptionalInt limit = parser.accept("limit") ? parser.number() : OptionalInt.empty();
    parser.requireEnd("\"and\", \"or\", \"order by\", \"limit\" or the end");
    return new Parsed(condition, parser.columns, parser.rows, order, limit);
  }

  private void requireEnd(String what) {
    if (next < tokens.size()) {
      throw expected(what);
    }
  }

  private Order order() {
    ColumnRef column = ColumnText.parse(take("a column such as f:age").text());
    columns.add(column);
    boolean descending = accept("desc");
    if (!descending) {
      accept("asc");
    }
    return new Order(column, descending);
  }

  private OptionalInt number() {
    Token token = take("a number of rows");
    try {
      return OptionalInt.of(Integer.parseInt(token.text()));
    } catch (NumberFormatException e) {
      next--;
      throw expected("a number of rows");
    }
  }

  /** Empty if there were only keys of rows. */
  private Optional<Condition> condition() {
    List<Condition> parts = new ArrayList<>();
    RowKeys before = rows;
    part().ifPresent(parts::add);
    boolean bound = rows != before;
    while (accept("or")) {
      if (bound) {
        throw misplacedKeys();
      }
      // Keys of rows stand outside of every "or".
      depth++;
      part().ifPresent(parts::add);
      depth--;
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(Condition.any(parts));
  }

  private Optional<Condition> part() {
    List<Condition> leaves = new ArrayList<>();
    leaf().ifPresent(leaves::add);
    while (accept("and")) {
      leaf().ifPresent(leaves::add);
    }
    return leaves.isEmpty() ? Optional.empty() : Optional.of(Condition.all(leaves));
  }

  private Optional<Condition> leaf() {
    if (accept("not")) {
      return inside(this::leaf).map(Condition::not);
    }
    if (accept("(")) {
      Optional<Condition> inner = inside(this::condition);
      require(")");
      return inner;
    }
    if (accept("row")) {
      if (depth > 0) {
        throw misplacedKeys();
      }
      rows = rows.and(keys());
      return Optional.empty();
    }
    ColumnRef ref = ColumnText.parse(take("a column such as f:city").text());
    columns.add(ref);
    return Optional.of(test(Column.of(ref.family(), ref.qualifier())));
  }

  private Optional<Condition> inside(Supplier<Optional<Condition>> inner) {
    if (++depth > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "more than %d brackets are open at character %d; leave out those that change nothing"
              .formatted(MAX_DEPTH, tokens.get(next - 1).at()));
    }
    Optional<Condition> condition = inner.get();
    depth--;
    return condition;
  }

  private static IllegalArgumentException misplacedKeys() {
    return new IllegalArgumentException(
        "keys of rows bound the whole query; join them by \"and\" outside of brackets, \"or\" and \"not\"");
  }

  private RowKeys keys() {
    if (accept("between")) {
      byte[] lowest = value().bytes();
      require("and");
      return RowKeys.atLeast(lowest).and(RowKeys.atMost(value().bytes()));
    }
    Token operator = take(KEY_OPERATORS);
    return switch (operator.literal() ? "" : operator.text()) {
      case "=" -> RowKeys.only(value().bytes());
      case "<" -> RowKeys.below(value().bytes());
      case "<=" -> RowKeys.atMost(value().bytes());
      case ">" -> RowKeys.above(value().bytes());
      case ">=" -> RowKeys.atLeast(value().bytes());
      case "^=" -> RowKeys.startingWith(value().bytes());
      default -> {
        next--;
        throw expected(KEY_OPERATORS);
      }
    };
  }

  private Condition test(Column column) {
    if (accept("not")) {
      return wordTest(column).orElseThrow(() -> expected("\"in\", \"between\" or \"like\"")).not();
    }
    if (accept("is")) {
      boolean present = accept("not");
      require("null");
      return present ? column.isPresent() : column.isAbsent();
    }
    return wordTest(column).orElseGet(() -> signTest(column));
  }

  private Optional<Condition> wordTest(Column column) {
    if (accept("in")) {
      return Optional.of(column.in(list()));
    }
    if (accept("between")) {
      Value lowest = value();
      require("and");
      return Optional.of(column.between(lowest, value()));
    }
    return accept("like")
        ? Optional.of(column.like(take("a pattern such as 'Gr%'").text()))
        : Optional.empty();
  }

  private Condition signTest(Column column) {
    Token operator = take(OPERATORS);
    return switch (operator.literal() ? "" : operator.text()) {
      case "=" -> column.equalTo(value());
      case "!=", "<>" -> column.notEqualTo(value());
      case "<" -> column.lessThan(value());
      case "<=" -> column.atMost(value());
      case ">" -> column.greaterThan(value());
      case ">=" -> column.atLeast(value());
      case "^=" -> column.startsWith(value());
      default -> {
        next--;
        throw expected(OPERATORS);
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
