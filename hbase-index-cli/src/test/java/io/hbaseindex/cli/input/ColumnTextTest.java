/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.ColumnRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnTextTest {
  @Test
  void charactersBeyondAscii_areTheirBytesInUtf8() {
    assertThat(ColumnText.parse("f:größe")).isEqualTo(ColumnRef.of("f", "größe"));
    assertThat(ColumnText.parse("f:\uD83D\uDE00")).isEqualTo(ColumnRef.of("f", "\uD83D\uDE00"));
  }

  @Test
  void escapes_areReadInBothCases() {
    ColumnRef expected = ColumnRef.of(new byte[] {'f'}, new byte[] {'a', -1, 0x5C});

    assertThat(ColumnText.parse("f:a\\xFF\\x5C")).isEqualTo(expected);
    assertThat(ColumnText.parse("f:a\\xff\\x5c")).isEqualTo(expected);
  }

  @Test
  void charactersThatDefinitionsEscape_mayBeTypedAsTheyAre() {
    assertThat(ColumnText.parse("f:first name")).isEqualTo(ColumnRef.of("f", "first name"));
    assertThat(ColumnText.parse("f:a:b=c+d")).isEqualTo(ColumnRef.of("f", "a:b=c+d"));
    assertThat(ColumnText.parse("f:")).isEqualTo(ColumnRef.of("f", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"f:\\", "f:\\x", "f:\\x4", "f:a\\n", "f\\q:a", "f:\\xg0", "f:\\X41"})
  void backslash_thatBeginsNoByte_isRefused(String text) {
    assertThatThrownBy(() -> ColumnText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has a backslash not followed by xHH; write a backslash as \\x5C");
  }

  @Test
  void characterThatTheTerminalCouldNotTell_isRefused() {
    assertThatThrownBy(() -> ColumnText.parse("f:gr\uFFFD\uFFFDe"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write its bytes as \\xHH");
  }
}
