/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.seeds.timecount.filter.CountAccumulator;
import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.CountingWindow;
import io.hbaseindex.seeds.timecount.filter.ElementPositions;
import io.hbaseindex.seeds.timecount.filter.MbfHashing;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.MultiBloomFilter;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MbfCodecTest {
  private static final MbfId ID = new MbfId(3, 4);
  private static final long SEED = 42;

  private final MbfParameters parameters = MbfParameters.forErrors(20, 3, 0.1, 0.1);
  private final MbfHashing hashing = new MbfHashing(parameters, SEED);
  private MultiBloomFilter filter;
  private byte[] stored;

  @BeforeEach
  void storeFilter() throws IOException {
    filter = new MultiBloomFilter(parameters);
    for (int w = 0; w < 3; w++) {
      CountingWindow window = filter.openWindow(100 * w);
      for (int i = 0; i < 5 + 5 * w; i++) {
        filter.record(window, element(i), 100 * w + i);
      }
    }
    filter = filter.withMergedNeighbours();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MbfCodec.write(MbfCodec.headerOf(ID, SEED, filter), filter, out);
    stored = out.toByteArray();
  }

  @Test
  void read_whatWasWritten_answersAlike() throws IOException {
    MultiBloomFilter read = read(stored);

    assertThat(read.parameters()).isEqualTo(parameters);
    assertThat(read.span()).isEqualTo(new TimeSpan(0, 214));
    assertThat(read.events()).isEqualTo(5 + 10 + 15);
    assertThat(read.windows()).hasSize(2);
    for (int i = 0; i < 200; i++) {
      assertThat(answer(read, i)).isEqualTo(answer(filter, i));
    }
  }

  @Test
  void readHeader_needsNoBody() throws IOException {
    byte[] start = Arrays.copyOf(stored, MbfHeader.BYTES);

    MbfHeader header = MbfCodec.readHeader(ID, new ByteArrayInputStream(start));

    assertThat(header).isEqualTo(MbfCodec.headerOf(ID, SEED, filter));
    assertThat(header.storedBytes()).isEqualTo(stored.length);
  }

  @Test
  void read_cutAtAnyLength_isRefused() {
    for (int length = 0; length < stored.length; length++) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertThatExceptionOfType(CorruptMbfException.class)
          .as("cut to %d bytes", length)
          .isThrownBy(() -> read(cut))
          .withMessageContaining("Cannot use stored filter 3..4: ");
    }
  }

  @Test
  void read_anyBitFlipped_isRefused() {
    for (int bit = 0; bit < stored.length * Byte.SIZE; bit++) {
      byte[] flipped = stored.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatExceptionOfType(CorruptMbfException.class)
          .as("bit %d flipped", bit)
          .isThrownBy(() -> read(flipped))
          .withMessageStartingWith("Cannot use stored filter 3..4: ");
    }
  }

  @Test
  void read_withBytesBehindItsEnd_isRefused() {
    assertThatExceptionOfType(CorruptMbfException.class)
        .isThrownBy(() -> read(Arrays.copyOf(stored, stored.length + 1)))
        .withMessageContaining("bytes follow its end");
  }

  @Test
  void read_underAnotherName_isRefused() {
    assertThatExceptionOfType(CorruptMbfException.class)
        .isThrownBy(() -> MbfCodec.read(new MbfId(7, 7), new ByteArrayInputStream(stored)))
        .withMessage("Cannot use stored filter 7: it is filter 3..4 under another name");
  }

  @Test
  void read_laterVersion_isRefusedByNumber() {
    ByteBuffer.wrap(stored).putShort(4, (short) 2);

    assertThatExceptionOfType(CorruptMbfException.class)
        .isThrownBy(() -> read(stored))
        .withMessageContaining("its version is 2, this release reads 1");
  }

  @Test
  void read_wellSealedHeaderOfAWrongShape_isRefused() {
    byte[] body = Arrays.copyOfRange(stored, 16, MbfHeader.BYTES - Integer.BYTES);
    ByteBuffer.wrap(body).putInt(20, 1000);
    byte[] header = Blob.seal(BlobKind.TIME_FILTER_HEADER, body);
    System.arraycopy(header, 0, stored, 0, header.length);

    assertThatExceptionOfType(CorruptMbfException.class)
        .isThrownBy(() -> read(stored))
        .withMessageContaining("counter hashes was 1000");
  }

  @Test
  void read_wellSealedContentOfAnotherFilter_isRefused() throws IOException {
    MultiBloomFilter smaller = new MultiBloomFilter(parameters);
    smaller.openWindow(0);
    ByteArrayOutputStream other = new ByteArrayOutputStream();
    MbfCodec.write(MbfCodec.headerOf(ID, SEED, smaller), smaller, other);
    byte[] content =
        Arrays.copyOfRange(other.toByteArray(), MbfHeader.BYTES, other.toByteArray().length);
    byte[] mixed = Arrays.copyOf(stored, MbfHeader.BYTES + content.length);
    System.arraycopy(content, 0, mixed, MbfHeader.BYTES, content.length);

    assertThatExceptionOfType(CorruptMbfException.class)
        .isThrownBy(() -> read(mixed))
        .withMessageContaining("its body is damaged");
  }

  @Test
  void encode_header_isPinnedByteByByte() {
    ByteBuffer header = ByteBuffer.wrap(stored, 16, MbfHeader.BYTES - 16).slice();

    assertThat(Arrays.copyOf(stored, 4)).asString().isEqualTo("HIXT");
    assertThat(header.getLong(0)).isEqualTo(SEED);
    assertThat(header.getInt(8)).isEqualTo(parameters.windowCapacity());
    assertThat(header.getInt(12)).isEqualTo(parameters.windowsPerFilter());
    assertThat(header.getInt(16)).isEqualTo(parameters.counters());
    assertThat(header.getInt(20)).isEqualTo(parameters.counterHashes());
    assertThat(header.getInt(24)).isEqualTo(parameters.bits());
    assertThat(header.getInt(28)).isEqualTo(parameters.bitHashes());
    assertThat(header.getLong(32)).isEqualTo(ID.first());
    assertThat(header.getLong(40)).isEqualTo(ID.last());
    assertThat(header.getLong(48)).isEqualTo(0);
    assertThat(header.getLong(56)).isEqualTo(214);
    assertThat(header.getInt(64)).isEqualTo(2);
    assertThat(header.getLong(68)).isEqualTo(30);
    assertThat(header.getInt(76)).isEqualTo(stored.length - MbfHeader.BYTES);
  }

  @Test
  void encode_content_isPinnedByItsChecksum() {
    // The last four bytes are the checksum of all content: hashes, positions and layout.
    int checksum = ByteBuffer.wrap(stored).getInt(stored.length - Integer.BYTES);

    assertThat(Integer.toHexString(checksum)).isEqualTo("ab5c1980");
  }

  private static MultiBloomFilter read(byte[] bytes) throws IOException {
    return MbfCodec.read(ID, new ByteArrayInputStream(bytes));
  }

  private CountEstimate answer(MultiBloomFilter from, int element) {
    CountAccumulator answer =
        new CountAccumulator(TimeSpan.ALWAYS, 0.01, parameters.counterHashes(), 2);
    from.count(element(element), answer);
    return answer.answer();
  }

  private ElementPositions element(int i) {
    return hashing.positionsOf(ByteBuffer.allocate(Integer.BYTES).putInt(i).array());
  }
}
