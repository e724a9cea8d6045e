/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ScanReaderTest {
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("one"))
          .setColumnFamily(
              ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("three"))
                  .setMaxVersions(3)
                  .build())
          .build();

  private static final RowPredicate A_IS_1 = is("one", "a", "1");
  private static final RowPredicate B_IS_2 = is("one", "b", "2");

  @Test
  void read_singleColumnEquality_isExactPredicate() {
    assertThat(read(single("one", "a", "1"))).isEqualTo(new ScanVerdict.Eligible(A_IS_1, true));
  }

  @Test
  void read_everyOperator_becomesItsRange() {
    byte[] v = Bytes.toBytes("v");
    assertThat(rangeOf(CompareOperator.EQUAL, new BinaryComparator(v)))
        .isEqualTo(ValueRange.equalTo(v));
    assertThat(rangeOf(CompareOperator.LESS, new BinaryComparator(v)))
        .isEqualTo(ValueRange.lessThan(v));
    assertThat(rangeOf(CompareOperator.LESS_OR_EQUAL, new BinaryComparator(v)))
        .isEqualTo(ValueRange.atMost(v));
    assertThat(rangeOf(CompareOperator.GREATER, new BinaryComparator(v)))
        .isEqualTo(ValueRange.greaterThan(v));
    assertThat(rangeOf(CompareOperator.GREATER_OR_EQUAL, new BinaryComparator(v)))
        .isEqualTo(ValueRange.atLeast(v));
    assertThat(rangeOf(CompareOperator.EQUAL, new BinaryPrefixComparator(v)))
        .isEqualTo(ValueRange.startingWith(v));
    assertThat(rangeOf(CompareOperator.LESS_OR_EQUAL, new BinaryPrefixComparator(v)))
        .isEqualTo(ValueRange.atMostStartingWith(v));
    assertThat(rangeOf(CompareOperator.GREATER, new BinaryPrefixComparator(v)))
        .isEqualTo(ValueRange.aboveStartingWith(v));
  }

  @Test
  void read_comparisonsWithoutByteOrder_areNoPredicate() {
    byte[] v = Bytes.toBytes("v");
    assertPlain(comparing(CompareOperator.NOT_EQUAL, new BinaryComparator(v)));
    assertPlain(comparing(CompareOperator.NOT_EQUAL, new BinaryPrefixComparator(v)));
    assertPlain(comparing(CompareOperator.EQUAL, new RegexStringComparator("v")));
    assertPlain(comparing(CompareOperator.NOT_EQUAL, new LongComparator(1)));
  }

  @Test
  void read_filterThatKeepsRowsWithoutTheColumn_isNoPredicate() {
    SingleColumnValueFilter lenient = single("one", "a", "1");
    lenient.setFilterIfMissing(false);
    assertThat(read(lenient)).isEqualTo(new ScanVerdict.Plain(PlainScanReason.NO_CONDITION));
  }

  @Test
  void read_filterWithoutFamily_isNoPredicate() {
    SingleColumnValueFilter nowhere =
        new SingleColumnValueFilter(
            null,
            Bytes.toBytes("a"),
            CompareOperator.EQUAL,
            new BinaryComparator(Bytes.toBytes("1")));
    nowhere.setFilterIfMissing(true);
    assertPlain(nowhere);
    assertPlain(all(new TimestampsFilter(List.of(1L)), nowhere));
  }

  @Test
  void r1_filterThatMatchesAnyVersion_runsPlain() {
    SingleColumnValueFilter anyVersion = single("one", "a", "1");
    anyVersion.setLatestVersionOnly(false);
    assertThat(read(anyVersion)).isEqualTo(new ScanVerdict.Plain(PlainScanReason.OLDER_VERSIONS));
  }

  @Test
  void r1_columnValueFilter_onlyWhereOneVersionIsKept() {
    assertThat(read(cell("one", "a", "1"))).isEqualTo(new ScanVerdict.Eligible(A_IS_1, true));
    assertThat(read(cell("three", "a", "1")))
        .isEqualTo(new ScanVerdict.Plain(PlainScanReason.OLDER_VERSIONS));
  }

  @Test
  void r1_besideAFilterThatCanHideNewestCells_onlyWhereOneVersionIsKept() {
    for (Filter hiding :
        List.of(
            new TimestampsFilter(List.of(1L)),
            new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes("1"))))) {
      assertThat(read(all(hiding, single("one", "a", "1"))))
          .isEqualTo(new ScanVerdict.Eligible(A_IS_1, false));
      assertThat(read(all(hiding, single("three", "a", "1"))))
          .isEqualTo(new ScanVerdict.Plain(PlainScanReason.OLDER_VERSIONS));
      assertThat(read(all(single("three", "a", "1"), all(hiding))))
          .as("wherever it stands in the tree")
          .isEqualTo(new ScanVerdict.Plain(PlainScanReason.OLDER_VERSIONS));
    }
    assertThat(read(single("three", "a", "1"))).isInstanceOf(ScanVerdict.Eligible.class);
  }

  @Test
  void read_excludeFilter_anywhere_runsPlain() {
    SingleColumnValueExcludeFilter filter =
        new SingleColumnValueExcludeFilter(
            Bytes.toBytes("one"), Bytes.toBytes("a"), CompareOperator.EQUAL, Bytes.toBytes("1"));
    filter.setFilterIfMissing(true);
    ScanVerdict plain = new ScanVerdict.Plain(PlainScanReason.UNKNOWN_FILTER);
    assertThat(read(filter)).isEqualTo(plain);
    assertThat(read(all(single("one", "a", "1"), filter))).isEqualTo(plain);
  }

  @Test
  void read_and_keepsEveryConditionAndIgnoresKnownOthers() {
    assertThat(read(all(single("one", "a", "1"), single("one", "b", "2"))))
        .isEqualTo(new ScanVerdict.Eligible(new RowPredicate.All(List.of(A_IS_1, B_IS_2)), true));
    assertThat(
            read(
                all(
                    new PrefixFilter(Bytes.toBytes("r")),
                    new RowFilter(CompareOperator.GREATER, new BinaryComparator(new byte[0])),
                    new ColumnPrefixFilter(Bytes.toBytes("a")),
                    new FirstKeyOnlyFilter(),
                    single("one", "a", "1"))))
        .isEqualTo(new ScanVerdict.Eligible(A_IS_1, false));
  }

  @Test
  void read_or_needsAConditionFromEveryMember() {
    assertThat(read(any(single("one", "a", "1"), single("one", "b", "2"))))
        .isEqualTo(new ScanVerdict.Eligible(new RowPredicate.Any(List.of(A_IS_1, B_IS_2)), true));
    assertPlain(any(single("one", "a", "1"), new PrefixFilter(Bytes.toBytes("r"))));
    assertPlain(any());
    assertPlain(all());
    assertPlain(all(any(), new FirstKeyOnlyFilter()));
  }

  @Test
  void read_orOfRowAndCellFilters_isNoPredicate() {
    assertPlain(any(single("one", "a", "1"), cell("one", "b", "2")));
    assertThat(
            read(any(all(single("one", "a", "1"), cell("one", "b", "2")), cell("one", "c", "3"))))
        .as("both members enforce something by cell")
        .isEqualTo(
            new ScanVerdict.Eligible(
                new RowPredicate.Any(List.of(B_IS_2, is("one", "c", "3"))), false));
  }

  @Test
  void read_inAsNestedOr_isFlattened() {
    ScanVerdict verdict =
        read(any(single("one", "a", "1"), any(single("one", "a", "2"), single("one", "a", "3"))));
    assertThat(verdict)
        .isEqualTo(
            new ScanVerdict.Eligible(
                new RowPredicate.Any(List.of(A_IS_1, is("one", "a", "2"), is("one", "a", "3"))),
                true));
  }

  @Test
  void read_filterWhoseAnswerDependsOnOtherRows_runsPlain() {
    for (Filter stateful :
        List.of(
            new PageFilter(3),
            new ColumnCountGetFilter(3),
            new RandomRowFilter(0.5f),
            new WhileMatchFilter(new PrefixFilter(new byte[] {1})),
            new SkipFilter(new PrefixFilter(new byte[] {1})),
            new FilterOfAUser(),
            new RowFilter(CompareOperator.EQUAL, new ComparatorOfAUser()),
            new SubclassOfAKnownFilter())) {
      assertThat(read(all(single("one", "a", "1"), stateful)))
          .as("%s", stateful)
          .isEqualTo(new ScanVerdict.Plain(PlainScanReason.UNKNOWN_FILTER));
    }
  }

  @Test
  void read_furtherFilters_areKnownToTheReaderThatWasTold() {
    ScanReader reader =
        ScanReader.knowing(
            TABLE,
            filter ->
                filter instanceof FilterOfAUser
                    ? FilterTrait.VERSION_SELECTIVE
                    : FilterTrait.UNKNOWN);
    assertThat(reader.read(scan(all(new FilterOfAUser(), single("one", "a", "1")))))
        .isEqualTo(new ScanVerdict.Eligible(A_IS_1, false));
    assertThat(reader.read(scan(all(new FilterOfAUser(), single("three", "a", "1")))))
        .isEqualTo(new ScanVerdict.Plain(PlainScanReason.OLDER_VERSIONS));
  }

  @Test
  void read_unknownFamily_isNoPredicate() {
    assertPlain(single("none", "a", "1"));
    assertPlain(single("_i", "a", "1"));
  }

  @Test
  void r2_scansThatSeeOtherThanTheNewestCommittedCells_runPlain() {
    assertReason(PlainScanReason.RAW_SCAN, scan -> scan.setRaw(true));
    assertReason(
        PlainScanReason.UNCOMMITTED_READ,
        s -> s.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED));
    assertReason(PlainScanReason.TIME_RANGE, scan -> setTimeRange(scan, 0, 100));
    assertReason(
        PlainScanReason.TIME_RANGE, s -> s.setColumnFamilyTimeRange(Bytes.toBytes("one"), 0, 100));
    Scan recent = scan(single("one", "a", "1"));
    setTimeRange(recent, 100, Long.MAX_VALUE);
    assertThat(ScanReader.of(TABLE).read(recent)).isInstanceOf(ScanVerdict.Eligible.class);
  }

  @Test
  void read_otherReasons_areNamed() {
    assertReason(PlainScanReason.REVERSED_SCAN, scan -> scan.setReversed(true));
    assertReason(
        PlainScanReason.SWITCHED_OFF_FOR_SCAN,
        scan -> scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false")));
    assertReason(
        PlainScanReason.SINGLE_ROW,
        scan -> scan.withStartRow(new byte[] {1}).withStopRow(new byte[] {1}, true));
    assertThat(ScanReader.of(TABLE).read(new Scan()))
        .isEqualTo(new ScanVerdict.Plain(PlainScanReason.NO_CONDITION));
  }

  private static void assertReason(PlainScanReason reason, Consumer<Scan> change) {
    Scan scan = scan(single("one", "a", "1"));
    change.accept(scan);
    assertThat(ScanReader.of(TABLE).read(scan)).isEqualTo(new ScanVerdict.Plain(reason));
  }

  private static void assertPlain(Filter filter) {
    assertThat(read(filter)).isEqualTo(new ScanVerdict.Plain(PlainScanReason.NO_CONDITION));
  }

  private static ValueRange rangeOf(CompareOperator operator, ByteArrayComparable comparator) {
    ScanVerdict.Eligible eligible = (ScanVerdict.Eligible) read(comparing(operator, comparator));
    return ((RowPredicate.Column) eligible.predicate()).range();
  }

  private static ScanVerdict read(Filter filter) {
    return ScanReader.of(TABLE).read(scan(filter));
  }

  private static Scan scan(Filter filter) {
    return new Scan().setFilter(filter);
  }

  private static void setTimeRange(Scan scan, long from, long to) {
    try {
      scan.setTimeRange(from, to);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Filter all(Filter... filters) {
    return new FilterList(FilterList.Operator.MUST_PASS_ALL, filters);
  }

  private static Filter any(Filter... filters) {
    return new FilterList(FilterList.Operator.MUST_PASS_ONE, filters);
  }

  private static RowPredicate is(String family, String qualifier, String value) {
    return new RowPredicate.Column(
        ColumnRef.of(family, qualifier), ValueRange.equalTo(Bytes.toBytes(value)));
  }

  private static SingleColumnValueFilter single(String family, String qualifier, String value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            Bytes.toBytes(family),
            Bytes.toBytes(qualifier),
            CompareOperator.EQUAL,
            Bytes.toBytes(value));
    filter.setFilterIfMissing(true);
    return filter;
  }

  private static SingleColumnValueFilter comparing(
      CompareOperator operator, ByteArrayComparable comparator) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(Bytes.toBytes("one"), Bytes.toBytes("a"), operator, comparator);
    filter.setFilterIfMissing(true);
    return filter;
  }

  private static ColumnValueFilter cell(String family, String qualifier, String value) {
    return new ColumnValueFilter(
        Bytes.toBytes(family),
        Bytes.toBytes(qualifier),
        CompareOperator.EQUAL,
        Bytes.toBytes(value));
  }

  private static final class FilterOfAUser extends org.apache.hadoop.hbase.filter.FilterBase {}

  private static final class SubclassOfAKnownFilter extends PrefixFilter {
    SubclassOfAKnownFilter() {
      super(new byte[] {1});
    }
  }

  private static final class ComparatorOfAUser extends ByteArrayComparable {
    ComparatorOfAUser() {
      super(new byte[0]);
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    @Override
    public int compareTo(byte[] value, int offset, int length) {
      return 0;
    }
  }
}
