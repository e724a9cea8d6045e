/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.testing.FuzzTarget;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * A file of time-window counts with any header and content, both sealed. The header's length of the
 * content is set right, for nothing behind it would be read otherwise.
 */
public class MbfFuzzTest {
  private static final int HEADER_BODY = MbfHeader.BYTES - Blob.overhead();

  public static void fuzzerTestOneInput(byte[] data) {
    byte[] header = Arrays.copyOf(data, HEADER_BODY);
    byte[] content = Arrays.copyOfRange(data, Math.min(data.length, HEADER_BODY), data.length);
    ByteBuffer.wrap(header).putInt(HEADER_BODY - Integer.BYTES, content.length + Blob.overhead());
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(Blob.seal(BlobKind.TIME_FILTER_HEADER, header));
    file.writeBytes(Blob.seal(BlobKind.TIME_FILTER_CONTENT, content));
    FuzzTarget.run(
        data,
        CorruptMbfException.class,
        () -> MbfCodec.read(new MbfId(3, 4), new ByteArrayInputStream(file.toByteArray())));
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("time-filter", MbfFuzzTest::fuzzerTestOneInput);
  }
}
