/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.FuzzTarget;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Any bytes as a blob of any kind. What is opened must be exactly what sealing its body makes. */
public class BlobFuzzTest {
  public static void fuzzerTestOneInput(byte[] data) {
    for (BlobKind kind : BlobKind.values()) {
      FuzzTarget.run(data, MalformedBlobException.class, () -> open(kind, data));
    }
  }

  private static void open(BlobKind kind, byte[] data) throws MalformedBlobException {
    ByteBuffer body = Blob.open(kind, data);
    byte[] copy = new byte[body.remaining()];
    body.get(copy);
    assertThat(Blob.seal(kind, copy)).isEqualTo(data);
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("blob", BlobFuzzTest::fuzzerTestOneInput);
  }
}
