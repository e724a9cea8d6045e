/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.region.scan.candidates.CertainPosting;
import io.hbaseindex.region.scan.plan.AccessPlan;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Which scans are covered, and what their rows are made of. */
class CoveredRowsTest {
  private static final long NOW = 1_000;
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final TableIndexes TABLE =
      TableIndexes.none()
          .with(
              IndexDefinition.on("f", "city").including("f:name", "g:note").named("city").eager(),
              () -> 1)
          .with(
              IndexDefinition.on("f", "team")
                  .and("f", "age")
                  .including("g:x")
                  .named("team")
                  .eager(),
              () -> 1)
          .with(
              IndexDefinition.on("f", "born")
                  .as(ValueType.LONG)
                  .including("f:name")
                  .named("born")
                  .eager(),
              () -> 1)
          .with(IndexDefinition.on("f", "nick").named("nick").eager(), () -> 1);
  private static final IndexDefinition CITY = TABLE.byName("city").orElseThrow();
  private static final IndexDefinition TEAM = TABLE.byName("team").orElseThrow();
  private static final IndexDefinition BORN = TABLE.byName("born").orElseThrow();
  private static final IndexRowKeys KEYS =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[] {1}).orElseThrow();
  private static final RowPredicate IN_OSLO =
      new RowPredicate.Column(ColumnRef.of("f", "city"), ValueRange.equalTo(Bytes.toBytes("Oslo")));

  @Test
  void rows_areMadeOfTheColumnsThatTheScanReads_inItsOrder() throws IOException {
    CoveredRows rows =
        covered(reading("g:note", "f:city", "f:name"), filter("city", "Oslo"), lookup(CITY))
            .orElseThrow();

    assertThat(texts(rows.of(ROW, List.of(oslo(cell(7, "Ann"), cell(8, ""))))))
        .containsExactly("f:city=Oslo@5", "f:name=Ann@7", "g:note=@8");
    assertThat(texts(rows.of(ROW, List.of(oslo(null, null))))).containsExactly("f:city=Oslo@5");
  }

  @Test
  void rows_ofSeveralPostings_takeFromEachWhatItHas() throws IOException {
    AccessPlan both = new AccessPlan.Intersection(List.of(lookup(CITY), lookup(TEAM)));
    CoveredRows rows =
        covered(reading("f:city", "f:name", "f:age", "g:x"), filter("city", "Oslo"), both)
            .orElseThrow();
    CertainPosting team =
        posting(
            TEAM,
            Arrays.asList(Bytes.toBytes("red"), null),
            new CarriedCells(NOW, List.of(3L, 0L), List.of(cell(4, "ex"))));

    assertThat(texts(rows.of(ROW, List.of(team, oslo(cell(7, "Ann"), null)))))
        .containsExactly("f:city=Oslo@5", "f:name=Ann@7", "g:x=ex@4");
    assertThat(rows.of(ROW, List.of(team))).as("without the other one").isEmpty();
  }

  @Test
  void rows_thatFailTheCondition_haveNoCells() throws IOException {
    RowPredicate bea =
        new RowPredicate.Column(
            ColumnRef.of("f", "name"), ValueRange.equalTo(Bytes.toBytes("Bea")));
    CoveredRows rows =
        CoveredRows.of(
                reading("f:city", "f:name"),
                new FilterList(filter("city", "Oslo"), filter("name", "Bea")),
                RowPredicate.all(List.of(IN_OSLO, bea)),
                lookup(CITY),
                KEYS,
                NOW)
            .orElseThrow();

    assertThat(rows.of(ROW, List.of(oslo(cell(7, "Ann"), null)))).contains(List.of());
    assertThat(rows.of(ROW, List.of(oslo(null, null)))).contains(List.of());
    assertThat(texts(rows.of(ROW, List.of(oslo(cell(7, "Bea"), null))))).hasSize(2);
  }

  @Test
  void rows_whosePostingsCarryNothingOrNoLonger_haveToBeRead() throws IOException {
    CoveredRows rows =
        covered(reading("f:city", "f:name"), filter("city", "Oslo"), lookup(CITY)).orElseThrow();
    byte[] key = KEYS.key(CITY.id(), List.of(Bytes.toBytes("Oslo")), ROW);
    CarriedCells expired = new CarriedCells(NOW - 1, List.of(5L), Arrays.asList(null, null));

    assertThat(rows.of(ROW, List.of())).isEmpty();
    assertThat(rows.of(ROW, List.of(new CertainPosting(key, new byte[0])))).isEmpty();
    assertThat(rows.of(ROW, List.of(new CertainPosting(key, PostingCertainty.live(NOW)))))
        .isEmpty();
    assertThat(rows.of(ROW, List.of(posting(CITY, List.of(Bytes.toBytes("Oslo")), expired))))
        .isEmpty();
    byte[] torn = {0x13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9};
    assertThatThrownBy(() -> rows.of(ROW, List.of(new CertainPosting(key, torn))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was unreadable; check and repair the index");
  }

  @Test
  void rows_whosePostingsHoldNoValueOfTheirType_areRefusedWithAdvice() throws IOException {
    CoveredRows rows =
        covered(reading("f:born", "f:name"), filter("born", "1970"), lookup(BORN)).orElseThrow();
    CarriedCells carried = new CarriedCells(NOW, List.of(5L), Arrays.asList(cell(7, "Ann")));
    CertainPosting damaged = posting(BORN, List.of(new byte[] {1, 0, 0}), carried);

    assertThatThrownBy(() -> rows.of(ROW, List.of(damaged)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was unreadable; check and repair the index");
  }

  @Test
  void scans_thatReadMoreThanPostingsCarry_areNotCovered() throws IOException {
    Filter oslo = filter("city", "Oslo");
    Scan good = reading("f:city", "f:name");
    assertThat(covered(good, oslo, lookup(CITY))).isPresent();

    assertThat(covered(new Scan(), oslo, lookup(CITY))).isEmpty();
    assertThat(covered(new Scan(good).addFamily(Bytes.toBytes("g")), oslo, lookup(CITY))).isEmpty();
    assertThat(covered(reading("f:city", "f:other"), oslo, lookup(CITY))).isEmpty();
    assertThat(covered(reading("f:city", "f:"), oslo, lookup(CITY))).isEmpty();
    assertThat(covered(reading("f:nick"), oslo, lookup(TABLE.byName("nick").orElseThrow())))
        .isEmpty();
    assertThat(covered(reading("f:city", "f:name").readVersions(2), oslo, lookup(CITY))).isEmpty();
    assertThat(covered(reading("f:city").setBatch(1), oslo, lookup(CITY))).isEmpty();
    assertThat(covered(reading("f:city").setNeedCursorResult(true), oslo, lookup(CITY))).isEmpty();
    assertThat(
            covered(good, new FilterList(oslo, new PrefixFilter(new byte[] {'r'})), lookup(CITY)))
        .isEmpty();
    assertThat(covered(good, new FilterList(oslo, new FilterList()), lookup(CITY))).isEmpty();
  }

  private static Optional<CoveredRows> covered(Scan scan, Filter filter, AccessPlan plan) {
    return CoveredRows.of(scan, filter, IN_OSLO, plan, KEYS, NOW);
  }

  private static AccessPlan lookup(IndexDefinition index) {
    return new AccessPlan.Lookup(index, List.of());
  }

  private static Scan reading(String... columns) {
    Scan scan = new Scan();
    for (String column : columns) {
      String[] parts = column.split(":", 2);
      scan.addColumn(Bytes.toBytes(parts[0]), Bytes.toBytes(parts[1]));
    }
    return scan;
  }

  private static Filter filter(String qualifier, String value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            Bytes.toBytes("f"),
            Bytes.toBytes(qualifier),
            CompareOperator.EQUAL,
            Bytes.toBytes(value));
    filter.setFilterIfMissing(true);
    return filter;
  }

  private static CarriedCells.Cell cell(long timestamp, String value) {
    return new CarriedCells.Cell(timestamp, Bytes.toBytes(value));
  }

  private static CertainPosting oslo(CarriedCells.Cell name, CarriedCells.Cell note) {
    return posting(
        CITY,
        List.of(Bytes.toBytes("Oslo")),
        new CarriedCells(NOW, List.of(5L), Arrays.asList(name, note)));
  }

  private static CertainPosting posting(
      IndexDefinition index, List<byte[]> values, CarriedCells cells) {
    return new CertainPosting(
        KEYS.key(index.id(), values, ROW),
        PostingCertainty.live(PostingCertainty.UNTIL_WRITTEN, cells));
  }

  private static List<String> texts(Optional<List<Cell>> cells) {
    return cells.orElseThrow().stream()
        .map(
            cell ->
                "%s:%s=%s@%d"
                    .formatted(
                        Bytes.toString(CellUtil.cloneFamily(cell)),
                        Bytes.toString(CellUtil.cloneQualifier(cell)),
                        Bytes.toString(CellUtil.cloneValue(cell)),
                        cell.getTimestamp()))
        .toList();
  }
}
