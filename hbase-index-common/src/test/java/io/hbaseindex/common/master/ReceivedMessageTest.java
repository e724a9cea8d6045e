/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ReceivedMessageTest {
  @Test
  void whole_isRead() throws IOException {
    assertThat(ReceivedMessage.read("an answer", () -> "whole")).isEqualTo("whole");
  }

  @Test
  void broken_inAWayTheParserHasNoWordFor_isRefusedAsAnIOException() {
    RuntimeException parser = new ArrayIndexOutOfBoundsException(7);

    assertThatThrownBy(
            () ->
                ReceivedMessage.read(
                    "an answer",
                    () -> {
                      throw parser;
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("Cannot read an answer: it was damaged")
        .hasCause(parser);
  }

  @Test
  void broken_inAWayTheParserHasAWordFor_isPassedOn() {
    IOException refusal = new IOException("truncated");

    assertThatThrownBy(
            () ->
                ReceivedMessage.read(
                    "an answer",
                    () -> {
                      throw refusal;
                    }))
        .isSameAs(refusal);
  }
}
