/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.testing.GoldenFile;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.types.OrderedNumeric;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.junit.jupiter.api.Test;

class CountedRowsTest {
  private static final ColumnRef CITY = ColumnRef.of("f", "city, with +");

  private static final CountedRows.Request BY_CITY = by(CITY);
  private static final ColumnRef AMOUNT = ColumnRef.of("f", "amount");

  private static CountedRows.Request by(ColumnRef column) {
    return new CountedRows.Request(
        Long.MAX_VALUE, Optional.of(column), Optional.empty(), Optional.empty());
  }

  private static CountedRows.Request sum(ValueType type, Optional<ColumnRef> groupBy) {
    return new CountedRows.Request(
        Long.MAX_VALUE,
        groupBy,
        Optional.empty(),
        Optional.of(new CountedRows.Summed(AMOUNT, type)));
  }

  @Test
  void requestForSums_isReadAsItWasPut() {
    for (Optional<ColumnRef> groupBy : List.of(Optional.of(CITY), Optional.<ColumnRef>empty())) {
      Scan scan = new Scan();
      CountedRows.Request asked = sum(ValueType.ORDERED_LONG, groupBy);
      CountedRows.askForSum(scan, asked.sum().orElseThrow(), groupBy);
      assertThat(CountedRows.in(scan)).contains(asked);
    }
    for (String nonsense : List.of("", "f:a", "f:a text", "f:a string", "f:a long f:b f:c")) {
      Scan scan = new Scan();
      scan.setAttribute(IndexSettings.SCAN_SUM, bytes(nonsense));
      assertThat(CountedRows.in(scan)).as(nonsense).isEmpty();
    }
  }

  @Test
  void requestForTimes_isReadAsItWasPut() {
    List<CountedTimes> spans =
        List.of(
            CountedTimes.all(TimeBucket.HOUR),
            new CountedTimes(TimeBucket.DAY, 1_772_323_200_000L, 1_775_001_600_000L),
            new CountedTimes(TimeBucket.MONTH, -5, Long.MAX_VALUE));
    for (CountedTimes span : spans) {
      Scan scan = new Scan();
      CountedRows.askForTimes(scan, CITY, span);
      assertThat(CountedRows.in(scan)).contains(byTime(span));
    }
    List<String> texts = new ArrayList<>();
    for (CountedTimes span : spans) {
      Scan scan = new Scan();
      CountedRows.askForTimes(scan, CITY, span);
      texts.add(Bytes.toString(scan.getAttribute(IndexSettings.SCAN_GROUP_BY)));
    }
    assertThat(texts)
        .containsExactly(
            CITY + " hour",
            CITY + " day 1772323200000 1775001600000",
            CITY + " month -5 9223372036854775807");
    for (String nonsense :
        List.of("f:a ", "f:a week", "f:a day 1", "f:a day 1 x", "f:a day 2 1", "f:a day 1 2 3")) {
      Scan scan = new Scan();
      scan.setAttribute(IndexSettings.SCAN_GROUP_BY, bytes(nonsense));
      assertThat(CountedRows.in(scan)).as(nonsense).isEmpty();
    }
  }

  @Test
  void times_ofAnswersAndOfRows_areAddedUp_andThoseOutsideLeftOut() {
    CountedRows.Request request = byTime(new CountedTimes(TimeBucket.HOUR, 3_600_000, 7_200_000));
    ValueGroups ofRegion = CountedRows.groupsFor(request);
    for (long time : new long[] {3_599_999, 3_600_000, 7_199_999, 7_200_000}) {
      CountedRows.addRow(ofRegion, request, column -> request.groupOf(time));
    }
    ValueGroups all = CountedRows.groupsFor(request);
    CountedRows.addTo(all, result(CountedRows.answer(bytes("r2"), request, ofRegion)), request);
    for (long time : new long[] {3_599_999, 5_000_000}) {
      CountedRows.addTo(all, result(written(time)), request);
    }

    assertThat(all.byValue()).hasSize(1);
    assertThat(all.byValue().get(Bytes.toBytes(3_600_000L)).rows()).isEqualTo(3);
  }

