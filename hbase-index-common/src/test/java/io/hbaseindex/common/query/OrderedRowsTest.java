/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.common.query.RowOrder.Place;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class OrderedRowsTest {
  private static final ColumnRef CITY = ColumnRef.of("f", "city, with +");
  private static final Place PLACE = new Place(new byte[] {0, -1}, bytes("r7"));

  @Test
  void request_isReadAsItWasPut() {
    for (boolean descending : List.of(false, true)) {
      for (Optional<Place> after : List.of(Optional.<Place>empty(), Optional.of(PLACE))) {
        OrderedRows.Request request =
            new OrderedRows.Request(
                new RowOrder(CITY, descending ? ValueType.LONG : ValueType.BYTES, descending),
                7,
                after);
        Scan scan = new Scan();
        OrderedRows.askFor(scan, request);
        assertThat(OrderedRows.in(scan)).contains(request);
      }
    }
    assertThat(OrderedRows.in(new Scan())).isEmpty();
  }

  @Test
  void request_thatMakesNoSense_isForRows() {
    for (String nonsense :
        List.of(
            "",
            "f:a",
            "f:a asc",
            "f:a up 7",
            "f:a asc many bytes",
            "f:a asc 0 bytes",
            "f:a asc 7",
            "f:a asc 7 8")) {
      Scan scan = new Scan();
      scan.setAttribute(IndexSettings.SCAN_ORDER_BY, bytes(nonsense));
      assertThat(OrderedRows.in(scan)).as(nonsense).isEmpty();
    }
    Scan broken = new Scan();
    broken.setAttribute(IndexSettings.SCAN_ORDER_BY, bytes("f:a asc 7 bytes"));
    assertThat(OrderedRows.in(broken)).isPresent();
    broken.setAttribute(IndexSettings.SCAN_ORDER_AFTER, new byte[] {9, 'x'});
    assertThat(OrderedRows.in(broken)).isEmpty();
    broken.setAttribute(IndexSettings.SCAN_ORDER_AFTER, new byte[] {-1});
    assertThat(OrderedRows.in(broken)).isEmpty();
  }

  @Test
  void marks_areTakenOffAsTheyWerePutOn() throws IOException {
    Cell cell = new KeyValue(bytes("r1"), CITY.family(), CITY.qualifier(), bytes("Graz"));
    for (Optional<Place> complete : List.of(Optional.<Place>empty(), Optional.of(PLACE))) {
      OrderedRows.Mark mark = new OrderedRows.Mark(bytes("r0"), new byte[0], complete);
      OrderedRows.Marked read =
          OrderedRows.read(Result.create(List.of(OrderedRows.first(bytes("r1"), mark), cell)))
              .orElseThrow();
      assertThat(read.begins()).isPresent();
      assertThat(read.begins().get().first()).isEqualTo(bytes("r0"));
      assertThat(read.begins().get().end()).isEmpty();
      assertThat(read.begins().get().complete()).isEqualTo(complete);
      assertThat(read.row().rawCells()).containsExactly(cell);
    }
    OrderedRows.Marked following =
        OrderedRows.read(Result.create(List.of(OrderedRows.following(bytes("r1")), cell)))
            .orElseThrow();
    assertThat(following.begins()).isEmpty();
    assertThat(following.row().rawCells()).containsExactly(cell);
    assertThat(OrderedRows.read(Result.create(List.of(cell)))).isEmpty();
  }

  @Test
  void marksThatAreNone_areErrorsOfTheServer() throws IOException {
    Cell mark = OrderedRows.following(bytes("r1"));
    for (byte[] bad : List.of(new byte[] {1, 7}, new byte[] {100, 1})) {
      Cell unreadable =
          new KeyValue(bytes("r1"), CellUtil.cloneFamily(mark), CellUtil.cloneQualifier(mark), bad);
      Result row =
          Result.create(
              List.of(unreadable, new KeyValue(bytes("r1"), bytes("f"), bytes("q"), bad)));
      assertThatThrownBy(() -> OrderedRows.read(row))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("the mark of row r1 had 2 bytes that are none");
    }
  }

  @Test
  void places_ofAnyBytes_areReadAsTheyWereWritten() {
    for (Place place :
        List.of(PLACE, new Place(new byte[0], bytes("r")), new Place(new byte[300], bytes("r")))) {
      assertThat(OrderedRows.decode(OrderedRows.encode(place))).isEqualTo(place);
    }
    assertThatThrownBy(() -> OrderedRows.decode(new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ends too early");
    assertThatThrownBy(() -> OrderedRows.decode(new byte[] {5, 1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 bytes were announced and 1 are left");
  }

  @Test
  void descending_isTheExactReverse() {
    RowOrder rising = new RowOrder(CITY, false);
    RowOrder falling = new RowOrder(CITY, true);
    Place low = new Place(bytes("a"), bytes("r2"));
    Place sameValue = new Place(bytes("a"), bytes("r3"));
    Place high = new Place(new byte[] {-1}, bytes("r1"));

    assertThat(List.of(high, sameValue, low).stream().sorted(rising))
        .containsExactly(low, sameValue, high);
    assertThat(List.of(low, sameValue, high).stream().sorted(falling))
        .containsExactly(high, sameValue, low);
  }

  @Test
  void typedOrder_isThatOfNumbers_andOthersComeLast() {
    RowOrder rising = new RowOrder(CITY, ValueType.LONG, false);
    List<Place> places =
        Stream.of(
                Bytes.toBytes(Long.MIN_VALUE),
                Bytes.toBytes(-1L),
                Bytes.toBytes(0L),
                Bytes.toBytes(7L),
                bytes("text"))
            .map(cell -> new Place(cell, bytes("r")))
            .toList();
    for (int i = 0; i < places.size(); i++) {
      for (int j = 0; j < places.size(); j++) {
        assertThat(Integer.signum(rising.compare(places.get(i), places.get(j))))
            .isEqualTo(Integer.compare(i, j));
        assertThat(
                Integer.signum(
                    new RowOrder(CITY, ValueType.LONG, true).compare(places.get(i), places.get(j))))
            .isEqualTo(Integer.compare(j, i));
      }
    }
    assertThat(rising).hasToString(CITY + " as long");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
