/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.predicate.RowPredicate;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** HBase's own comparators of numbers, as conditions that an index can serve. */
class NumberComparisonTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
          .build();

  @Test
  void read_comparisonsThatNoRangeHolds_areNoPredicate() {
    BigDecimal tooLong = BigDecimal.ONE.add(new BigDecimal("1E-400"));
    ScanVerdict none = new ScanVerdict.Plain(PlainScanReason.NO_CONDITION);
    assertThat(verdict(CompareOperator.NOT_EQUAL, new LongComparator(1))).isEqualTo(none);
    assertThat(verdict(CompareOperator.NOT_EQUAL, new BigDecimalComparator(BigDecimal.ONE)))
        .isEqualTo(none);
    assertThat(verdict(CompareOperator.LESS, new BigDecimalComparator(tooLong))).isEqualTo(none);
  }

  @Test
  void read_comparisonsOfLongs_areRangesOfTheirBytes_butNotExact() {
    assertThat(numbers(CompareOperator.LESS, new LongComparator(5)))
        .isEqualTo("[, 0000000000000005) [80, ∞)");
    assertThat(numbers(CompareOperator.LESS, new LongComparator(-5)))
        .isEqualTo("[80, fffffffffffffffb)");
    assertThat(numbers(CompareOperator.LESS_OR_EQUAL, new LongComparator(-1))).isEqualTo("[80, ∞)");
    assertThat(numbers(CompareOperator.GREATER, new LongComparator(-1))).isEqualTo("[, 80)");
    assertThat(numbers(CompareOperator.GREATER, new LongComparator(-2)))
        .isEqualTo("[, 80) [ffffffffffffffff, ∞)");
    assertThat(numbers(CompareOperator.GREATER, new LongComparator(Long.MAX_VALUE)))
        .isEqualTo("[80, 80)");
    assertThat(numbers(CompareOperator.GREATER_OR_EQUAL, new LongComparator(5)))
        .isEqualTo("[0000000000000005, 80)");
    assertThat(numbers(CompareOperator.EQUAL, new LongComparator(5)))
        .isEqualTo("[0000000000000005, 0000000000000006)");
  }

  /** Every operator, so that none is turned around. */
  @Test
  void read_comparisonsOfDecimals_holdForTheNumbersThatHBaseLetsThrough() {
    List<BigDecimal> numbers =
        Stream.of("-2", "-1.50", "-1.5", "0", "0.00", "1", "1.0", "1.01", "1E+3", "1000")
            .map(BigDecimal::new)
            .toList();
    for (CompareOperator operator :
        List.of(
            CompareOperator.EQUAL,
            CompareOperator.LESS,
            CompareOperator.LESS_OR_EQUAL,
            CompareOperator.GREATER,
            CompareOperator.GREATER_OR_EQUAL)) {
      for (BigDecimal operand : numbers) {
        ScanVerdict.Eligible eligible = read(operator, new BigDecimalComparator(operand));
        for (BigDecimal number : numbers) {
          int compared = number.compareTo(operand);
          boolean meant =
              switch (operator) {
                case EQUAL -> compared == 0;
                case LESS -> compared < 0;
                case LESS_OR_EQUAL -> compared <= 0;
                case GREATER -> compared > 0;
                default -> compared >= 0;
              };
          assertThat(eligible.predicate().test(column -> Bytes.toBytes(number)))
              .as("%s %s %s", number, operator, operand)
              .isEqualTo(meant);
        }
        assertThat(eligible.predicate().test(column -> new byte[3])).isTrue();
        assertThat(eligible.predicate().test(column -> null)).isFalse();
      }
    }
  }

  private static String numbers(CompareOperator operator, ByteArrayComparable comparator) {
    RowPredicate predicate = read(operator, comparator).predicate();
    List<RowPredicate> parts =
        predicate instanceof RowPredicate.Any any ? any.parts() : List.of(predicate);
    return parts.stream()
        .map(part -> ((RowPredicate.Column) part).range().toString())
        .collect(Collectors.joining(" "));
  }

  private static ScanVerdict.Eligible read(
      CompareOperator operator, ByteArrayComparable comparator) {
    ScanVerdict.Eligible eligible = (ScanVerdict.Eligible) verdict(operator, comparator);
    assertThat(eligible.exact()).isFalse();
    return eligible;
  }

  private static ScanVerdict verdict(CompareOperator operator, ByteArrayComparable comparator) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(FAMILY, Bytes.toBytes("a"), operator, comparator);
    filter.setFilterIfMissing(true);
    return ScanReader.of(TABLE).read(new Scan().setFilter(filter));
  }
}