  private static CountedRows.Request byTime(CountedTimes span) {
    return new CountedRows.Request(
        Long.MAX_VALUE, Optional.of(CITY), Optional.of(span), Optional.empty());
  }

  private static Cell written(long time) {
    return new KeyValue(bytes("r1"), CITY.family(), CITY.qualifier(), time, bytes("Graz"));
  }

  @Test
  void sums_ofAnswersAndOfRows_areExact() {
    CountedRows.Request request = sum(ValueType.LONG, Optional.of(CITY));
    ValueGroups ofRegion = CountedRows.groupsFor(request);
    CountedRows.addRow(ofRegion, request, row("Graz", Bytes.toBytes(Long.MAX_VALUE)));
    CountedRows.addRow(ofRegion, request, row("Graz", Bytes.toBytes(Long.MAX_VALUE)));
    CountedRows.addRow(ofRegion, request, row("Graz", null));
    CountedRows.addRow(ofRegion, request, row("Wien", bytes("none")));
    CountedRows.addRow(ofRegion, request, row(null, Bytes.toBytes(1L)));
    byte[] golden = GoldenFile.bytes("sums", ofRegion.encode());
    ValueGroups all = CountedRows.groupsFor(request);
    all.addEncoded(golden, 0, golden.length);
    CountedRows.addTo(all, result(CountedRows.answer(bytes("r2"), request, ofRegion)), request);
    CountedRows.addTo(all, result(row("Wien")), request);

    ValueGroups.Group graz = all.byValue().get(bytes("Graz"));
    ValueGroups.Group wien = all.byValue().get(bytes("Wien"));
    assertThat(graz.rows()).isEqualTo(6);
    assertThat(graz.sum().numbers()).isEqualTo(4);
    assertThat(graz.sum().total())
        .isEqualTo(BigDecimal.valueOf(Long.MAX_VALUE).multiply(BigDecimal.valueOf(4)));
    assertThat(wien.rows()).isEqualTo(3);
    assertThat(wien.sum().skipped()).isEqualTo(2);
    assertThat(wien.sum().numbers()).isZero();
    assertThat(all.size()).isEqualTo(2);
  }

  /** Doubles are added as what they are, so that nothing gets lost on the way. */
  @Test
  void sum_ofDoubles_doesNotDependOnTheirOrder() {
    double[] numbers = {1e300, 0.1, -1e300, Double.NaN, 0.2, Double.NEGATIVE_INFINITY, 5e-324};
    ExactSum forth = new ExactSum();
    ExactSum back = new ExactSum();
    for (int i = 0; i < numbers.length; i++) {
      forth.add(ValueType.DOUBLE, Bytes.toBytes(numbers[i]));
      back.add(ValueType.DOUBLE, Bytes.toBytes(numbers[numbers.length - 1 - i]));
    }
    BigDecimal exact = new BigDecimal(0.1).add(new BigDecimal(0.2)).add(new BigDecimal(5e-324));
    assertThat(forth.total()).isEqualByComparingTo(exact);
    assertThat(back.total()).isEqualByComparingTo(exact);
    assertThat(forth.numbers()).isEqualTo(5);
    assertThat(forth.skipped()).isEqualTo(2);
  }

