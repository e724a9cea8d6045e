/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.registry.AssembledFilter;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.testing.Seeds;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A filter cut into parts and pages and put together again is the same filter. */
class FilterTransferTest {
  private static final List<IndexCoverage> COVERAGE = List.of(new IndexCoverage(1, 1, 7, 0));

  @Test
  void partsAndPages_giveTheSameBits() {
    Seeds.forEach(300, FilterTransferTest::transfer);
  }

  private static void transfer(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RecordedFilter filter =
        RecordedFilter.within(PagedMemory.heap(), FilterGeometry.doubling(4, 0.01), 0)
            .orElseThrow();
    int elements = random.nextInt(200);
    for (long element = 0; element < elements; element++) {
      filter.insert(element);
    }
    PublishedGeneration publication =
        new PublishedGeneration(
            1, filter, new ChangeLog(8 + random.nextInt(200)), 1 + random.nextInt(100));
    AssembledFilter staged = new AssembledFilter(1, COVERAGE, 64);
    for (int change = random.nextInt(300); change > 0; change--) {
      if (random.nextBoolean() || elements == 0) {
        filter.insert(1_000 + change);
      } else {
        filter.delete(--elements, 0);
      }
    }
    PushBuilder chunks = new PushBuilder(null, 0, 0, Long.MAX_VALUE, false, Long.MAX_VALUE);
    publication.addChunks(1, chunks);
    for (RegionMessage message : chunks.build("s", 1, false).messages()) {
      assertThat(staged.isComplete()).isFalse();
      staged.add((StageChunk) message);
    }
    assertThat(staged.isComplete()).isTrue();
    PushBuilder pages = new PushBuilder(null, 0, 0, Long.MAX_VALUE, false, Long.MAX_VALUE);
    assertThat(publication.addPages(1, pages)).isTrue();
    pages.build("s", 1, false).messages().forEach(message -> staged.apply((ApplyPage) message));
    assertSame(filter.snapshot(), staged.snapshot());
    assertThat(staged.bytes()).isEqualTo(filter.snapshot().planeBytes());
  }

  private static void assertSame(FilterSnapshot expected, FilterSnapshot actual) {
    assertThat(actual.segments()).hasSameSizeAs(expected.segments());
    for (int at = 0; at < expected.segments().size(); at++) {
      FilterSnapshot.Segment one = expected.segments().get(at);
      FilterSnapshot.Segment other = actual.segments().get(at);
      assertThat(other.id()).isEqualTo(one.id());
      assertThat(other.sizeClass()).isEqualTo(one.sizeClass());
      for (int word = 0; word < one.plane().wordCount(); word++) {
        assertThat(other.plane().word(word)).isEqualTo(one.plane().word(word));
      }
    }
  }
}
