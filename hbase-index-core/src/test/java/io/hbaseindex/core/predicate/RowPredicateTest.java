/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.ColumnRef;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowPredicateTest {
  private static final ColumnRef CITY = ColumnRef.of("f", "city");
  private static final ColumnRef AGE = ColumnRef.of("f", "age");
  private static final RowPredicate ONE = equal(CITY, 1);
  private static final RowPredicate TWO = equal(AGE, 2);

  private static RowPredicate equal(ColumnRef column, int value) {
    return new RowPredicate.Column(column, ValueRange.equalTo(new byte[] {(byte) value}));
  }

  private static boolean test(RowPredicate predicate, Map<ColumnRef, Integer> row) {
    return predicate.test(
        column -> row.containsKey(column) ? new byte[] {row.get(column).byteValue()} : null);
  }

  @Test
  void column_holdsForAValueInItsRange_andNotForNone() {
    assertThat(test(ONE, Map.of(CITY, 1))).isTrue();
    assertThat(test(ONE, Map.of(CITY, 2))).isFalse();
    assertThat(test(ONE, Map.of(AGE, 1))).isFalse();
  }

  @Test
  void all_needsEveryPart() {
    RowPredicate both = RowPredicate.all(List.of(ONE, TWO));
    assertThat(test(both, Map.of(CITY, 1, AGE, 2))).isTrue();
    assertThat(test(both, Map.of(CITY, 1))).isFalse();
    assertThat(test(both, Map.of(AGE, 2))).isFalse();
  }

  @Test
  void any_needsOnePart() {
    RowPredicate either = RowPredicate.any(List.of(ONE, TWO));
    assertThat(test(either, Map.of(CITY, 1))).isTrue();
    assertThat(test(either, Map.of(AGE, 2))).isTrue();
    assertThat(test(either, Map.of(CITY, 2, AGE, 1))).isFalse();
  }

  @Test
  void parts_areFlattened_unlessTheyAreOfTheOtherKind() {
    RowPredicate both = RowPredicate.all(List.of(ONE, TWO));
    RowPredicate either = RowPredicate.any(List.of(ONE, TWO));
    assertThat(RowPredicate.all(List.of(both, ONE)))
        .isEqualTo(new RowPredicate.All(List.of(ONE, TWO, ONE)));
    assertThat(RowPredicate.any(List.of(either, ONE)))
        .isEqualTo(new RowPredicate.Any(List.of(ONE, TWO, ONE)));
    assertThat(RowPredicate.all(List.of(either, ONE)))
        .isEqualTo(new RowPredicate.All(List.of(either, ONE)));
    assertThat(RowPredicate.any(List.of(both, ONE)))
        .isEqualTo(new RowPredicate.Any(List.of(both, ONE)));
    assertThat(RowPredicate.all(List.of(ONE))).isSameAs(ONE);
    assertThat(RowPredicate.any(List.of(ONE))).isSameAs(ONE);
  }

  @Test
  void noParts_areRefused() {
    assertThatThrownBy(() -> RowPredicate.all(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Cannot combine predicates");
    assertThatThrownBy(() -> RowPredicate.any(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