  @Test
  void sum_ofDecimals_leavesOutWhatWouldTakeTooMuchMemory() {
    ExactSum sum = new ExactSum();
    sum.add(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("12.50")));
    sum.add(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("-0.5")));
    sum.add(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("1E+2000000000")));
    sum.add(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("1E-2000000000")));
    assertThat(sum.total()).isEqualByComparingTo("12");
    assertThat(sum.skipped()).isEqualTo(2);
  }

  /**
   * HBase writes out the zeros of an exponent: a few bytes may stand for more than there is room.
   */
  @Test
  void sum_ofOrderedDecimals_skipsThoseOfAnEndlessExponent() {
    ExactSum sum = new ExactSum();
    for (int exponent : new int[] {200_000_000, (1 << 30) - 1, 1 << 30, Integer.MAX_VALUE}) {
      for (int sign : new int[] {0, 0xFF}) {
        byte[] cell = new byte[12];
        cell[0] = (byte) (sign == 0 ? 0x22 : 0x08);
        ByteBuffer.wrap(cell).put(1, (byte) 0xFB).putInt(2, exponent);
        Arrays.fill(cell, 6, 11, (byte) 0x33);
        cell[11] = 0x32;
        for (int at = 1; at < cell.length; at++) {
          cell[at] ^= (byte) sign;
        }
        sum.add(ValueType.ORDERED_DECIMAL, cell);
        for (int at = 0; at < cell.length; at++) {
          cell[at] = (byte) ~cell[at]; // the falling form
        }
        sum.add(ValueType.ORDERED_DECIMAL, cell);
      }
    }
    assertThat(sum.numbers()).isZero();
    assertThat(sum.skipped()).isEqualTo(16);
  }

  @Test
  void sum_ofOrderedDecimals_isThatOfTheNumbers() {
    BigDecimal total = BigDecimal.ZERO;
    ExactSum sum = new ExactSum();
    for (String text : List.of("12.5", "-0.03", "1E+1000", "-7E-999", "0", "-1E+300", "4E-30")) {
      BigDecimal number = new BigDecimal(text);
      byte[] cell = new byte[OrderedNumeric.ASCENDING.encodedLength(number)];
      OrderedNumeric.ASCENDING.encode(new SimplePositionedMutableByteRange(cell), number);
      sum.add(ValueType.ORDERED_DECIMAL, cell);
      total = total.add(number);
    }
    assertThat(sum.skipped()).isZero();
    assertThat(sum.total()).isEqualByComparingTo(total);
  }

  private static Function<ColumnRef, byte[]> row(String city, byte[] amount) {
    Map<ColumnRef, byte[]> cells = new HashMap<>();
    cells.put(CITY, city == null ? null : bytes(city));
    cells.put(AMOUNT, amount);
    return cells::get;
  }

  @Test
  void brokenSum_isRefused() {
    byte[] broken = {1, 'x', 1, 1, 0, 0, 0, 0, 0, 9, 1};
    assertThatThrownBy(() -> new ValueGroups(true).addEncoded(broken, 0, broken.length))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("are left");
  }

  @Test
  void request_isReadAsItWasPut() {
    Scan scan = new Scan();
    assertThat(CountedRows.in(scan)).isEmpty();
    CountedRows.askFor(scan, 7);
    assertThat(CountedRows.in(scan))
        .contains(new CountedRows.Request(7, Optional.empty(), Optional.empty(), Optional.empty()));

    Scan grouping = new Scan();
    CountedRows.askForGroups(grouping, CITY);
    assertThat(CountedRows.in(grouping)).contains(BY_CITY);
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
    CountedRows.addTo(all, result(CountedRows.answer(bytes("r1"), BY_CITY, ofRegion)), BY_CITY);
    CountedRows.addTo(all, result(CountedRows.answer(bytes("r2"), BY_CITY, ofRegion)), BY_CITY);
    CountedRows.addTo(all, result(row("Wien")), BY_CITY);
    CountedRows.addTo(all, result(row("Graz")), BY_CITY);
    CountedRows.addTo(all, result(row("Graz")), by(ColumnRef.of("f", "other")));

    assertThat(all.byValue().values().stream().map(ValueGroups.Group::rows))
        .containsExactly(2L, 4L, 603L, 1L);
    assertThat(all.byValue().lastKey()).isEqualTo(bytes("Wien"));
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
