/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexCondition;
import io.hbaseindex.core.predicate.IndexScope;
import io.hbaseindex.core.predicate.RowPredicate;
import java.math.BigDecimal;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class ConditionClausesTest {
  private static final Column A = Column.of("f", "a");
  private static final Column B = Column.of("f", "b");
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .build();

  @Test
  void forIndex_isWrittenAsComparisons() {
    assertThat(A.equalTo("1").forIndex()).hasToString("f:a=1");
    assertThat(A.in("1", "2").and(B.isPresent()).forIndex()).hasToString("f:a=1|2 f:b");
    assertThat(A.startsWith("x").and(B.atLeast(Value.of("5"))).forIndex())
        .hasToString("f:a^=x f:b>=5");
    assertThat(A.between(Value.of((short) -1), Value.of((short) 7)).forIndex())
        .hasToString("f:a>=\\xFF\\xFF<=\\xFF\\xFF|>=\\x00\\x00<=\\x00\\x07");
  }

  /** A query with the condition of an index uses it, and asks for just its rows. */
  @Test
  void forIndex_impliesTheQueryThatItWasMadeOf_andIsImpliedByIt() {
    for (Condition condition :
        List.of(
            A.equalTo("1"),
            A.in("1", "2", "3"),
            A.startsWith("x").and(B.isPresent()),
            A.lessThan(Value.of("x")).and(A.greaterThan(Value.of("b"))),
            A.atLeast(Value.of(-5L)),
            A.atMost(Value.of(5)),
            A.lessThan(Value.of((short) 5)).and(B.equalTo("1")),
            A.greaterThan(Value.of(-0.5)),
            A.equalTo(Value.of(0.0)),
            A.between(Value.ofFloat(-1), Value.ofFloat(1)))) {
      IndexScope scope = IndexScope.of(condition.forIndex());
      RowPredicate predicate = predicate(condition);
      assertThat(scope.isImpliedBy(predicate)).as("%s", condition).isTrue();
      assertThat(scope.implies(predicate)).as("%s", condition).isTrue();
      assertThat(IndexCondition.parse(condition.forIndex().toString()))
          .isEqualTo(condition.forIndex());
    }
  }

  @Test
  void forIndex_typedRange_isImpliedByANarrowerOne() {
    IndexScope adults = IndexScope.of(A.atLeast(Value.of(18L)).forIndex());
    assertThat(adults.isImpliedBy(predicate(A.between(Value.of(20L), Value.of(30L))))).isTrue();
    assertThat(adults.isImpliedBy(predicate(A.equalTo(Value.of(18L))))).isTrue();
    assertThat(adults.isImpliedBy(predicate(A.atLeast(Value.of(17L))))).isFalse();
    assertThat(adults.isImpliedBy(predicate(A.equalTo(Value.of(-18L))))).isFalse();
    assertThat(adults.isImpliedBy(predicate(A.atMost(Value.of(30L))))).isFalse();
  }

  @Test
  void forIndex_whatNoIndexCanHave_isRefused() {
    assertThatThrownBy(() -> A.notEqualTo("1").forIndex())
        .isInstanceOf(DefinitionException.class)
        .hasMessage(
            "Cannot make f:a != 1 the condition of an index: queries that exclude a value use no index; use =, in, <, <=, >, >=, between, starts with and is not null, on one column each, joined by \"and\"");
    assertThatThrownBy(() -> A.equalTo("1").or(B.equalTo("1")).forIndex())
        .hasMessageContaining("it joins several columns by \"or\"");
    assertThatThrownBy(() -> A.isAbsent().forIndex())
        .hasMessageContaining("it is no comparison with a value");
    assertThatThrownBy(() -> A.like("%x").forIndex())
        .hasMessageContaining("it is no comparison with a value");
    assertThatThrownBy(() -> A.equalTo(Value.of(BigDecimal.ONE)).forIndex())
        .hasMessageContaining("decimals are not compared by their bytes");
  }

  private static RowPredicate predicate(Condition condition) {
    Scan scan = new Scan().setFilter(ConditionFilter.of(condition));
    return ((ScanVerdict.Eligible) ScanReader.of(TABLE).read(scan)).predicate();
  }
}
