/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.testing.FuzzTarget;
import org.junit.jupiter.api.Test;

/** Planes of a filter with any body, sealed, and any element asked for. */
public class PlanesFuzzTest {
  private static final long MAX_BYTES = 1 << 16;

  public static void fuzzerTestOneInput(byte[] data) {
    FuzzTarget.run(
        data,
        4 * MAX_BYTES,
        MalformedBlobException.class,
        () -> {
          FilterSnapshot read =
              FilterCodec.decodeSnapshot(Blob.seal(BlobKind.FILTER_PLANES, data), MAX_BYTES);
          assertThat(read.planeBytes()).isLessThanOrEqualTo(MAX_BYTES);
          read.mightContain(data.length);
          byte[] again = FilterCodec.encode(read);
          assertThat(FilterCodec.encode(FilterCodec.decodeSnapshot(again, MAX_BYTES)))
              .isEqualTo(again);
        });
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("planes", PlanesFuzzTest::fuzzerTestOneInput);
  }
}
