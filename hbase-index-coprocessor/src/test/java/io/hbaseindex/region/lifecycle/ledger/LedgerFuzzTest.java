/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.testing.FuzzTarget;
import org.junit.jupiter.api.Test;

/** A region's ledger with any body, sealed. Only what the writer makes may be read. */
public class LedgerFuzzTest {
  public static void fuzzerTestOneInput(byte[] data) {
    byte[] blob = Blob.seal(BlobKind.REGION_LEDGER, data);
    FuzzTarget.run(
        data,
        MalformedBlobException.class,
        () -> assertThat(LedgerCodec.encode(LedgerCodec.decode(blob))).isEqualTo(blob));
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("ledger", LedgerFuzzTest::fuzzerTestOneInput);
  }
}
