/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.junit.jupiter.api.Test;

class ValueTypeTest {
  @Test
  void text_inUtf8_isShownAsItIs() {
    assertThat(ValueType.text(Bytes.toBytes("Bad Mitterndorf, Grüße, 北京, 🎉")))
        .isEqualTo("Bad Mitterndorf, Grüße, 北京, 🎉");
  }

  @Test
  void text_thatCannotBeSeen_isEscaped() {
    assertThat(ValueType.text(Bytes.toBytes("a\tb\u0000\u202Ec\\")))
        .isEqualTo("a\\x09b\\x00\\xE2\\x80\\xAEc\\x5C");
    assertThat(ValueType.text(new byte[] {'a', (byte) 0xFF, (byte) 0xC3})).isEqualTo("a\\xFF\\xC3");
  }

  @Test
  void numbers_areShownByTheirType() {
    assertThat(ValueType.LONG.show(Bytes.toBytes(-7L))).isEqualTo(new JsonPrimitive(-7L));
    assertThat(ValueType.INT.show(Bytes.toBytes(7))).isEqualTo(new JsonPrimitive(7));
    assertThat(ValueType.SHORT.show(Bytes.toBytes((short) 7))).isEqualTo(new JsonPrimitive(7));
    assertThat(ValueType.DOUBLE.show(Bytes.toBytes(1.5))).isEqualTo(new JsonPrimitive(1.5));
    assertThat(ValueType.FLOAT.show(Bytes.toBytes(1.5f))).isEqualTo(new JsonPrimitive(1.5f));
    assertThat(ValueType.DOUBLE.show(Bytes.toBytes(Double.NaN)))
        .isEqualTo(new JsonPrimitive("NaN"));
    assertThat(ValueType.BOOLEAN.show(Bytes.toBytes(true))).isEqualTo(new JsonPrimitive(true));
    assertThat(ValueType.HEX.show(new byte[] {0, (byte) 0xAB}))
        .isEqualTo(new JsonPrimitive("00AB"));
  }

  @Test
  void valueOfAnotherLengthThanItsType_isShownAsText() {
    assertThat(ValueType.LONG.show(Bytes.toBytes("seven"))).isEqualTo(new JsonPrimitive("seven"));
  }

  @Test
  void unknownType_isRefused_andTheKnownAreNamed() {
    assertThatThrownBy(() -> ValueType.named("LONG"))
        .hasMessage(
            "\"LONG\" is no type; use one of text, long, int, short, double, float, boolean, hex");
  }
}
