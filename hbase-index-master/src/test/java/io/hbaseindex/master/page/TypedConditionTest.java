/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypedConditionTest {
  private static byte[] valueOf(String condition) {
    return ((SingleColumnValueFilter) TypedCondition.parse(condition)).getComparator().getValue();
  }

  @Test
  void equality_isAFilterThatDropsRowsWithoutTheColumn() {
    SingleColumnValueFilter filter =
        (SingleColumnValueFilter) TypedCondition.parse("f:email = 'it''s <me>'");

    assertThat(filter.getFamily()).isEqualTo(Bytes.toBytes("f"));
    assertThat(filter.getQualifier()).isEqualTo(Bytes.toBytes("email"));
    assertThat(filter.getComparator().getValue()).isEqualTo(Bytes.toBytes("it's <me>"));
    assertThat(filter.getFilterIfMissing()).isTrue();
  }

  @Test
  void values_areBytesOfTheirType() {
    assertThat(valueOf("f:n=long:7")).isEqualTo(Bytes.toBytes(7L));
    assertThat(valueOf("f:n=int:-7")).isEqualTo(Bytes.toBytes(-7));
    assertThat(valueOf("f:n=short:7")).isEqualTo(Bytes.toBytes((short) 7));
    assertThat(valueOf("f:n=double:7.5")).isEqualTo(Bytes.toBytes(7.5));
    assertThat(valueOf("f:n=hex:00fF")).isEqualTo(new byte[] {0, -1});
    assertThat(valueOf("f:n=text:long:7")).isEqualTo(Bytes.toBytes("long:7"));
    assertThat(valueOf("f:n=http://x")).isEqualTo(Bytes.toBytes("http://x"));
    assertThat(valueOf("f:n='Zürich'")).isEqualTo(Bytes.toBytes("Zürich"));
    assertThat(valueOf("f:n=''")).isEmpty();
  }

  @Test
  void and_bindsStrongerThanOr_andInIsAnOr() {
    FilterList any =
        (FilterList) TypedCondition.parse("f:a = 1 and f:b = 2 OR f:c in (x, 'y', int:3)");

    assertThat(any.getOperator()).isEqualTo(FilterList.Operator.MUST_PASS_ONE);
    assertThat(any.getFilters()).hasSize(2);
    FilterList all = (FilterList) any.getFilters().get(0);
    assertThat(all.getOperator()).isEqualTo(FilterList.Operator.MUST_PASS_ALL);
    FilterList values = (FilterList) any.getFilters().get(1);
    assertThat(values.getOperator()).isEqualTo(FilterList.Operator.MUST_PASS_ONE);
    assertThat(values.getFilters()).hasSize(3).allMatch(SingleColumnValueFilter.class::isInstance);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|expected a column such as f:email, found the end",
        "email = x|expected a column such as f:email, found \"email\" at character 1",
        "f:email|expected \"=\" or \"in\", found the end",
        "f:email < x|expected \"=\" or \"in\", found \"<\" at character 9",
        "f:email =|expected a value, found the end",
        "f:email = )|expected a value, found \")\" at character 11",
        "f:email = 'x|the quote at character 11 has no end",
        "f:email = x y|expected \"and\", \"or\" or the end, found \"y\" at character 13",
        "f:email in (x|expected \")\", found the end",
        "f:n = long:x|value \"long:x\" at character 7 is no long",
        "_i:x = y|Cannot index a column of family _i",
      })
  void whatCannotBeRead_isRefusedWithItsPlace(String condition, String message) {
    assertThatThrownBy(() -> TypedCondition.parse(condition))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void longCondition_isRefused_andTheLongestIsRead() {
    String longest = "f:a = '" + "x".repeat(1992) + "'";
    Filter filter = TypedCondition.parse(longest);

    assertThat(filter).isNotNull();
    assertThatThrownBy(() -> TypedCondition.parse(longest + " "))
        .hasMessage("it was 2001 characters long; the page reads up to 2000");
  }
}
