/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.common.query.RowOrder.Place;
import io.hbaseindex.core.definition.ColumnRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class FirstRowsTest {
  private static final ColumnRef AGE = ColumnRef.of("f", "age");

  private static FirstRows asking(boolean descending, int rows, Optional<Place> after) {
    return new FirstRows(new OrderedRows.Request(new RowOrder(AGE, descending), rows, after));
  }

  private static List<Cell> row(String key, String age) {
    return List.of(cell(key, "a", new byte[] {1}), cell(key, "age", Bytes.toBytes(age)));
  }

  private static Cell cell(String key, String qualifier, byte[] value) {
    return new KeyValue(Bytes.toBytes(key), AGE.family(), Bytes.toBytes(qualifier), value);
  }

  private static Place place(String age, String key) {
    return new Place(Bytes.toBytes(age), Bytes.toBytes(key));
  }

  private static List<String> keys(FirstRows rows) {
    return rows.byKey().stream().map(row -> Bytes.toString(CellUtil.cloneRow(row.get(0)))).toList();
  }

  @Test
  void randomRows_theFirstAreKept_andTheirPlaceIsTold() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 200; round++) {
      boolean descending = random.nextBoolean();
      Optional<Place> after =
          random.nextBoolean()
              ? Optional.of(place("v" + random.nextInt(9), "k%02d".formatted(random.nextInt(60))))
              : Optional.empty();
      int most = random.nextInt(1, 20);
      FirstRows rows = asking(descending, most, after);
      List<Place> offered = new ArrayList<>();
      for (int i = 0; i < random.nextInt(40); i++) {
        String key = String.format(Locale.ROOT, "k%02d", i);
        String age = "v" + random.nextInt(9);
        offered.add(place(age, key));
        rows.offer(row(key, age));
      }
      RowOrder order = new RowOrder(AGE, descending);
      List<Place> behind =
          offered.stream()
              .filter(p -> after.isEmpty() || order.compare(p, after.get()) > 0)
              .sorted(order)
              .toList();
      List<Place> first = behind.stream().limit(most).toList();

      assertThat(keys(rows))
          .isEqualTo(
              first.stream()
                  .map(p -> Bytes.toString(p.row()))
                  .sorted(Comparator.naturalOrder())
                  .toList());
      assertThat(rows.complete())
          .isEqualTo(
              behind.size() > most ? Optional.of(first.get(first.size() - 1)) : Optional.empty());
    }
  }

  @Test
  void rowWithoutTheColumn_isRefused() {
    FirstRows rows = asking(false, 5, Optional.empty());
    assertThatThrownBy(() -> rows.offer(List.of(cell("k", "other", new byte[0]))))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("row k met the scan's condition and did not show the column");
  }

  @Test
  void rowsThatAreTooLargeTogether_areFewer_andSayUpToWhere() throws IOException {
    FirstRows rows = asking(false, 100, Optional.empty());
    byte[] large = new byte[3 << 20];
    for (String age : List.of("5", "1", "4", "2", "3")) {
      rows.offer(List.of(cell("k" + age, "a", large), cell("k" + age, "age", Bytes.toBytes(age))));
    }
    assertThat(keys(rows)).containsExactly("k1", "k2");
    assertThat(rows.complete()).contains(place("2", "k2"));
    // What would come behind is not taken later, although there would be room.
    rows.offer(row("k9", "9"));
    assertThat(keys(rows)).containsExactly("k1", "k2");

    FirstRows one = asking(false, 100, Optional.empty());
    one.offer(List.of(cell("k1", "a", new byte[9 << 20]), cell("k1", "age", Bytes.toBytes("1"))));
    assertThat(keys(one)).containsExactly("k1");
    assertThat(one.complete()).isEmpty();
  }

  @Test
  void rowsThatAreForgotten_areAskedForAnew() throws IOException {
    FirstRows rows = asking(false, 1, Optional.empty());
    rows.offer(row("k1", "1"));
    rows.offer(row("k2", "2"));
    assertThat(rows.complete()).isPresent();
    rows.reset();
    assertThat(rows.complete()).isEmpty();
    rows.offer(row("k2", "2"));
    assertThat(keys(rows)).containsExactly("k2");
  }
}
