/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OrderedAccessTest {
  private static final TableIndexes TABLE =
      TableIndexes.none()
          .with(IndexDefinition.on("f", "team").and("f", "age").named("team_age").eager(), () -> 1)
          .with(IndexDefinition.on("f", "age").and("f", "nick").named("age_nick").eager(), () -> 1)
          .with(IndexDefinition.on("f", "age").named("age").lazy(), () -> 1);

  private static RowPredicate column(String name, ValueRange range) {
    return new RowPredicate.Column(ColumnRef.of("f", name), range);
  }

  private static RowPredicate has(String name) {
    return column(name, ValueRange.atLeast(new byte[0]));
  }

  private static ValueRange is(String value) {
    return ValueRange.equalTo(value.getBytes(StandardCharsets.UTF_8));
  }

  private static Optional<OrderedAccess> access(String by, RowPredicate... parts) {
    return OrderedAccess.of(
        new RowOrder(ColumnRef.of("f", by), false),
        RowPredicate.all(List.of(parts)),
        TABLE.definitions());
  }

  private static Optional<OrderedAccess> byNumber(ValueType order, RowPredicate... parts) {
    TableIndexes typed =
        TableIndexes.none()
            .with(IndexDefinition.on("f", "age").as(ValueType.LONG).named("age").eager(), () -> 1);
    return OrderedAccess.of(
        new RowOrder(ColumnRef.of("f", "age"), order, false),
        RowPredicate.all(List.of(parts)),
        typed.definitions());
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  @Test
  void typedColumn_hasTheOrderOfItsTypeAlone_inItsForm() {
    assertThat(byNumber(ValueType.BYTES, has("age"))).isEmpty();
    assertThat(byNumber(ValueType.INT, has("age"))).isEmpty();
    ValueRange all = byNumber(ValueType.LONG, has("age")).orElseThrow().range();
    ValueRange some =
        byNumber(ValueType.LONG, column("age", ValueRange.from(number(5), Optional.of(number(11)))))
            .orElseThrow()
            .range();
    for (long value : new long[] {Long.MIN_VALUE, -1, 0, 4, 5, 10, 11, Long.MAX_VALUE}) {
      byte[] form = PostingForm.of(ValueType.LONG, number(value));
      assertThat(all.contains(form)).isTrue();
      assertThat(some.contains(form)).as("%d", value).isEqualTo(value >= 5);
    }
    // Of forms no cell says which are wanted: the rows are asked.
    assertThat(
            byNumber(
                ValueType.LONG,
                new RowPredicate.Column(
                    ColumnRef.of("f", "age"), ValueRange.lessThan(number(3)), ValueType.DECIMAL)))
        .isEmpty();
  }

  @Test
  void fixedColumnsBeforeIt_areThePreferredWay() {
    OrderedAccess access = access("age", has("age"), column("team", is("red"))).orElseThrow();

    assertThat(access.index().name()).isEqualTo("team_age");
    assertThat(access.position()).isEqualTo(1);
    assertThat(access.hasFurtherColumns()).isFalse();
  }

  @Test
  void indexWithoutFurtherColumns_isPreferred() {
    OrderedAccess access =
        access("age", has("age"), column("age", ValueRange.lessThan(new byte[] {7}))).orElseThrow();

    assertThat(access.index().name()).isEqualTo("age");
    assertThat(access.range()).isEqualTo(ValueRange.lessThan(new byte[] {7}));
    assertThat(access("team", has("team")).orElseThrow().hasFurtherColumns()).isTrue();
  }

  @Test
  void noIndexHasTheOrder() {
    // Two teams, or a range of them, come one after the other.
    assertThat(access("nick", has("nick"))).isEmpty();
    assertThat(access("nick", has("nick"), column("age", ValueRange.lessThan(new byte[] {7}))))
        .isEmpty();
    // Rows without the column would be left out, although the condition wants them.
    assertThat(access("age", column("team", is("red")))).isEmpty();
    // A condition that contradicts itself has no rows in any order.
    assertThat(access("age", has("age"), column("team", is("red")), column("team", is("blue"))))
        .isEmpty();
  }
}
