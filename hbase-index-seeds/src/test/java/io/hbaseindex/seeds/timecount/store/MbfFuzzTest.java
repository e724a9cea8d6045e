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
  private static final int EVENTS_AT = HEADER_BODY - Integer.BYTES - Long.BYTES;

  /** What a window keeps of the counters above each value, which events alone can raise. */
  private static final long BYTES_PER_EVENT = 16;

  private static final long MOST_EVENTS = 1 << 20;

  public static void fuzzerTestOneInput(byte[] data) {
    byte[] header = Arrays.copyOf(data, HEADER_BODY);
    byte[] content = Arrays.copyOfRange(data, Math.min(data.length, HEADER_BODY), data.length);
    ByteBuffer.wrap(header).putInt(HEADER_BODY - Integer.BYTES, content.length + Blob.overhead());
    long events = ByteBuffer.wrap(header).getLong(EVENTS_AT);
    if (events > MOST_EVENTS) {
      return; // as many as take all memory there is
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(Blob.seal(BlobKind.TIME_FILTER_HEADER, header));
    file.writeBytes(Blob.seal(BlobKind.TIME_FILTER_CONTENT, content));
    FuzzTarget.run(
        data,
        BYTES_PER_EVENT * Math.max(0, events),
        CorruptMbfException.class,
        () -> MbfCodec.read(new MbfId(3, 4), new ByteArrayInputStream(file.toByteArray())));
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("time-filter", MbfFuzzTest::fuzzerTestOneInput);
  }
}
