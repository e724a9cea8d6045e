/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.testing.GoldenFile;
import io.hbaseindex.region.context.FilterCustody;
import io.hbaseindex.region.lifecycle.ledger.LedgerRecord.Entry;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LedgerCodecTest {

  private static final LedgerRecord RECORD = record();

  @Test
  void decode_returnsWhatWasEncoded() throws Exception {
    assertThat(LedgerCodec.decode(LedgerCodec.encode(RECORD))).isEqualTo(RECORD);
    LedgerRecord empty = LedgerRecord.empty(-1).withTrust(false);
    assertThat(LedgerCodec.decode(LedgerCodec.encode(empty))).isEqualTo(empty);
  }

  @Test
  void record_isWrittenAndReadAsEver() throws Exception {
    byte[] golden = GoldenFile.bytes("region-ledger", LedgerCodec.encode(RECORD));

    assertThat(LedgerCodec.decode(golden)).isEqualTo(RECORD);
  }

  @Test
  void decode_truncatedAnywhere_isRefused() {
    byte[] blob = LedgerCodec.encode(RECORD);
    for (int length = 0; length < blob.length; length++) {
      byte[] cut = Arrays.copyOf(blob, length);
      assertThatThrownBy(() -> LedgerCodec.decode(cut)).isInstanceOf(MalformedBlobException.class);
    }
  }

  @Test
  void decode_anyBitFlipped_isRefused() {
    byte[] blob = LedgerCodec.encode(RECORD);
    for (int bit = 0; bit < blob.length * 8; bit++) {
      byte[] flipped = blob.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> LedgerCodec.decode(flipped))
          .as("bit %d", bit)
          .isInstanceOf(MalformedBlobException.class);
    }
  }

  @Test
  void decode_trailingByte_isRefused() {
    byte[] blob = LedgerCodec.encode(RECORD);
    assertThatThrownBy(() -> LedgerCodec.decode(Arrays.copyOf(blob, blob.length + 1)))
        .isInstanceOf(MalformedBlobException.class);
  }

  @Test
  void decode_indexThatComesTwice_isRefused() {
    byte[] body = {
      0, 0, 0, 0, 0, 0, 0, 1, 0, 2, // two indexes
      7, 3, 0, 0, 0, 0, 0, 0, 0, 9, 1, // the first
      7, 4, 0, 0, 0, 0, 0, 0, 0, 9, 1, // again
      0, 0
    };

    assertThatThrownBy(() -> LedgerCodec.decode(Blob.seal(BlobKind.REGION_LEDGER, body)))
        .isInstanceOf(MalformedBlobException.class)
        .hasMessageContaining("it is not what its content would be written as");
  }

  private static LedgerRecord record() {
    TreeMap<Integer, Entry> indexes = new TreeMap<>();
    indexes.put(1, Entry.built(3, 40));
    indexes.put(129, Entry.building(2, new byte[] {'r', 'o', 'w'}, 40));
    return new LedgerRecord(
        0x0102030405060708L,
        true,
        indexes,
        new TreeSet<>(Set.of("f/a", "f/b", "g€/c")),
        Optional.of(new FilterCustody.Held(0x1112131415161718L, 0x2122232425262728L)));
  }
}
