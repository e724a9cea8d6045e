/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import io.hbaseindex.cli.input.ConditionTokens.Token;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.TypedValue;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * value     = word | 'text' | type:7 | hex:00FF | text:word
 * </pre>
 *
 * <p>A word or text beside a column that an index knows the type of is a value of this type. Others
 * are as they are, unless they name a type themselves: {@code long:7}.
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

  /** Stands for every value until types are known. */
  private static final Value ANY = Value.of("any");

  /** Types that values may name. Others are those of texts, which are typed as they are. */
  private static final Map<String, ValueType> NAMED =
      Stream.of(ValueType.values())
          .filter(type -> type != ValueType.BYTES && type != ValueType.STRING)
          .collect(Collectors.toMap(ValueType::keyword, type -> type));

  private final List<Token> tokens;

  /** Null if they are not known. */
  private final Function<ColumnRef, ValueType> types;

  private final Set<ColumnRef> columns = new LinkedHashSet<>();
  private RowKeys rows = RowKeys.ALL;
  private int next;
  private int depth;

  private ConditionParser(List<Token> tokens, Function<ColumnRef, ValueType> types) {
    this.tokens = tokens;
    this.types = types;
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
    ConditionParser parser = new ConditionParser(ConditionTokens.of(text), null);
    Order order = parser.order();
    parser.requireEnd("\"asc\", \"desc\" or the end");
    return order;
  }

  /**
   * Passes if a text is a condition, whatever its columns hold.
   *
   * @return all that it says but the condition, whose values cannot be read yet
   * @throws IllegalArgumentException if it is none; the message says where and what to do
   */
  public static Parsed check(String text) {
    return parsed(new ConditionParser(ConditionTokens.of(text), null));
  }

  /**
   * Reads a condition.
   *
   * @param types what columns hold; bytes if that is not known
   * @throws IllegalArgumentException if it is none; the message says where and what to do
   */
  public static Parsed parse(String text, Function<ColumnRef, ValueType> types) {
    return parsed(new ConditionParser(ConditionTokens.of(text), types));
  }

  private static Parsed parsed(ConditionParser parser) {
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
      throw expected("a number of rows, up to %d".formatted(Integer.MAX_VALUE));
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
    Column column = Column.of(ref.family(), ref.qualifier());
    return Optional.of(test(types == null ? column : column.as(types.apply(ref))));
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
      byte[] lowest = key();
      require("and");
      return RowKeys.atLeast(lowest).and(RowKeys.atMost(key()));
    }
    Token operator = take(KEY_OPERATORS);
    return switch (operator.literal() ? "" : operator.text()) {
      case "=" -> RowKeys.only(key());
      case "<" -> RowKeys.below(key());
      case "<=" -> RowKeys.atMost(key());
      case ">" -> RowKeys.above(key());
      case ">=" -> RowKeys.atLeast(key());
      case "^=" -> RowKeys.startingWith(key());
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
      return Optional.of(column.in(list(column)));
    }
    if (accept("between")) {
      Value lowest = value(column);
      require("and");
      return Optional.of(column.between(lowest, value(column)));
    }
    return accept("like")
        ? Optional.of(column.like(take("a pattern such as 'Gr%'").text()))
        : Optional.empty();
  }

  private Condition signTest(Column column) {
    Token operator = take(OPERATORS);
    return switch (operator.literal() ? "" : operator.text()) {
      case "=" -> column.equalTo(value(column));
      case "!=", "<>" -> column.notEqualTo(value(column));
      case "<" -> column.lessThan(value(column));
      case "<=" -> column.atMost(value(column));
      case ">" -> column.greaterThan(value(column));
      case ">=" -> column.atLeast(value(column));
      case "^=" -> column.startsWith(value(column));
      default -> {
        next--;
        throw expected(OPERATORS);
      }
    };
  }

  private List<Value> list(Column column) {
    require("(");
    List<Value> values = new ArrayList<>(List.of(value(column)));
    while (accept(",")) {
      values.add(value(column));
    }
    require(")");
    return values;
  }

  private byte[] key() {
    return value(ValueType.BYTES).bytes();
  }

  private Value value(Column column) {
    Value value = value(column.type());
    return types == null ? ANY : value;
  }

  private Value value(ValueType otherwise) {
    if (next < tokens.size() && tokens.get(next).isSign()) {
      throw expected("a value, in quotes if it is a sign");
    }
    Token token = take("a value");
    int colon = token.literal() ? -1 : token.text().indexOf(':');
    String name = colon < 0 ? "" : token.text().substring(0, colon);
    String text = token.text().substring(colon + 1);
    try {
      return switch (name) {
        case "hex" -> Value.of(HexFormat.of().parseHex(text));
        case "text" -> Value.of(text);
        default ->
            NAMED.containsKey(name)
                ? TypedValue.parse(NAMED.get(name), text)
                : TypedValue.parse(otherwise, token.text());
      };
    } catch (IllegalArgumentException e) {
      String type = name.equals("hex") || NAMED.containsKey(name) ? name : otherwise.keyword();
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
