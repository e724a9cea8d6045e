/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.testing.FuzzTarget;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Messages with any body: the first byte chooses the kind, the rest is sealed as a hostile writer
 * would. What is read is written again, and must be read as the same.
 */
public class WireFuzzTest {
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] body = Arrays.copyOfRange(data, 1, data.length);
    FuzzTarget.run(data, MalformedBlobException.class, () -> read(data[0] & 3, body));
  }

  private static void read(int kind, byte[] body) throws MalformedBlobException {
    switch (kind) {
      case 0 -> {
        Push push = PushCodec.decodePush(Blob.seal(BlobKind.PUSH, body));
        byte[] again = PushCodec.encode(push);
        assertThat(PushCodec.encode(PushCodec.decodePush(again))).isEqualTo(again);
      }
      case 1 -> {
        PushReply reply = PushCodec.decodeReply(Blob.seal(BlobKind.PUSH_REPLY, body));
        assertThat(PushCodec.decodeReply(PushCodec.encode(reply))).isEqualTo(reply);
      }
      case 2 -> {
        RouteCodec.RouteRequest request =
            RouteCodec.decodeRequest(Blob.seal(BlobKind.ROUTE_REQUEST, body));
        assertThat(RouteCodec.decodeRequest(RouteCodec.encode(request))).isEqualTo(request);
      }
      default -> {
        RouteAnswer answer = RouteCodec.decodeAnswer(Blob.seal(BlobKind.ROUTE_ANSWER, body));
        assertThat(RouteCodec.decodeAnswer(RouteCodec.encode(answer))).isEqualTo(answer);
      }
    }
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("wire", WireFuzzTest::fuzzerTestOneInput);
  }
}
