/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.region.lifecycle.ledger.LedgerRecord.Entry;
import java.util.Arrays;
import java.util.HexFormat;
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
  void encode_bytesArePinned() {
    assertThat(HexFormat.of().formatHex(LedgerCodec.encode(RECORD)))
        .isEqualTo(
            "4849584c000100000000000000000025"
                + "0102030405060708"
                + "01"
                + "02"
                + "010301"
                + "8101020003726f77"
                + "03"
                + "03662f61"
                + "03662f62"
                + "0667e282ac2f63"
                + "b0cb8575");
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

  private static LedgerRecord record() {
    TreeMap<Integer, Entry> indexes = new TreeMap<>();
    indexes.put(1, Entry.built(3));
    indexes.put(129, Entry.building(2, new byte[] {'r', 'o', 'w'}));
    return new LedgerRecord(
        0x0102030405060708L, true, indexes, new TreeSet<>(Set.of("f/a", "f/b", "g€/c")));
  }
}
