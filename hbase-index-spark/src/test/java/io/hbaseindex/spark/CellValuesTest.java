/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class CellValuesTest {
  private static final byte[] KEY = Bytes.toBytes("r");

  private static SourceColumn column(ValueType type) {
    return new SourceColumn("c", ColumnRef.of("f", "c"), type, 10, 2);
  }

  private static Object read(ValueType type, byte[] cell) throws IOException {
    return CellValues.read(column(type), cell, KEY);
  }

  @Test
  void whatIsWritten_isReadAgain() throws IOException {
    List<Object> values =
        List.of(
            UTF8String.fromString("ö"),
            true,
            -5L,
            -5,
            (short) -5,
            -1.5,
            -1.5f,
            Decimal.apply(new BigDecimal("-1.50"), 10, 2));
    for (ValueType type : ValueType.values()) {
      for (Object value : values) {
        var written = CellValues.write(type, value);
        if (written.isPresent()) {
          assertThat(read(type, written.get().bytes())).as("%s %s", type, value).isEqualTo(value);
        }
      }
      assertThat(
              type == ValueType.BYTES
                  || values.stream().anyMatch(value -> CellValues.write(type, value).isPresent()))
          .as("%s holds one of them", type)
          .isTrue();
    }
  }

  @Test
  void textThatIsNoUtf8_isKeptAsItIs() throws IOException {
    byte[] odd = {(byte) 0xFF, 'a'};
    assertThat(((UTF8String) read(ValueType.STRING, odd)).getBytes()).isEqualTo(odd);
    assertThat(read(ValueType.STRING, new byte[0])).isEqualTo(UTF8String.EMPTY_UTF8);
  }

  @Test
  void decimals_areNeverRounded() throws IOException {
    assertThat(read(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("1.5000"))))
        .isEqualTo(Decimal.apply(new BigDecimal("1.50"), 10, 2));
    assertThat(read(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("0E-30"))))
        .isEqualTo(Decimal.apply(new BigDecimal("0.00"), 10, 2));
    assertThat(read(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("12345678.99"))))
        .isEqualTo(Decimal.apply(new BigDecimal("12345678.99"), 10, 2));
    for (String other : List.of("1.005", "123456789", "1E+2000000000", "1E-2000000000")) {
      assertUnreadable(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal(other)));
    }
  }

  @Test
  void whatIsNoValue_isRefusedWithItsRow() {
    assertUnreadable(ValueType.LONG, Bytes.toBytes("old"));
    assertUnreadable(ValueType.BOOLEAN, new byte[] {1});
    assertUnreadable(ValueType.BOOLEAN, new byte[0]);
    assertUnreadable(ValueType.ORDERED_INT, Bytes.toBytes(7));
    assertThatThrownBy(() -> read(ValueType.LONG, Bytes.toBytes("old")))
        .hasMessage(
            "Cannot read column c of row r: f:c held old, which is no bigint; declare the column as bytes, or as what it holds");
  }

  @Test
  void valuesThatNoCellCanHold_areNotWritten() {
    assertThat(CellValues.write(ValueType.ORDERED_STRING, UTF8String.fromString("a\0b"))).isEmpty();
    assertThat(
            CellValues.write(
                ValueType.ORDERED_DECIMAL, Decimal.apply(new BigDecimal("1".repeat(32)), 38, 0)))
        .isEmpty();
    assertThat(CellValues.write(ValueType.LONG, null)).isEmpty();
  }

  private static void assertUnreadable(ValueType type, byte[] cell) {
    assertThatThrownBy(() -> read(type, cell)).isInstanceOf(IOException.class);
  }
}
