/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.testing.GoldenFile;
import org.junit.jupiter.api.Test;

/** The messages of docs/FORMAT.md, byte by byte. */
class WireGoldenTest {
  @Test
  void push_isWrittenAndReadAsEver() throws Exception {
    Push push = WireExamples.pushOfEveryKind();

    byte[] golden = GoldenFile.bytes("push", PushCodec.encode(push));

    assertThat(PushCodec.decodePush(golden)).usingRecursiveComparison().isEqualTo(push);
  }

  @Test
  void pushReply_isWrittenAndReadAsEver() throws Exception {
    byte[] golden = GoldenFile.bytes("push-reply", PushCodec.encode(WireExamples.reply()));

    assertThat(PushCodec.decodeReply(golden)).isEqualTo(WireExamples.reply());
  }

  @Test
  void routeRequest_isWrittenAndReadAsEver() throws Exception {
    byte[] golden = GoldenFile.bytes("route-request", RouteCodec.encode(WireExamples.request()));

    assertThat(RouteCodec.decodeRequest(golden)).isEqualTo(WireExamples.request());
  }

  @Test
  void routeAnswer_isWrittenAndReadAsEver() throws Exception {
    byte[] golden = GoldenFile.bytes("route-answer", RouteCodec.encode(WireExamples.answer()));

    assertThat(RouteCodec.decodeAnswer(golden)).isEqualTo(WireExamples.answer());
  }
}
