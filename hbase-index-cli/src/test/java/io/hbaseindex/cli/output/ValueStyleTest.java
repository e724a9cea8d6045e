/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ValueType;
import java.math.BigDecimal;
import org.apache.hadoop.hbase.types.OrderedString;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.junit.jupiter.api.Test;

class ValueStyleTest {
  @Test
  void text_inUtf8_isShownAsItIs() {
    assertThat(ValueStyle.text(Bytes.toBytes("Bad Mitterndorf, Grüße, 北京, 🎉")))
        .isEqualTo("Bad Mitterndorf, Grüße, 北京, 🎉");
  }

  @Test
  void text_thatCannotBeSeen_isEscaped() {
    assertThat(ValueStyle.text(Bytes.toBytes("a\tb\u0000\u202Ec\\")))
        .isEqualTo("a\\x09b\\x00\\xE2\\x80\\xAEc\\x5C");
    assertThat(ValueStyle.text(new byte[] {'a', (byte) 0xFF, (byte) 0xC3}))
        .isEqualTo("a\\xFF\\xC3");
  }

  @Test
  void numbers_areShownByTheirType() {
    assertThat(ValueStyle.of(ValueType.LONG).show(Bytes.toBytes(-7L)))
        .isEqualTo(new JsonPrimitive(-7L));
    assertThat(ValueStyle.of(ValueType.INT).show(Bytes.toBytes(7))).isEqualTo(new JsonPrimitive(7));
    assertThat(ValueStyle.of(ValueType.SHORT).show(Bytes.toBytes((short) 7)))
        .isEqualTo(new JsonPrimitive(7));
    assertThat(ValueStyle.of(ValueType.DOUBLE).show(Bytes.toBytes(1.5)))
        .isEqualTo(new JsonPrimitive(1.5));
    assertThat(ValueStyle.of(ValueType.FLOAT).show(Bytes.toBytes(1.5f)))
        .isEqualTo(new JsonPrimitive(1.5f));
    assertThat(ValueStyle.of(ValueType.DOUBLE).show(Bytes.toBytes(Double.NaN)))
        .isEqualTo(new JsonPrimitive("NaN"));
    assertThat(ValueStyle.of(ValueType.BOOLEAN).show(Bytes.toBytes(true)))
        .isEqualTo(new JsonPrimitive(true));
    assertThat(ValueStyle.named("decimal").show(Bytes.toBytes(new BigDecimal("1.50"))))
        .isEqualTo(new JsonPrimitive(new BigDecimal("1.50")));
    assertThat(
            ValueStyle.named("ordered-string")
                .show(Value.of(OrderedString.ASCENDING, "Gr\u0001").bytes()))
        .isEqualTo(new JsonPrimitive("Gr\\x01"));
    assertThat(ValueStyle.named("string").show(Bytes.toBytes("a\t")))
        .isEqualTo(new JsonPrimitive("a\\x09"));
    assertThat(ValueStyle.named("hex").show(new byte[] {0, (byte) 0xAB}))
        .isEqualTo(new JsonPrimitive("00AB"));
  }

  @Test
  void valueOfAnotherLengthThanItsType_isShownAsText() {
    assertThat(ValueStyle.of(ValueType.LONG).show(Bytes.toBytes("seven")))
        .isEqualTo(new JsonPrimitive("seven"));
  }

  @Test
  void unknownType_isRefused_andTheKnownAreNamed() {
    assertThatThrownBy(() -> ValueStyle.named("LONG"))
        .hasMessage(
            "\"LONG\" is no type; use one of text, hex, bytes, string, boolean, long, int, short, double, float, decimal, ordered-long, ordered-int, ordered-short, ordered-double, ordered-float, ordered-decimal, ordered-string");
  }
}
