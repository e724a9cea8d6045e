/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterCodecTest {
  private static final long PLENTY = 1 << 20;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 60, 400})
  void snapshot_writtenAndRead_hasTheSamePlanes(int elements) throws Exception {
    FilterSnapshot written = chainOf(elements).snapshot();

    FilterSnapshot read = FilterCodec.decodeSnapshot(FilterCodec.encode(written), PLENTY);

    assertThat(read.segments()).hasSameSizeAs(written.segments());
    assertThat(FilterCodec.encode(read)).isEqualTo(FilterCodec.encode(written));
    for (int at = 0; at < written.segments().size(); at++) {
      FilterSnapshot.Segment segment = read.segments().get(at);
      assertThat(segment.id()).isEqualTo(written.segments().get(at).id());
      segment.plane().forEachSet(position -> assertThat(segment.plane().get(position)).isTrue());
      assertThat(segment.plane().cardinality())
          .isEqualTo(written.segments().get(at).plane().cardinality());
    }
  }

  @Test
  void emptyFilter_ofAMillionElements_isSmall() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 1_000_000, 10);

    assertThat(FilterCodec.encode(filter.snapshot()).length).isLessThan(100);
  }

  @Test
  void sparseFilter_takesAFewBytesPerBit() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 100_000, 10);
    filter.insert(1);
    filter.insert(2);
    int bits = 2 * filter.snapshot().segments().get(0).sizeClass().slices();

    assertThat(FilterCodec.encode(filter.snapshot()).length).isLessThan(100 + 4 * bits);
  }

  @Test
  void planes_ofVersion1_areRead() throws Exception {
    // One segment, id 3, two slices of five slots, bits 1 and 8: pins the format byte by byte.
    byte[] golden =
        HexFormat.of()
            .parseHex(
                "48495850"
                    + "0001"
                    + "0000"
                    + "0000000000000012"
                    + "01"
                    + "00000003"
                    + "02"
                    + "0000000000000005"
                    + "01"
                    + "02"
                    + "01"
                    + "06"
                    + "d24927e0");
    byte[] body = Arrays.copyOfRange(golden, 16, golden.length - 4);

    FilterSnapshot read =
        FilterCodec.decodeSnapshot(Blob.seal(BlobKind.FILTER_PLANES, body), PLENTY);

    FilterSnapshot.Segment segment = read.segments().get(0);
    assertThat(segment.id()).isEqualTo(3);
    assertThat(segment.sizeClass()).isEqualTo(new SizeClass(2, 5));
    assertThat(segment.plane().cardinality()).isEqualTo(2);
    assertThat(segment.plane().get(1)).isTrue();
    assertThat(segment.plane().get(8)).isTrue();
    assertThat(FilterCodec.encode(read)).isEqualTo(golden);
  }

  @Test
  void snapshot_cutShortAnywhere_isRefused() {
    byte[] blob = FilterCodec.encode(chainOf(30).snapshot());

    for (int length = 0; length < blob.length; length++) {
      byte[] cut = Arrays.copyOf(blob, length);
      assertThatThrownBy(() -> FilterCodec.decodeSnapshot(cut, PLENTY))
          .isInstanceOf(MalformedBlobException.class)
          .hasMessageStartingWith("Cannot read FILTER_PLANES: ");
    }
  }

  @Test
  void snapshot_withAnyBitFlipped_isRefused() {
    byte[] blob = FilterCodec.encode(chainOf(30).snapshot());

    for (int bit = 0; bit < blob.length * 8; bit++) {
      byte[] flipped = blob.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> FilterCodec.decodeSnapshot(flipped, PLENTY))
          .isInstanceOf(MalformedBlobException.class);
    }
  }

  @Test
  void resealedGarbage_neverGetsPastTheReader() {
    // A hostile writer computes a right checksum: the body itself must be checked too.
    byte[] planes = FilterCodec.encode(chainOf(30).snapshot());
    SplittableRandom random = new SplittableRandom(4);
    for (int round = 0; round < 20_000; round++) {
      readOrRefuse(mutated(planes, random));
    }
  }

  @Test
  void futureVersion_isRefusedByName() {
    byte[] blob = FilterCodec.encode(chainOf(3).snapshot());
    ByteBuffer.wrap(blob).putShort(4, (short) 9);

    assertThatThrownBy(() -> FilterCodec.decodeSnapshot(blob, PLENTY))
        .hasMessage("Cannot read FILTER_PLANES: its version is 9, this release reads 1");
  }

  @Test
  void otherKind_isRefused() {
    byte[] blob = Blob.seal(BlobKind.REGION_LEDGER, new byte[] {0});

    assertThatThrownBy(() -> FilterCodec.decodeSnapshot(blob, PLENTY))
        .isInstanceOf(MalformedBlobException.class)
        .hasMessageContaining("it starts with");
  }

  @Test
  void hugeFilter_inAFewBytes_isRefusedBeforeAllocating() {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(1);
    body.writeBytes(ByteBuffer.allocate(14).putInt(0).put((byte) 16).putLong(1L << 29).array());
    body.write(1);
    body.write(0);
    byte[] blob = Blob.seal(BlobKind.FILTER_PLANES, body.toByteArray());

    assertThatThrownBy(() -> FilterCodec.decodeSnapshot(blob, PLENTY))
        .isInstanceOf(MalformedBlobException.class)
        .hasMessageContaining("the limit is " + PLENTY);
  }

  private static byte[] mutated(byte[] blob, SplittableRandom random) {
    byte[] body = Arrays.copyOfRange(blob, 16, blob.length - 4);
    for (int change = random.nextInt(1, 4); change > 0; change--) {
      body[random.nextInt(Math.min(body.length, 64))] = (byte) random.nextInt();
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(body, random.nextInt(body.length + 1)) : body;
  }

  /** Anything but a value or a MalformedBlobException fails the test. */
  private static void readOrRefuse(byte[] body) {
    byte[] blob = Blob.seal(BlobKind.FILTER_PLANES, body);
    try {
      FilterCodec.decodeSnapshot(blob, PLENTY);
    } catch (MalformedBlobException refused) {
      assertThat(refused).hasMessageStartingWith("Cannot read FILTER_PLANES");
    }
  }

  private static long[] elementsOf(int count) {
    return new SplittableRandom(count).longs(count).toArray();
  }

  private static ScalableSplitCountingBloomFilter chainOf(int elements) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(20, 0.1), FilterChangeListener.NONE, 0, 4);
    for (long element : elementsOf(elements)) {
      filter.insert(element);
      if (element % 3 == 0) {
        for (int copy = 0; copy < 20; copy++) {
          filter.insert(element);
        }
      }
    }
    return filter;
  }
}
