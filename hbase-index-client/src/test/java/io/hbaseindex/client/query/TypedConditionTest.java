/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conditions on numbers, judged by the filters of HBase that they become. */
class TypedConditionTest {
  private static final Column N = Column.of("f", "n");
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .build();

  private static final List<Double> DOUBLES =
      List.of(
          Double.NEGATIVE_INFINITY,
          -2.5,
          -1.0,
          -Double.MIN_VALUE,
          -0.0,
          0.0,
          1.0,
          2.5,
          1e300,
          Double.POSITIVE_INFINITY);

  private static final List<BigDecimal> DECIMALS =
      Stream.of("-100", "-1.50", "-1.5", "0", "0.00", "0.01", "1", "1.00", "12.3", "1E+3")
          .map(BigDecimal::new)
          .toList();

  @Test
  void doubles_compareAsNumbers_andTheTwoZerosAreOne() throws IOException {
    // Adding zero makes -0.0 to 0.0, which Double.compare would tell apart.
    compare(DOUBLES, Value::of, (a, b) -> Double.compare(a + 0.0, b + 0.0));
    compare(
        DOUBLES.stream().map(Double::floatValue).distinct().toList(),
        Value::ofFloat,
        (a, b) -> Float.compare(a + 0f, b + 0f));
  }

  @Test
  void decimals_compareAsNumbers_whateverTheirScale() throws IOException {
    compare(DECIMALS, Value::of, BigDecimal::compareTo);
  }

  private static <T> void compare(
      List<T> numbers, Function<T, Value> values, BiFunction<T, T, Integer> order)
      throws IOException {
    for (T bound : numbers) {
      Value value = values.apply(bound);
      meet(numbers, values, N.equalTo(value), n -> order.apply(numbers.get(n), bound) == 0);
      meet(numbers, values, N.notEqualTo(value), n -> order.apply(numbers.get(n), bound) != 0);
      meet(numbers, values, N.atLeast(value), n -> order.apply(numbers.get(n), bound) >= 0);
      meet(numbers, values, N.greaterThan(value), n -> order.apply(numbers.get(n), bound) > 0);
      meet(numbers, values, N.atMost(value), n -> order.apply(numbers.get(n), bound) <= 0);
      meet(numbers, values, N.lessThan(value), n -> order.apply(numbers.get(n), bound) < 0);
      meet(numbers, values, N.lessThan(value).not(), n -> order.apply(numbers.get(n), bound) >= 0);
      for (T other : numbers) {
        if (order.apply(bound, other) <= 0) {
          meet(
              numbers,
              values,
              N.between(value, values.apply(other)),
              n ->
                  order.apply(numbers.get(n), bound) >= 0
                      && order.apply(numbers.get(n), other) <= 0);
        }
      }
    }
  }

  private static <T> void meet(
      List<T> numbers, Function<T, Value> values, Condition condition, IntPredicate meant)
      throws IOException {
    for (int i = 0; i < numbers.size(); i++) {
      byte[] cell = values.apply(numbers.get(i)).bytes();
      assertThat(passes(condition, cell))
          .as("%s of %s", condition, numbers.get(i))
          .isEqualTo(meant.test(i));
    }
  }

  /** What an index looks for may be more than what the filter lets through, never less. */
  @Test
  void whatAnIndexLooksFor_holdsAllThatTheFilterLetsThrough() throws IOException {
    List<byte[]> cells = new ArrayList<>();
    DOUBLES.forEach(number -> cells.add(Bytes.toBytes(number)));
    DECIMALS.forEach(number -> cells.add(Bytes.toBytes(number)));
    cells.addAll(List.of(new byte[0], new byte[3], new byte[] {0, 0, 0, 0, 0, 1}, new byte[9]));
    List<Value> bounds = new ArrayList<>();
    DOUBLES.forEach(number -> bounds.add(Value.of(number)));
    DECIMALS.forEach(number -> bounds.add(Value.of(number)));
    for (Value bound : bounds) {
      for (Condition condition :
          List.of(N.equalTo(bound), N.atLeast(bound), N.greaterThan(bound), N.atMost(bound))) {
        ScanVerdict verdict =
            ScanReader.of(TABLE).read(new Scan().setFilter(ConditionFilter.of(condition)));
        ScanVerdict.Eligible eligible = (ScanVerdict.Eligible) verdict;
        for (byte[] cell : cells) {
          boolean looked = eligible.predicate().test(column -> cell);
          boolean passes = passes(condition, cell);
          assertThat(looked || !passes).as("%s of %s", condition, Arrays.toString(cell)).isTrue();
          assertThat(!eligible.exact() || looked == passes).isTrue();
        }
      }
    }
  }

