/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.testing.GoldenFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StoredFilterTest {
  /** More copies than an element may have without being kept as a frequent one. */
  private static final int FREQUENT = 12;

  private static final FilterGeometry GEOMETRY = FilterGeometry.doubling(2, 0.2);
  private static final List<StoredFilter.Index> INDEXES = List.of(new StoredFilter.Index(3, 1, 7));

  private static final RegionBounds BOUNDS =
      RegionBounds.ofValues(Map.of(3, List.of(new byte[] {7, 8}, new byte[] {7, 9, 0, 1})))
          .ofAll(List.of(3));

  private static byte[] written(ScalableSplitCountingBloomFilter filter, long... again)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StoredFilterWriter writer = new StoredFilterWriter(out);
    FilterImage image = FilterImage.of(filter);
    writer.head(new StoredFilter(0x1122, 0x3344, 2, 3, 1_000, INDEXES, image.outline()));
    writer.frequent(image.frequent());
    for (var piece = image.next(); piece.isPresent(); piece = image.next()) {
      writer.piece(piece.get());
    }
    writer.again(again);
    writer.bounds(BOUNDS);
    writer.end();
    assertThat(writer.bytes()).isEqualTo(out.size());
    return out.toByteArray();
  }

  private static ScalableSplitCountingBloomFilter read(byte[] bytes) throws IOException {
    StoredFilterReader reader = new StoredFilterReader(new ByteArrayInputStream(bytes));
    StoredFilter head = reader.head();
    ScalableSplitCountingBloomFilter filter =
        FilterImage.emptyOf(PagedMemory.heap(), head.outline(), FilterChangeListener.NONE)
            .orElseThrow();
    reader.rest(
        new StoredFilterReader.Sink() {
          @Override
          public void frequent(FilterImage.Frequent frequent) {
            assertThat(FilterImage.restore(filter, frequent)).isTrue();
          }

          @Override
          public void piece(FilterImage.Piece piece) {
            FilterImage.restore(filter, piece);
          }

          @Override
          public void again(long element) {
            FilterImage.countAgain(filter, element);
          }

          @Override
          public void bounds(RegionBounds bounds) {
            assertThat(bounds).isEqualTo(BOUNDS);
          }
        });
    reader.end();
    return filter;
  }

  private static ScalableSplitCountingBloomFilter smallFilter() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(GEOMETRY, FilterChangeListener.NONE);
    for (int copy = 0; copy < FREQUENT; copy++) {
      filter.insert(0x0123_4567_89AB_CDEFL);
    }
    filter.insert(0x1111_1111_1111_1111L);
    filter.insert(0x2222_2222_2222_2222L);
    return filter;
  }

  @Test
  void bytes_areThoseOfVersionOne() throws Exception {
    byte[] golden = GoldenFile.bytes("stored-filter", written(smallFilter(), 0x4444L));

    requireSmallFilter(read(golden), FREQUENT);
  }

  /** Filters that were stored when an element was frequent with three copies already. */
  @Test
  void bytes_ofFewerFrequentCopies_areRead() throws Exception {
    requireSmallFilter(read(GoldenFile.stored("stored-filter-frequent-from-three")), 5);
  }

  /** Filters that were stored when bounds were one range of values. */
  @Test
  void bytes_withRanges_areRead_andTheRangesAreNot() throws Exception {
    requireSmallFilter(read(GoldenFile.stored("stored-filter-ranges")), FREQUENT);
  }

  /** Filters that were stored before they had bounds. */
  @Test
  void bytes_withoutBounds_areRead() throws Exception {
    requireSmallFilter(read(GoldenFile.stored("stored-filter-without-bounds")), FREQUENT);
  }

  private static void requireSmallFilter(ScalableSplitCountingBloomFilter read, int copies) {
    assertThat(FilterImage.of(read).frequent()).hasSize(1);
    assertThat(read.mightContain(0x4444L)).isTrue();
    for (int copy = 0; copy < copies; copy++) {
      assertThat(read.mightContain(0x0123_4567_89AB_CDEFL)).isTrue();
      read.delete(0x0123_4567_89AB_CDEFL);
    }
    assertThat(read.mightContain(0x0123_4567_89AB_CDEFL)).isFalse();
    assertThat(read.mightContain(0x1111_1111_1111_1111L)).isTrue();
    assertThat(read.mightContain(0x2222_2222_2222_2222L)).isTrue();
  }

  @Test
  void head_saysWhatTheFilterIsOf() throws Exception {
    StoredFilter head =
        new StoredFilterReader(new ByteArrayInputStream(written(smallFilter()))).head();

    assertThat(head.id()).isEqualTo(0x1122);
    assertThat(head.incarnation()).isEqualTo(0x3344);
    assertThat(head.shard()).isEqualTo(2);
    assertThat(head.shards()).isEqualTo(3);
    assertThat(head.through()).isEqualTo(1_000);
    assertThat(head.outline().geometry()).isEqualTo(GEOMETRY);
    assertThat(head.covers(List.of(new IndexCoverage(3, 1, 7, 99)))).isTrue();
    assertThat(head.covers(List.of(new IndexCoverage(3, 2, 7, 99)))).isFalse();
    assertThat(head.covers(List.of(new IndexCoverage(3, 1, 8, 99)))).isFalse();
    assertThat(head.covers(List.of(new IndexCoverage(4, 1, 7, 99)))).isFalse();
  }

  @Test
  void largeFilter_withFrequentElementsAndManyPieces_isTheSameAgain() throws Exception {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(), FilterChangeListener.NONE, 60_000, 1 << 16);
    long[] elements = new SplittableRandom(1).longs(120_000).toArray();
    for (int at = 0; at < elements.length; at++) {
      for (int copy = 0; copy < (at < 20_000 ? FREQUENT : 1); copy++) {
        filter.insert(elements[at]);
      }
    }
    byte[] bytes = written(filter);

    ScalableSplitCountingBloomFilter read = read(bytes);

    assertThat(FilterImage.of(read).frequent()).hasSizeGreaterThan(10_000);
    assertThat(written(read)).isEqualTo(bytes);
  }

  @Test
  void everyFlippedByte_isNoticed() throws Exception {
    byte[] sound = written(smallFilter(), 5L);
    for (int at = 0; at < sound.length; at++) {
      for (int bit : new int[] {1, 0x80}) {
        byte[] damaged = sound.clone();
        damaged[at] ^= (byte) bit;
        assertThatThrownBy(() -> read(damaged))
            .as("byte %d", at)
            .isInstanceOf(MalformedBlobException.class);
      }
    }
  }

  @Test
  void everyTruncation_andAnyByteBehindTheEnd_isNoticed() throws Exception {
    byte[] sound = written(smallFilter(), 5L);
    for (int length = 0; length < sound.length; length++) {
      byte[] shorter = Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> read(shorter))
          .as("%d bytes", length)
          .isInstanceOf(MalformedBlobException.class);
    }
    byte[] longer = Arrays.copyOf(sound, sound.length + 1);
    assertThatThrownBy(() -> read(longer)).isInstanceOf(MalformedBlobException.class);
  }

  @Test
  void partsOfAnotherPlace_areNoticed() throws Exception {
    byte[] sound = written(smallFilter(), 5L);
    ByteArrayOutputStream doubled = new ByteArrayOutputStream();
    StoredFilterWriter other = new StoredFilterWriter(doubled);
    other.again(1);
    byte[] foreign = doubled.toByteArray();
    byte[] spliced = Arrays.copyOf(sound, sound.length + foreign.length);
    int end = sound.length - 22;
    System.arraycopy(foreign, 0, spliced, end, foreign.length);
    System.arraycopy(sound, end, spliced, end + foreign.length, sound.length - end);

    assertThatThrownBy(() -> read(spliced)).isInstanceOf(MalformedBlobException.class);
  }

  @Test
  void foreignVersion_isRefused() throws Exception {
    byte[] later = written(smallFilter());
    later[5] = 2;

    assertThatThrownBy(() -> read(later))
        .isInstanceOf(MalformedBlobException.class)
        .hasMessageContaining("version is 2");
  }
}
