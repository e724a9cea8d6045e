/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IndexAdviceTest {
  private static final ColumnRef CITY = ColumnRef.of("f", "city");
  private static final ColumnRef STATUS = ColumnRef.of("f", "status");
  private static final ColumnRef AGE = ColumnRef.of("f", "age");

  private static RowPredicate is(ColumnRef column, String value) {
    return new RowPredicate.Column(
        column, ValueRange.equalTo(value.getBytes(StandardCharsets.UTF_8)));
  }

  private static RowPredicate atLeast(ColumnRef column, String value) {
    return new RowPredicate.Column(
        column, ValueRange.atLeast(value.getBytes(StandardCharsets.UTF_8)));
  }

  private static RowPredicate all(RowPredicate... parts) {
    return RowPredicate.all(List.of(parts));
  }

  private static TableIndexes indexes(IndexDefinition... definitions) {
    TableIndexes indexes = TableIndexes.none();
    for (IndexDefinition definition : definitions) {
      indexes = indexes.with(definition, () -> 1);
    }
    return indexes;
  }

  private static IndexDefinition on(String name, String... qualifiers) {
    IndexDefinition.Builder builder = IndexDefinition.on("f", qualifiers[0]);
    for (int i = 1; i < qualifiers.length; i++) {
      builder.and("f", qualifiers[i]);
    }
    return builder.named(name).eager();
  }

  private static Optional<List<ColumnRef>> columns(RowPredicate query, TableIndexes indexes) {
    return IndexAdvice.of(query, indexes).map(IndexAdvice::columns);
  }

  @Test
  void and_ofTwoColumns_wantsBothInOneIndex() {
    RowPredicate query = all(is(CITY, "Graz"), is(STATUS, "active"));
    assertThat(columns(query, indexes(on("c", "city"), on("s", "status"))))
        .contains(List.of(CITY, STATUS));
    assertThat(columns(query, indexes(on("sc", "status", "city")))).isEmpty();
    assertThat(columns(query, indexes(on("sca", "status", "city", "age")))).isEmpty();
    assertThat(columns(query, indexes(on("cas", "city", "age", "status"))))
        .contains(List.of(CITY, STATUS));
  }

  @Test
  void range_comesBehindWhatIsFixed_andOneOfThem() {
    RowPredicate query = all(atLeast(AGE, "3"), is(CITY, "Graz"), atLeast(STATUS, "b"));
    assertThat(columns(query, TableIndexes.none())).contains(List.of(CITY, AGE));
    assertThat(columns(query, indexes(on("ac", "age", "city")))).contains(List.of(CITY, AGE));
    assertThat(columns(query, indexes(on("ca", "city", "age")))).isEmpty();
    assertThat(columns(atLeast(AGE, "3"), TableIndexes.none())).contains(List.of(AGE));
  }

  @Test
  void list_isAsGoodAsOneValue_alternativesOfSeveralColumnsAreNot() {
    RowPredicate list = RowPredicate.any(List.of(is(CITY, "Graz"), is(CITY, "Wien")));
    assertThat(columns(all(list, is(STATUS, "active")), indexes(on("c", "city"))))
        .contains(List.of(CITY, STATUS));
    RowPredicate either = RowPredicate.any(List.of(is(CITY, "Graz"), is(STATUS, "active")));
    assertThat(columns(either, TableIndexes.none())).isEmpty();
    assertThat(columns(all(either, is(AGE, "3")), TableIndexes.none())).contains(List.of(AGE));
  }

  @Test
  void partialIndex_willDoWhereTheQueryImpliesItsCondition() {
    IndexDefinition active =
        IndexDefinition.on("f", "city").where("f:status=active").named("c").eager();
    assertThat(columns(is(CITY, "Graz"), indexes(active))).contains(List.of(CITY));
    IndexDefinition both =
        IndexDefinition.on("f", "city")
            .and("f", "status")
            .where("f:status=active")
            .named("cs")
            .eager();
    assertThat(columns(all(is(CITY, "Graz"), is(STATUS, "active")), indexes(both))).isEmpty();
  }

  @Test
  void types_areThoseOfTheTable() {
    IndexDefinition byAge = IndexDefinition.on("f", "age").as(ValueType.LONG).named("a").eager();
    IndexAdvice advice =
        IndexAdvice.of(all(is(CITY, "Graz"), atLeast(AGE, "3")), indexes(byAge)).orElseThrow();
    assertThat(advice.types()).isEqualTo(Map.of(AGE, ValueType.LONG));
    assertThat(advice.name()).isEqualTo("by_city_age");
  }

  @Test
  void moreColumnsThanAnIndexMayHave_areCut() {
    RowPredicate query =
        all(
            is(CITY, "a"),
            is(STATUS, "b"),
            is(AGE, "c"),
            is(ColumnRef.of("f", "größe"), "d"),
            is(ColumnRef.of("f", "e"), "e"));
    IndexAdvice advice = IndexAdvice.of(query, TableIndexes.none()).orElseThrow();
    assertThat(advice.columns()).hasSize(IndexDefinition.MAX_COLUMNS);
    assertThat(advice.name()).matches("by_city_status_age_\\w+");
  }
}
