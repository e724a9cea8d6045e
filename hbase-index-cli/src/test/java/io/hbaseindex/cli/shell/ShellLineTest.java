/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ShellLineTest {
  @Test
  void words_quotesHoldThemTogether() {
    assertThat(ShellLine.words("  create t by_a  -c f:a "))
        .containsExactly("create", "t", "by_a", "-c", "f:a");
    assertThat(ShellLine.words("query t -w \"f:a = 'b c'\" --count"))
        .containsExactly("query", "t", "-w", "f:a = 'b c'", "--count");
    assertThat(ShellLine.words("list 'a b' \"\"")).containsExactly("list", "a b", "");
    assertThat(ShellLine.words("query t -s f:\\x00")).contains("f:\\x00");
    assertThat(ShellLine.words(" ")).isEmpty();
    assertThat(ShellLine.words("list 'open")).containsExactly("list", "'open");
  }

  @Test
  void words_afterWhere_areTheCondition() {
    assertThat(ShellLine.words("query t --count where f:a = 'b  c' and row < d limit 5"))
        .containsExactly("query", "t", "--count", "-w", "f:a = 'b  c' and row < d limit 5");
    assertThat(ShellLine.words("explain t WHERE f:a = where"))
        .containsExactly("explain", "t", "-w", "f:a = where");
    assertThat(ShellLine.words("drop t where")).containsExactly("drop", "t", "where");
  }

  @Test
  void streamOfLines_isReadToItsEnd() throws IOException {
    byte[] script = "größe\nlist".getBytes(StandardCharsets.UTF_8);
    try (LineSource lines = new LineSource.Stream(new ByteArrayInputStream(script))) {
      assertThat(lines.next()).hasValue("größe");
      assertThat(lines.next()).hasValue("list");
      assertThat(lines.next()).isEmpty();
      assertThat(lines.isInteractive()).isFalse();
    }
  }
}
