/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

class CountedRowsTest {
  private static final ColumnRef CITY = ColumnRef.of("f", "city, with +");

  @Test
  void request_isReadAsItWasPut() {
    Scan scan = new Scan();
    assertThat(CountedRows.in(scan)).isEmpty();
    CountedRows.askFor(scan, 7);
    assertThat(CountedRows.in(scan)).contains(new CountedRows.Request(7, Optional.empty()));

    Scan grouping = new Scan();
    CountedRows.askForGroups(grouping, CITY);
    assertThat(CountedRows.in(grouping))
        .contains(new CountedRows.Request(Long.MAX_VALUE, Optional.of(CITY)));
  }

  @Test
  void request_thatMakesNoSense_isForRows() {
    for (String nonsense : List.of("", "many", "7.5")) {
      Scan scan = new Scan();
      scan.setAttribute(IndexSettings.SCAN_COUNT, bytes(nonsense));
      assertThat(CountedRows.in(scan)).as(nonsense).isEmpty();
    }
    Scan grouping = new Scan();
    grouping.setAttribute(IndexSettings.SCAN_GROUP_BY, bytes("no column"));
    assertThat(CountedRows.in(grouping)).isEmpty();
  }

  @Test
  void rowsOf_anAnswerAndARow() {
    assertThat(CountedRows.rowsOf(result(CountedRows.answer(bytes("r9"), 5_000_000_000L))))
        .isEqualTo(5_000_000_000L);
    assertThat(CountedRows.rowsOf(result(row("Graz")))).isEqualTo(1);
  }

  @Test
  void groups_ofAnswersAndOfRows_areAddedUp() {
    ValueGroups ofRegion = new ValueGroups();
    ofRegion.add(bytes("Graz"), 300);
    ofRegion.add(bytes(""), 1);
    ofRegion.add(new byte[200], 2);
    ofRegion.add(bytes("Graz"), 1);
    assertThat(ofRegion.size()).isEqualTo(3);
    assertThat(ofRegion.bytes()).isGreaterThan(204);

    ValueGroups all = new ValueGroups();
    CountedRows.addTo(all, result(CountedRows.answer(bytes("r1"), ofRegion)), CITY);
    CountedRows.addTo(all, result(CountedRows.answer(bytes("r2"), ofRegion)), CITY);
    CountedRows.addTo(all, result(row("Wien")), CITY);
    CountedRows.addTo(all, result(row("Graz")), CITY);
    CountedRows.addTo(all, result(row("Graz")), ColumnRef.of("f", "other"));

    assertThat(all.rowsByValue().values().stream().map(rows -> rows[0]))
        .containsExactly(2L, 4L, 603L, 1L);
    assertThat(all.rowsByValue().lastKey()).isEqualTo(bytes("Wien"));
  }

  private static Result result(Cell cell) {
    return Result.create(List.of(cell));
  }

  private static Cell row(String city) {
    return new KeyValue(bytes("row"), CITY.family(), CITY.qualifier(), bytes(city));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void valueLongerThanWhatIsLeft_isRefusedBeforeAnythingIsAllocated() {
    byte[] broken = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7, 'x'};

    assertThatThrownBy(() -> new ValueGroups().addEncoded(broken, 0, broken.length))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("are left");
  }
}
