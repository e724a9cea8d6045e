/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.query.Condition;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.filter.And;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class PredicateReaderTest {
  private final PredicateReader reader =
      new PredicateReader(
          SourceSchema.parse(
              "id :key string, s f:s string, l f:l long, d f:d double, b f:b boolean", List.of()));

  private static Predicate predicate(String name, String column, Object... values) {
    Stream<Expression> literals = Arrays.stream(values).map(PredicateReaderTest::literal);
    return new Predicate(
        name,
        Stream.concat(Stream.of(Expressions.column(column)), literals).toArray(Expression[]::new));
  }

  /** As Spark keeps values in the predicates that it offers. */
  private static Expression literal(Object value) {
    return Expressions.literal(value instanceof String text ? UTF8String.fromString(text) : value);
  }

  private Optional<String> read(Predicate predicate) {
    return reader.condition(predicate).map(Condition::toString);
  }

  @Test
  void comparisons_areConditions_onWhicheverSideTheValueStands() {
    assertThat(read(predicate("=", "s", "a"))).hasValue("f:s = a");
    assertThat(read(predicate("<>", "s", ""))).hasValue("f:s != ");
    assertThat(read(new Predicate("<", new Expression[] {literal("a"), Expressions.column("s")})))
        .hasValue("f:s > a");
    assertThat(read(predicate("STARTS_WITH", "s", "a"))).hasValue("f:s starts with a");
    assertThat(read(predicate("STARTS_WITH", "s", ""))).hasValue("f:s >= ");
    assertThat(read(predicate("IN", "l", 1L, 2L))).hasValue("(f:l = 1 or f:l = 2)");
  }

  @Test
  void combinations_areTakenWhole_orNotAtAll() {
    Predicate known = predicate("=", "s", "a");
    Predicate unknown = predicate("ENDS_WITH", "s", "a");

    assertThat(read(new Not(new And(known, predicate("IS_NULL", "l")))))
        .hasValue("(f:s != a or f:l is not null)");
    assertThat(read(new Or(known, unknown))).isEmpty();
    assertThat(read(new Not(unknown))).isEmpty();
  }

  @Test
  void whatMeansSomethingElse_staysWithSpark() {
    assertThat(read(predicate("=", "s", (Object) null))).isEmpty();
    assertThat(read(predicate("IN", "l", 1L, null))).isEmpty();
    assertThat(read(predicate("<=>", "l", 1L))).isEmpty();
    assertThat(read(predicate("=", "l", 1))).as("of another type").isEmpty();
    assertThat(read(predicate("<", "b", true))).as("no order of bytes").isEmpty();
    assertThat(read(predicate(">", "d", Double.NaN))).as("nothing is above NaN").isEmpty();
    assertThat(read(predicate("=", "id", "a"))).as("no column").isEmpty();
    assertThat(read(predicate("=", "elsewhere", "a"))).isEmpty();
  }

  /** What is true of every value is neither true nor false where there is none. */
  @Test
  void oppositeOfWhatEveryValueMeets_asksForNoRowWithoutTheColumn() {
    assertThat(read(new Not(predicate("STARTS_WITH", "s", "")))).hasValue("f:s < ");
    assertThat(read(new Not(predicate("<=", "d", Double.NaN)))).hasValue("f:d < ");
  }

  @Test
  void nan_isAboveAllNumbers() {
    String lowestNaN = "f:d > \\xFF\\xF0\\x00";
    assertThat(read(predicate("=", "d", Double.NaN)).orElseThrow()).contains(lowestNaN);
    assertThat(read(predicate(">", "d", 1.0)).orElseThrow()).contains(lowestNaN);
    assertThat(read(predicate("<", "d", 1.0)).orElseThrow()).doesNotContain(lowestNaN);
  }

  @Test
  void keys_areBounded() {
    assertThat(reader.keys(predicate("=", "id", "a")))
        .hasValue(new KeySpan(Bytes.toBytes("a"), new byte[] {'a', 0}));
    assertThat(reader.keys(predicate("<", "id", "")).orElseThrow().isEmpty()).isTrue();
    assertThat(reader.keys(predicate("<>", "id", "a"))).isEmpty();
    assertThat(reader.keys(predicate("=", "s", "a"))).isEmpty();
    PredicateReader numbers = new PredicateReader(SourceSchema.parse("id :key long", List.of()));
    assertThat(numbers.keys(predicate("=", "id", 1L))).hasValue(KeySpan.of(Bytes.toBytes(1L)));
    assertThat(numbers.keys(predicate("<", "id", 1L))).as("bytes have another order").isEmpty();
  }
}
