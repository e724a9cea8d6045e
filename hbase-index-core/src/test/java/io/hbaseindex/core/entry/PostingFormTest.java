/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.testing.GoldenFile;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PostingFormTest {
  private static final IndexRowKeys KEYS =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[32]).orElseThrow();

  @Test
  void longs_sortAsNumbers() {
    sortsAs(
        ValueType.LONG,
        List.of(Long.MIN_VALUE, -256L, -255L, -2L, -1L, 0L, 1L, 255L, 256L, Long.MAX_VALUE),
        Comparator.naturalOrder(),
        PostingFormTest::cell);
    sortsAs(
        ValueType.INT,
        List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE),
        Comparator.naturalOrder(),
        number -> ByteBuffer.allocate(4).putInt(number).array());
    sortsAs(
        ValueType.SHORT,
        List.of(Short.MIN_VALUE, (short) -1, (short) 0, Short.MAX_VALUE),
        Comparator.naturalOrder(),
        number -> ByteBuffer.allocate(2).putShort(number).array());
  }

  @Test
  void doubles_sortAsNumbers_theTwoZerosAndNoNumberByTheOrderOfJava() {
    sortsAs(
        ValueType.DOUBLE,
        List.of(
            Double.NEGATIVE_INFINITY,
            -Double.MAX_VALUE,
            -2.5,
            -1.0,
            -Double.MIN_VALUE,
            -0.0,
            0.0,
            Double.MIN_VALUE,
            1.0,
            2.5,
            Double.POSITIVE_INFINITY,
            Double.NaN),
        Double::compare,
        PostingFormTest::cell);
    sortsAs(
        ValueType.FLOAT,
        List.of(-3.5f, -1f, -0f, 0f, Float.MIN_VALUE, 7f, Float.NaN),
        Float::compare,
        number -> ByteBuffer.allocate(4).putFloat(number).array());
  }

  @Test
  void decimals_sortAsNumbers_thenByScale() {
    List<BigDecimal> numbers = new ArrayList<>();
    for (String text :
        List.of("0", "0.000", "1", "1.0", "1.00", "10", "1E+1", "9.99", "0.01", "-1", "-1.0")) {
      numbers.add(new BigDecimal(text));
    }
    for (String text :
        List.of("1E+2147483647", "1E-2147483647", "-12.345", "-12.34", "123456789")) {
      numbers.add(new BigDecimal(text));
    }
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      BigInteger unscaled = new BigInteger(1 + random.nextInt(200), random);
      int scale = random.nextInt(2_000) - 1_000;
      numbers.add(new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale));
      numbers.add(BigDecimal.valueOf(random.nextInt(2_000) - 1_000, random.nextInt(4)));
    }
    sortsAs(
        ValueType.DECIMAL,
        numbers,
        Comparator.<BigDecimal>naturalOrder().thenComparing(BigDecimal::scale),
        PostingFormTest::cell);
  }

  private static <T> void sortsAs(
      ValueType type, List<T> values, Comparator<T> order, Function<T, byte[]> cells) {
    for (T one : values) {
      byte[] cell = cells.apply(one);
      byte[] form = PostingForm.of(type, cell);
      assertThat(form[0]).isEqualTo(PostingForm.VALUE);
      assertThat(PostingForm.isOther(type, cell)).isFalse();
      assertThat(PostingForm.cellOf(type, form)).isEqualTo(cell);
      for (T other : values) {
        int compared = Arrays.compareUnsigned(form, PostingForm.of(type, cells.apply(other)));
        assertThat(Integer.signum(compared))
            .as("%s and %s", one, other)
            .isEqualTo(Integer.signum(order.compare(one, other)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ValueType.class)
  void anyCell_ofAnyLength_canBeHadBack_andNoTwoShareAForm(ValueType type) {
    Random random = new Random(type.ordinal());
    for (int run = 0; run < 2_000; run++) {
      byte[] cell = new byte[random.nextInt(12)];
      random.nextBytes(cell);
      if (cell.length > 4 && random.nextBoolean()) {
        // A scale that is not absurd, and bytes that a decimal could have been written with.
        Arrays.fill(cell, 0, 4, (byte) 0);
        cell[4] = (byte) (random.nextInt(3) - 1);
      }
      byte[] form = PostingForm.of(type, cell);
      assertThat(PostingForm.cellOf(type, form)).isEqualTo(cell);
    }
    assertThat(PostingForm.of(type, null)).isNull();
    assertThat(PostingForm.cellOf(type, null)).isNull();
    assertThat(PostingForm.isOther(type, null)).isFalse();
  }

  @Test
  void cellsThatAreNoValues_areKnown() {
    assertThat(PostingForm.isOther(ValueType.LONG, new byte[7])).isTrue();
    assertThat(PostingForm.isOther(ValueType.DOUBLE, new byte[9])).isTrue();
    assertThat(PostingForm.isOther(ValueType.BOOLEAN, new byte[2])).isTrue();
    assertThat(PostingForm.isOther(ValueType.BOOLEAN, new byte[1])).isFalse();
    assertThat(PostingForm.isOther(ValueType.ORDERED_LONG, new byte[8])).isTrue();
    assertThat(PostingForm.isOther(ValueType.BYTES, new byte[8])).isFalse();
    assertThat(PostingForm.isOther(ValueType.STRING, new byte[0])).isFalse();
    // HBase reads both as decimals; they are not what it writes, and a form would lose that.
    assertThat(PostingForm.isOther(ValueType.DECIMAL, new byte[] {0, 0, 0, 0, 0, 5})).isTrue();
    assertThat(PostingForm.isOther(ValueType.DECIMAL, new byte[] {0, 0, 0, 0, -1, -5})).isTrue();
    assertThat(PostingForm.isOther(ValueType.DECIMAL, new byte[4])).isTrue();
    assertThat(
            PostingForm.isOther(
                ValueType.DECIMAL, cell(new BigDecimal("1E-400").add(BigDecimal.ONE))))
        .isTrue();
  }

  @Test
  void cellOf_whatIsNoForm_isRefused() {
    for (byte[] form : List.of(new byte[0], new byte[] {3}, new byte[] {1, 0, 0})) {
      assertThatThrownBy(() -> PostingForm.cellOf(ValueType.LONG, form))
          .isInstanceOf(MalformedPostingException.class)
          .hasMessageStartingWith("Cannot read a posting: a column of type long had");
    }
    Random random = new Random(8);
    byte[] good = PostingForm.of(ValueType.DECIMAL, cell(new BigDecimal("-123.45")));
    for (int run = 0; run < 20_000; run++) {
      byte[] form = Arrays.copyOf(good, 2 + random.nextInt(good.length));
      form[1 + random.nextInt(form.length - 1)] = (byte) random.nextInt();
      try {
        PostingForm.cellOf(ValueType.DECIMAL, form);
      } catch (MalformedPostingException e) {
        assertThat(e).hasMessageContaining("decimal had");
      }
    }
  }

  @Test
  void keysOfATypedIndex_holdCellsOfEveryColumn() {
    IndexDefinition index =
        IndexDefinition.on("f", "a")
            .as(ValueType.LONG)
            .and("f", "b")
            .and("f", "c")
            .as(ValueType.DECIMAL)
            .named("i")
            .eager();
    for (List<byte[]> cells :
        List.of(
            List.of(cell(-7L), new byte[] {'x'}, cell(new BigDecimal("1.50"))),
            Arrays.asList(new byte[3], null, new byte[2]),
            Arrays.asList(cell(0L), new byte[0], null))) {
      byte[] key = KEYS.key(index, cells, new byte[] {'r'});
      List<byte[]> read = KEYS.cells(key, index);
      assertThat(Arrays.deepEquals(read.toArray(), cells.toArray())).isTrue();
    }
    assertThat(IndexRowKeys.holdWhole(ValueType.BYTES, new byte[512])).isTrue();
    assertThat(IndexRowKeys.holdWhole(ValueType.LONG, new byte[512])).isFalse();
  }

  @Test
  void elements_ofDecimals_areThoseOfTheNumber_andOfAllOtherCellsOne() {
    IndexDefinition index =
        IndexDefinition.on("f", "a").as(ValueType.DECIMAL).and("f", "b").named("i").eager();
    PostingElements elements = PostingElements.of(5, index);
    RouteSet first = index.routes().get(0);
    long one = elements.ofValues(first, List.of(cell(new BigDecimal("1"))));

    assertThat(elements.ofValues(first, List.of(cell(new BigDecimal("1.00"))))).isEqualTo(one);
    byte[] number = DecimalForm.numberOf(new BigDecimal("1.0")).orElseThrow();
    assertThat(elements.ofForms(first, List.of(number))).isEqualTo(one);
    assertThat(elements.ofValues(first, List.of(cell(new BigDecimal("-1"))))).isNotEqualTo(one);
    assertThat(elements.ofValues(first, List.of(new byte[2])))
        .isEqualTo(elements.ofValues(first, List.of(new byte[3])))
        .isNotEqualTo(one);
    for (byte[] cell : List.of(cell(new BigDecimal("1.00")), new byte[3])) {
      List<byte[]> cells = List.of(cell, new byte[] {'b'});
      List<Long> ofKey = new ArrayList<>();
      elements.ofKey(
          KEYS, KEYS.key(index, cells, new byte[] {'r'}), (space, element) -> ofKey.add(element));
      assertThat(ofKey)
          .containsExactly(
              elements.ofValues(first, List.of(cell)),
              elements.ofValues(index.routes().get(1), cells));
    }
  }

  @Test
  void forms_areThoseOfEveryPostingEverWritten() {
    StringBuilder written = new StringBuilder();
    for (long number : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
      append(written, ValueType.LONG, number, cell(number));
    }
    for (double number : new double[] {-2.5, -0.0, 0.0, 2.5, Double.POSITIVE_INFINITY}) {
      append(written, ValueType.DOUBLE, number, cell(number));
    }
    for (String number : List.of("-12.50", "-1", "0", "0.0", "1", "1.0", "10", "123.4", "1E+300")) {
      append(written, ValueType.DECIMAL, number, cell(new BigDecimal(number)));
    }
    append(written, ValueType.INT, -1, new byte[] {-1, -1, -1, -1});
    append(written, ValueType.SHORT, 1, new byte[] {0, 1});
    append(written, ValueType.FLOAT, -1f, ByteBuffer.allocate(4).putFloat(-1f).array());
    append(written, ValueType.LONG, "other", new byte[] {1, 2, 3});
    append(written, ValueType.DECIMAL, "other", new byte[] {1, 2, 3});
    append(written, ValueType.BOOLEAN, true, new byte[] {-1});
    append(written, ValueType.STRING, "text", new byte[] {'t'});

    GoldenFile.text("posting-forms", written.toString());
  }

  private static void append(StringBuilder written, ValueType type, Object what, byte[] cell) {
    written.append(
        "%s %s %s\n"
            .formatted(type.keyword(), what, HexFormat.of().formatHex(PostingForm.of(type, cell))));
  }

  private static byte[] cell(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  private static byte[] cell(double number) {
    return ByteBuffer.allocate(8).putDouble(number).array();
  }

  private static byte[] cell(BigDecimal number) {
    byte[] unscaled = number.unscaledValue().toByteArray();
    return ByteBuffer.allocate(4 + unscaled.length).putInt(number.scale()).put(unscaled).array();
  }
}
