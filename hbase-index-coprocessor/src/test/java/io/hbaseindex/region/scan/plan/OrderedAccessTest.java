/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
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
        ColumnRef.of("f", by), RowPredicate.all(List.of(parts)), TABLE.definitions());
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
