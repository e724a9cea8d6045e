/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ConditionParserTest {
  private static final Column CITY = Column.of("f", "city");
  private static final Column AGE = Column.of("f", "age");

  @Test
  void comparisons_words_quotesAndTypes() {
    assertParsed("f:city = Graz", CITY.equalTo("Graz"));
    assertParsed("f:city='St. Pölten'", CITY.equalTo("St. Pölten"));
    assertParsed("f:city = 'it''s'", CITY.equalTo("it's"));
    assertParsed("f:city = 'and'", CITY.equalTo("and"));
    assertParsed("f:city ^= Gr", CITY.startsWith("Gr"));
    assertParsed("f:city = a@b.org", CITY.equalTo("a@b.org"));
    assertParsed("f:city = text:long:7", CITY.equalTo("long:7"));
    assertParsed("f:age >= long:-5", AGE.atLeast(Value.of(-5L)));
    assertParsed("f:age<int:5", AGE.lessThan(Value.of(5)));
    assertParsed("f:age = hex:00FF", AGE.equalTo(Value.of(new byte[] {0, -1})));
    assertParsed("f:age = double:1.5", AGE.equalTo(Value.of(1.5)));
  }

  @Test
  void values_ofAColumnWithAType_areOfThisType() {
    Function<ColumnRef, ValueType> types =
        column -> column.equals(ColumnRef.of("f", "age")) ? ValueType.LONG : ValueType.BYTES;
    assertThat(ConditionParser.parse("f:age between 9 and 10", types).condition())
        .isEqualTo(AGE.between(Value.of(9L), Value.of(10L)));
    assertThat(ConditionParser.parse("f:age in (-1, '7') and f:city = 7", types).condition())
        .isEqualTo(AGE.in(List.of(Value.of(-1L), Value.of(7L))).and(CITY.equalTo("7")));
    assertThat(ConditionParser.parse("f:age = hex:00 or f:age = int:7", types).condition())
        .isEqualTo(AGE.equalTo(Value.of(new byte[1])).or(AGE.equalTo(Value.of(7))));
    assertThatThrownBy(() -> ConditionParser.parse("f:age > much", types))
        .hasMessage("value \"much\" at character 9 is no long");
    // As bytes 9 is above 10; until types are known nobody can tell.
    assertThat(ConditionParser.check("f:age between 9 and 10 limit 3").limit()).hasValue(3);
    assertThat(ConditionParser.check("f:age between 9 and long:10").columns()).hasSize(1);
    refused("f:age between 9 and 10", "the first is higher; swap them");
    assertThatThrownBy(() -> ConditionParser.check("f:age > long:much"))
        .hasMessage("value \"long:much\" at character 9 is no long");
    assertThatThrownBy(() -> ConditionParser.check("f:age >")).hasMessageContaining("a value");
    assertParsed("f:age = decimal:1.50", AGE.equalTo(Value.of(new BigDecimal("1.50"))));
    assertParsed("f:age = boolean:true", AGE.equalTo(Value.of(true)));
  }

  @Test
  void longTexts_areRead() {
    String text = "it's ".repeat(100_000);
    assertParsed("f:city = '" + text.replace("'", "''") + "'", CITY.equalTo(text));
  }

  @Test
  void lists_ranges_andBrackets() {
    assertParsed("f:city in (Graz, 'Bad Ischl')", CITY.in("Graz", "Bad Ischl"));
    assertParsed(
        "f:age between long:1 and long:9 and f:city = Graz",
        AGE.between(Value.of(1L), Value.of(9L)).and(CITY.equalTo("Graz")));
    assertParsed(
        "f:city = a and (f:city = b OR f:age = c)",
        CITY.equalTo("a").and(CITY.equalTo("b").or(AGE.equalTo("c"))));
  }

  @Test
  void and_bindsCloserThanOr() {
    assertParsed(
        "f:city = a or f:city = b and f:age = c",
        CITY.equalTo("a").or(CITY.equalTo("b").and(AGE.equalTo("c"))));
  }

  @Test
  void opposites_patterns_andMissingValues() {
    assertParsed("f:city != Graz", CITY.notEqualTo("Graz"));
    assertParsed("f:city<>Graz", CITY.notEqualTo("Graz"));
    assertParsed("f:city = wow!", CITY.equalTo("wow!"));
    assertParsed("not f:city = Graz", CITY.notEqualTo("Graz"));
    assertParsed(
        "not (f:city = Graz or f:age = b)", CITY.notEqualTo("Graz").and(AGE.notEqualTo("b")));
    assertParsed("f:city not in (a, b)", CITY.notEqualTo("a").and(CITY.notEqualTo("b")));
    assertParsed("f:city like 'Gr%'", CITY.startsWith("Gr"));
    assertParsed("f:city not like '%z'", CITY.like("%z").not());
    assertParsed("f:city is null and f:age is not null", CITY.isAbsent().and(AGE.isPresent()));
  }

  @Test
  void keysOfRows_boundTheQuery() {
    assertKeys("f:city = a and row >= b and row < d", "b", "d");
    assertKeys("row > b and f:city = a and row <= d", "b\\x00", "d\\x00");
    assertKeys("row ^= ab and f:city = a", "ab", "ac");
    assertKeys("f:city = a and row between b and d and row >= c", "c", "d\\x00");
    assertKeys("f:city = a and row = b", "b", "b\\x00");
    refused("row = b", "there are only keys of rows; add a condition on a column");
    for (String misplaced :
        new String[] {
          "f:city = a or row = b",
          "row = b or f:city = a",
          "not row = b and f:city = a",
          "f:city = a and (row = b)"
        }) {
      refused(misplaced, "keys of rows bound the whole query");
    }
  }

  @Test
  void keysOfRows_mayStandBeforeAGroupOrBehindIt() {
    ConditionParser.Parsed before = parse("row = b and (f:city = a or f:city = c)");
    ConditionParser.Parsed behind = parse("(f:city = a or f:city = c) and row = b");
    assertThat(before.condition()).isEqualTo(behind.condition());
    assertThat(before.rows().first()).isEqualTo(behind.rows().first());
    assertThat(before.rows().end()).isEqualTo(behind.rows().end());
  }

  private static void assertKeys(String text, String first, String end) {
    ConditionParser.Parsed parsed = parse(text);
    assertThat(parsed.condition()).isEqualTo(CITY.equalTo("a"));
    assertThat(Bytes.toStringBinary(parsed.rows().first())).isEqualTo(first);
    assertThat(Bytes.toStringBinary(parsed.rows().end())).isEqualTo(end);
  }

  @Test
  void limit_atTheEnd() {
    assertThat(parse("f:city = a limit 7").limit()).hasValue(7);
    assertThat(parse("f:city = a").limit()).isEmpty();
  }

  @Test
  void columns_areCollectedOnce() {
    assertThat(parse("f:city = a or f:city = b and f:age = c").columns())
        .hasToString("[f:city, f:age]");
  }

  @Test
  void badInput_saysWhereAndWhat() {
    refused("", "expected a column such as f:city, found the end");
    refused("city = Graz", "column was \"city\"; write family:qualifier");
    refused("f:city", "expected an operator");
    refused("f:city is Graz", "expected \"null\", found \"Graz\" at character 11");
    refused("f:city near Graz", "found \"near\" at character 8");
    refused("f:city not = Graz", "expected \"in\", \"between\" or \"like\", found \"=\"");
    refused(
        "f:city = Graz limit many", "expected a number of rows, up to 2147483647, found \"many\"");
    refused("f:city = Graz limit 2147483648", "up to 2147483647, found \"2147483648\"");
    refused("f:city =", "expected a value, found the end");
    refused(
        "f:age => 7", "expected a value, in quotes if it is a sign, found \">\" at character 8");
    refused("f:city in (a, )", "expected a value, in quotes if it is a sign, found \")\"");
    refused(
        "f:city = Graz f:age = 1",
        "expected \"and\", \"or\", \"order by\", \"limit\" or the end, found \"f:age\"");
    refused("(f:city = Graz", "expected \")\", found the end");
    refused("f:city in ()", "");
    refused("f:city = 'Graz", "quote texts with");
    refused("f:age = long:many", "value \"long:many\" at character 9 is no long");
    refused("f:age between long:9 and long:1", "swap them");
  }

  @Test
  void order_standsBehindTheCondition() {
    ConditionParser.Parsed rising = parse("f:city = a order by f:age limit 3");
    assertThat(rising.order()).contains(new ConditionParser.Order(ref("age"), false));
    assertThat(rising.limit()).hasValue(3);
    assertThat(rising.columns()).containsExactly(ref("city"), ref("age"));
    assertThat(parse("f:city = a ORDER BY f:age DESC").order())
        .contains(new ConditionParser.Order(ref("age"), true));
    assertThat(parse("f:city = a order by f:age asc").order())
        .contains(new ConditionParser.Order(ref("age"), false));
    assertThat(parse("f:city = order").order()).isEmpty();

    refused("f:city = a order f:age", "expected \"by\", found \"f:age\" at character 18");
    refused("f:city = a order by", "expected a column such as f:age, found the end");
    refused("f:city = a limit 3 order by f:age", "found \"order\"");
    assertThat(ConditionParser.parseOrder("f:age desc"))
        .isEqualTo(new ConditionParser.Order(ref("age"), true));
    assertThatThrownBy(() -> ConditionParser.parseOrder("f:age down"))
        .hasMessage("expected \"asc\", \"desc\" or the end, found \"down\" at character 7");
  }

  private static ColumnRef ref(String qualifier) {
    return ColumnRef.of("f", qualifier);
  }

  @Test
  void brackets_inBrackets_areReadToADepth() {
    assertParsed("(".repeat(100) + "f:city = a" + ")".repeat(100), CITY.equalTo("a"));
    assertThat(parse("(f:city = a) or ".repeat(1_000) + "f:age = b").columns()).hasSize(2);
    refused("(".repeat(100_000) + "f:city = a", "more than 100 brackets are open at character 101");
  }

  /** Looking for a piece anew behind each blank takes time by the square of their number. */
  @Test
  void blanks_areLookedAtAFewTimes() {
    int blanks = 2_000;
    AtomicInteger looks = new AtomicInteger();

    assertThatThrownBy(() -> ConditionTokens.cut(counted(" ".repeat(blanks) + "'", looks)))
        .isInstanceOf(IllegalArgumentException.class);
    ConditionTokens.cut(counted(" a".repeat(blanks), looks));

    assertThat(looks.get()).isLessThan(50 * blanks);
  }

  private static CharSequence counted(String text, AtomicInteger looks) {
    return new CharSequence() {
      @Override
      public int length() {
        return text.length();
      }

      @Override
      public char charAt(int index) {
        looks.incrementAndGet();
        return text.charAt(index);
      }

      @Override
      public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
      }
    };
  }

  private static void assertParsed(String text, Condition expected) {
    assertThat(parse(text).condition()).isEqualTo(expected);
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static ConditionParser.Parsed parse(String text) {
    return ConditionParser.parse(text, column -> ValueType.BYTES);
  }
}