  @Test
  void decimals_cellsThatAreTooShort_meetNothing_andFailNothing() throws IOException {
    Value one = Value.of(BigDecimal.ONE);
    for (Condition condition : List.of(N.equalTo(one), N.notEqualTo(one), N.atMost(one))) {
      assertThat(passes(condition, new byte[0])).isFalse();
      assertThat(passes(condition, new byte[] {0, 0, 0, 1})).isFalse();
      assertThat(passes(condition, new byte[] {'\n', 0, 0, 1, -128}))
          .isEqualTo(!condition.toString().contains(" = "));
    }
  }

  @Test
  void numbers_areShownAsNumbers() {
    assertThat(N.atLeast(Value.of(-5L)))
        .hasToString("((f:n >= -5 and f:n <= -1) or (f:n >= 0 and f:n <= 9223372036854775807))");
    assertThat(N.lessThan(Value.of(-2.5))).hasToString("(f:n < -2.5 and f:n >= -Infinity)");
    assertThat(N.equalTo(Value.of(new BigDecimal("1.00")))).hasToString("f:n = 1.00");
    assertThat(N.equalTo(Value.ofFloat(1.5f))).hasToString("f:n = 1.5");
  }

  @Test
  void float_withoutItsOwnName_isTheDoubleOfTheSameNumber() {
    assertThat(Value.of(1.5f).bytes()).isEqualTo(Bytes.toBytes(1.5d));
    assertThat(Value.ofFloat(1.5f).bytes()).isEqualTo(Bytes.toBytes(1.5f));
  }

  @ParameterizedTest
  @EnumSource(ValueType.class)
  void texts_ofEveryType_areReadAndShown(ValueType type) {
    for (String text :
        switch (type) {
          case BYTES, STRING, ORDERED_STRING -> List.of("", "Graz", "ß");
          case BOOLEAN -> List.of("true", "false");
          case LONG, INT, SHORT, ORDERED_LONG, ORDERED_INT, ORDERED_SHORT ->
              List.of("-3", "0", "77");
          case DOUBLE, FLOAT, ORDERED_DOUBLE, ORDERED_FLOAT -> List.of("-2.5", "0.0", "Infinity");
          case DECIMAL -> List.of("-2.50", "0", "123.4");
          case ORDERED_DECIMAL -> List.of("-2.5", "0", "123.4");
        }) {
      byte[] cell = TypedValue.parse(type, text).bytes();
      if (type == ValueType.BYTES) {
        assertThat(TypedValue.read(type, cell)).isEmpty();
      } else {
        assertThat(TypedValue.read(type, cell).orElseThrow()).hasToString(text);
      }
      if (type != ValueType.BYTES && type != ValueType.STRING && type != ValueType.DECIMAL) {
        assertThat(TypedValue.read(type, Arrays.copyOf(cell, cell.length + 1))).isEmpty();
      }
    }
    if (type != ValueType.BYTES && type != ValueType.STRING && type != ValueType.ORDERED_STRING) {
      assertThatThrownBy(() -> TypedValue.parse(type, "much"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("\"much\" is no " + type.keyword());
    }
    assertThat(TypedValue.read(type, new byte[] {-1, -1, -1})).isEmpty();
  }

  @Test
  void values_ofAColumnWithAType_areInItsOrder() {
    List<byte[]> cells = new ArrayList<>();
    for (long number : new long[] {5, -1, 0, -300}) {
      cells.add(Bytes.toBytes(number));
    }
    cells.add(new byte[3]);
    cells.sort(TypedValue.order(ValueType.LONG));

    assertThat(cells.stream().map(cell -> TypedValue.read(ValueType.LONG, cell).orElse("none")))
        .containsExactly(-300L, -1L, 0L, 5L, "none");
  }

  private static boolean passes(Condition condition, byte[] cell) throws IOException {
    Filter filter = ConditionFilter.of(condition);
    filter.reset();
    filter.filterCell(
        new KeyValue(Bytes.toBytes("r"), Bytes.toBytes("f"), Bytes.toBytes("n"), 1, cell));
    return !filter.filterRow();
  }
}
