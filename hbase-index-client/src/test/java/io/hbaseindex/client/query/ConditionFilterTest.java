/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Shows rows to the filters that conditions become, as a region would. */
class ConditionFilterTest {
  private static final Column CITY = Column.of("f", "city");
  private static final Column NICK = Column.of("f", "nick");

  /** City and nick, either may be absent. */
  private static final Map<String, String[]> ROWS =
      new TreeMap<>(
          Map.of(
              "1", new String[] {"Graz", "gg"},
              "2", new String[] {"Groß Gerungs", null},
              "3", new String[] {"Linz", "ll%"},
              "4", new String[] {null, "x"},
              "5", new String[] {"", null},
              "6", new String[] {null, null}));

  @Test
  void unequal_missesRowsWithoutAValue() throws IOException {
    assertThat(rows(CITY.notEqualTo("Graz"))).containsExactly("2", "3", "5");
    assertThat(rows(CITY.equalTo("Graz").not())).containsExactly("2", "3", "5");
    assertThat(rows(CITY.startsWith("Gr").not())).containsExactly("3", "5");
  }

  @Test
  void absentAndPresent() throws IOException {
    assertThat(rows(CITY.isAbsent())).containsExactly("4", "6");
    assertThat(rows(CITY.isPresent())).containsExactly("1", "2", "3", "5");
    assertThat(rows(CITY.isPresent().not())).containsExactly("4", "6");
    assertThat(rows(CITY.isAbsent().and(NICK.isAbsent()))).containsExactly("6");
    assertThat(rows(CITY.isAbsent().or(NICK.equalTo("gg")))).containsExactly("1", "4", "6");
  }

  @Test
  void not_isTheOpposite_ofEveryCombination() throws IOException {
    Condition both = CITY.startsWith("Gr").and(NICK.equalTo("gg"));
    assertThat(rows(both)).containsExactly("1");
    assertThat(rows(both.not())).as("of row 2 it cannot be said").containsExactly("3", "4", "5");
    assertThat(rows(both.not().not())).containsExactly("1");
    assertThat(rows(CITY.atLeast(Value.of("H")).not())).containsExactly("1", "2", "5");
    assertThat(rows(CITY.in("Graz", "Linz").not())).containsExactly("2", "5");
  }

  @Test
  void like_wildcardsEverywhere() throws IOException {
    assertThat(rows(CITY.like("Gr%"))).containsExactly("1", "2");
    assertThat(rows(CITY.like("Gr__"))).containsExactly("1");
    assertThat(rows(CITY.like("%z"))).containsExactly("1", "3");
    assertThat(rows(CITY.like("%r%z"))).containsExactly("1");
    assertThat(rows(CITY.like("Gr%Ger%s"))).containsExactly("2");
    assertThat(rows(CITY.like("Gro_ %"))).as("a character beyond ASCII").containsExactly("2");
    assertThat(rows(CITY.like("%"))).containsExactly("1", "2", "3", "5");
    assertThat(rows(CITY.like("Graz"))).containsExactly("1");
    assertThat(rows(CITY.like("raz"))).isEmpty();
    assertThat(rows(CITY.like(""))).containsExactly("5");
    assertThat(rows(CITY.like("%r%").not())).containsExactly("3", "5");
    assertThat(rows(NICK.like("%\\%"))).containsExactly("3");
    assertThat(rows(NICK.like("ll\\%"))).containsExactly("3");
  }

  @Test
  void like_beginning_isWhatAnIndexLooksFor() {
    assertThat(CITY.like("Gr%")).isEqualTo(CITY.startsWith("Gr"));
    assertThat(CITY.like("Graz")).isEqualTo(CITY.equalTo("Graz"));
    assertThat(CITY.like("%")).isEqualTo(CITY.isPresent());
    assertThat(CITY.like("Gr%z").toString()).isEqualTo("(f:city starts with Gr and f:city like 'Gr%z')");
    assertThat(CITY.like("G_a%").toString()).startsWith("(f:city starts with G and ");
  }

  @Test
  void like_thatEndsWithABackslash_isRefused() {
    assertThatThrownBy(() -> CITY.like("Gr\\")).hasMessageContaining("write two for one");
  }

  /** Where each piece could stand in many places, trying them all takes longer than anybody waits. */
  @Test
  void like_manyWildcardsAndALongValue_endsSoon() throws IOException {
    Filter filter = ConditionFilter.of(CITY.like("%a".repeat(40) + "%b"));
    assertThat(passes(filter, "r", "a".repeat(100_000), null)).isFalse();
  }

  @Test
  void rowsWithoutTheColumns_areReadWhole() {
    IndexQuery projected =
        IndexQuery.from("t").where(CITY.isAbsent()).select(NICK);
    assertThat(projected.toScan().getFamilyMap()).isEmpty();
    assertThat(
            IndexQuery.from("t")
                .where(CITY.isAbsent().and(NICK.isPresent()))
                .select(NICK)
                .toScan()
                .getFamilyMap())
        .isNotEmpty();
  }

  @Test
  void bounds_narrowTheScan_andBelongToTheQuery() {
    IndexQuery all = IndexQuery.from("t").where(CITY.equalTo("Graz"));
    IndexQuery narrow =
        all.fromRow("a")
            .beforeRow("b")
            .writtenBetween(5, 7)
            .passing(
                new RowFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(Bytes.toBytes("a7"))));
    Scan scan = narrow.toScan();

    assertThat(Bytes.toString(scan.getStartRow())).isEqualTo("a");
    assertThat(Bytes.toString(scan.getStopRow())).isEqualTo("b");
    assertThat(scan.getTimeRange().getMin()).isEqualTo(5);
    assertThat(scan.getTimeRange().getMax()).isEqualTo(7);
    assertThat(narrow.toString()).contains("and row >= a and row < b").contains("passing");
    assertThatThrownBy(() -> all.fromRow("b").beforeRow("a")).hasMessageContaining("swap the keys");
    for (IndexQuery other :
        List.of(
            all.fromRow("a"),
            all.beforeRow("a"),
            all.writtenBetween(5, 7),
            all.passing(
                new RowFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes("a")))))) {
      String token = new PageToken(1, Bytes.toBytes("a")).encode(other);
      assertThat(PageToken.decode(other, token).rowsBefore()).isEqualTo(1);
      assertThatThrownBy(() -> PageToken.decode(all, token))
          .hasMessageContaining("belongs to another query");
    }
  }

  private static List<String> rows(Condition condition) throws IOException {
    Filter filter = ConditionFilter.of(condition);
    List<String> passed = new java.util.ArrayList<>();
    for (Map.Entry<String, String[]> row : ROWS.entrySet()) {
      if (passes(filter, row.getKey(), row.getValue()[0], row.getValue()[1])) {
        passed.add(row.getKey());
      }
    }
    return passed;
  }

  private static boolean passes(Filter filter, String row, String city, String nick)
      throws IOException {
    filter.reset();
    show(filter, row, "always", "there");
    show(filter, row, "city", city);
    show(filter, row, "nick", nick);
    return !filter.filterRow();
  }

  private static void show(Filter filter, String row, String column, String value)
      throws IOException {
    if (value != null) {
      KeyValue cell =
          new KeyValue(
              Bytes.toBytes(row), Bytes.toBytes("f"), Bytes.toBytes(column), Bytes.toBytes(value));
      filter.filterCell(cell);
    }
  }
}
