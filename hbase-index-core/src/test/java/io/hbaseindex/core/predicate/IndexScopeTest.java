/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexCondition;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class IndexScopeTest {
  private static final ColumnRef A = ColumnRef.of("f", "a");
  private static final ColumnRef B = ColumnRef.of("f", "b");

  /** All strings of up to two of these characters, and the one that a row lacks. */
  private static final List<byte[]> VALUES = values("abc");

  @Test
  void isImpliedBy_theSameOrLess_isTrue() {
    assertThat(implied("f:a=1", is(A, "1"))).isTrue();
    assertThat(implied("f:a=1|2", is(A, "1"))).isTrue();
    assertThat(implied("f:a=1|2", any(is(A, "1"), is(A, "2")))).isTrue();
    assertThat(implied("f:a>=1", all(is(A, "5"), is(B, "x")))).isTrue();
    assertThat(implied("f:a>=1<5", all(atLeast(A, "2"), below(A, "5")))).isTrue();
    assertThat(implied("f:a>=1 f:a<5", all(atLeast(A, "1"), below(A, "5")))).isTrue();
    assertThat(implied("f:a^=x", is(A, "xy"))).isTrue();
    assertThat(implied("f:a", below(A, "5"))).isTrue();
    assertThat(implied("f:a<1|>=1", atLeast(A, ""))).as("ranges that touch are one").isTrue();
  }

  @Test
  void isImpliedBy_moreOrOther_isFalse() {
    assertThat(implied("f:a=1", is(A, "2"))).isFalse();
    assertThat(implied("f:a=1", is(B, "1"))).isFalse();
    assertThat(implied("f:a=1|2", any(is(A, "1"), is(A, "3")))).isFalse();
    assertThat(implied("f:a=1", any(is(A, "1"), is(B, "1")))).isFalse();
    assertThat(implied("f:a>=1<5", atLeast(A, "2"))).isFalse();
    assertThat(implied("f:a>1", atLeast(A, "1"))).isFalse();
    assertThat(implied("f:a=1 f:b=2", is(A, "1"))).isFalse();
    assertThat(implied("f:a<1|>2", atLeast(A, ""))).isFalse();
  }

  /** A condition on numbers lets cells through that are none. */
  @Test
  void isImpliedBy_numbers_sayNoMoreThanThatTheColumnIsThere() {
    RowPredicate number =
        new RowPredicate.Column(A, ValueRange.equalTo(bytes("1")), ValueType.DECIMAL);
    assertThat(implied("f:a", number)).isTrue();
    assertThat(implied("f:a=1", number)).isFalse();
    assertThat(implied("f:a=1", all(number, is(B, "1")))).isFalse();
  }

  @Test
  void implies_whatTheConditionSays() {
    assertThat(scope("f:a=1|2").implies(any(is(A, "1"), is(A, "2"), is(A, "3")))).isTrue();
    assertThat(scope("f:a=1|2").implies(is(A, "1"))).isFalse();
    assertThat(scope("f:a=1 f:b=2").implies(all(is(A, "1"), atLeast(B, "1")))).isTrue();
    assertThat(scope("f:a=1").implies(is(B, "1"))).isFalse();
  }

  /** Every verdict against all rows of two columns that there can be. */
  @Test
  void verdicts_onRandomConditions_holdForAllRows() {
    long seed = Long.getLong("hbaseindex.seed", System.nanoTime());
    Random random = new Random(seed);
    int[] verdicts = new int[2];
    for (int i = 0; i < 4_000; i++) {
      IndexCondition condition = possibleCondition(random);
      IndexScope scope = IndexScope.of(condition);
      RowPredicate predicate = predicate(random, 2);
      boolean isImplied = scope.isImpliedBy(predicate);
      boolean implies = scope.implies(predicate);
      verdicts[0] += isImplied ? 1 : 0;
      verdicts[1] += implies ? 1 : 0;
      for (byte[] a : VALUES) {
        for (byte[] b : VALUES) {
          Function<ColumnRef, byte[]> row = column -> column.equals(A) ? a : b;
          boolean in = scope.isMet(row);
          boolean wanted = predicate.test(row);
          assertThat(!isImplied || !wanted || in)
              .as("seed %d: %s implies %s", seed, predicate, condition)
              .isTrue();
          assertThat(!implies || !in || wanted)
              .as("seed %d: %s is implied by %s", seed, predicate, condition)
              .isTrue();
        }
      }
    }
    assertThat(verdicts[0]).as("of 4000 implied, seed %d", seed).isGreaterThan(200);
    assertThat(verdicts[1]).as("of 4000 implying, seed %d", seed).isGreaterThan(50);
  }

  @Test
  void usableIndexes_areFoundWhereAPartOrOneAroundItImpliesTheirCondition() {
    IndexDefinition full = IndexDefinition.on("f", "c").named("full").eager();
    IndexDefinition partial = IndexDefinition.on("f", "c").where("f:a=1").named("partial").eager();
    UsableIndexes all = UsableIndexes.of(List.of(partial, full));

    assertThat(all.list()).containsExactly(full);
    assertThat(all.in(is(B, "1")).list()).containsExactly(full);
    UsableIndexes around = all.in(all(is(A, "1"), is(B, "1")));
    assertThat(around.list()).containsExactly(partial, full);
    assertThat(around.in(is(B, "1")).list()).containsExactly(partial, full);
  }

  /** One that some row can meet: others are refused. */
  private static IndexCondition possibleCondition(Random random) {
    while (true) {
      String text = condition(random);
      try {
        return IndexDefinition.on("f", "c").where(text).named("n").eager().condition();
      } catch (DefinitionException e) {
        assertThat(e).hasMessageContaining("which no value of f:");
      }
    }
  }

  private static String condition(Random random) {
    StringBuilder text = new StringBuilder();
    int clauses = 1 + random.nextInt(2);
    for (int i = 0; i < clauses; i++) {
      text.append(i == 0 ? "" : " ").append("f:").append(random.nextBoolean() ? "a" : "b");
      int alternatives = random.nextInt(3);
      for (int j = 0; j < alternatives; j++) {
        text.append(j == 0 ? "" : "|");
        for (int k = random.nextInt(2); k < 2; k++) {
          String[] signs = {"=", "<", "<=", ">", ">=", "^="};
          text.append(signs[random.nextInt(signs.length)]).append(new String(value(random)));
        }
      }
    }
    return text.toString();
  }

  private static RowPredicate predicate(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      List<RowPredicate> parts = new ArrayList<>();
      for (int i = random.nextInt(2); i < 3; i++) {
        parts.add(predicate(random, depth - 1));
      }
      return random.nextInt(3) == 0 ? RowPredicate.any(parts) : RowPredicate.all(parts);
    }
    byte[] value = value(random);
    ValueRange range =
        switch (random.nextInt(6)) {
          case 0 -> ValueRange.lessThan(value);
          case 1 -> ValueRange.atMost(value);
          case 2 -> ValueRange.atLeast(value);
          case 3 -> ValueRange.startingWith(value);
          default -> ValueRange.equalTo(value);
        };
    return new RowPredicate.Column(random.nextBoolean() ? A : B, range);
  }

  private static byte[] value(Random random) {
    return VALUES.get(1 + random.nextInt(VALUES.size() - 1));
  }

  private static List<byte[]> values(String characters) {
    List<byte[]> values = new ArrayList<>();
    values.add(null);
    values.add(new byte[0]);
    for (char first : characters.toCharArray()) {
      values.add(new byte[] {(byte) first});
      for (char second : characters.toCharArray()) {
        values.add(new byte[] {(byte) first, (byte) second});
      }
    }
    return values;
  }

  private static boolean implied(String condition, RowPredicate predicate) {
    return scope(condition).isImpliedBy(predicate);
  }

  private static IndexScope scope(String condition) {
    return IndexScope.of(IndexCondition.parse(condition));
  }

  private static RowPredicate is(ColumnRef column, String value) {
    return new RowPredicate.Column(column, ValueRange.equalTo(bytes(value)));
  }

  private static RowPredicate atLeast(ColumnRef column, String value) {
    return new RowPredicate.Column(column, ValueRange.atLeast(bytes(value)));
  }

  private static RowPredicate below(ColumnRef column, String value) {
    return new RowPredicate.Column(column, ValueRange.lessThan(bytes(value)));
  }

  private static RowPredicate all(RowPredicate... parts) {
    return RowPredicate.all(Arrays.asList(parts));
  }

  private static RowPredicate any(RowPredicate... parts) {
    return RowPredicate.any(Arrays.asList(parts));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
