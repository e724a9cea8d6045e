/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a filter reports is enough to keep a copy of its bits somewhere else. */
class FilterChangeReplayTest {
  @Test
  void reports_replayedOnEmptyPlanes_giveTheSamePlanes() {
    Seeds.forEach(
        300,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          Replica replica = new Replica();
          ScalableSplitCountingBloomFilter filter =
              new ScalableSplitCountingBloomFilter(
                  FilterGeometry.doubling(4, 0.4), replica, 0, random.nextInt(3));
          List<Long> present = new ArrayList<>();
          for (int step = 0; step < 600; step++) {
            if (present.isEmpty() || random.nextInt(100) < (step < 300 ? 70 : 25)) {
              long element = random.nextInt(150) * 0x9E3779B97F4A7C15L;
              filter.insert(element);
              present.add(element);
            } else {
              filter.delete(present.remove(random.nextInt(present.size())));
            }
          }
          replica.requireEqualTo(filter.snapshot());
        });
  }

  @Test
  void rebuild_reportsItsOwnChainFromItsFirstSegmentOn() {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(8, 0.01), FilterChangeListener.NONE);
    long[] live = new SplittableRandom(1).longs(100).toArray();
    Replica replica = new Replica();

    PrimitiveIterator.OfLong elements = Arrays.stream(live).iterator();
    ScalableSplitCountingBloomFilter fresh = filter.rebuild(elements, live.length, replica);

    replica.requireEqualTo(fresh.snapshot());
    assertThat(Arrays.stream(live).allMatch(fresh::mightContain)).isTrue();
    assertThat(fresh.segmentCount()).isEqualTo(1);
  }

  @Test
  void insertOfPresentElement_reportsNothing() {
    FilterChanges changes = new FilterChanges();
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(FilterGeometry.standard(), changes);
    filter.insert(42);
    int before = changes.size();

    filter.insert(42);

    assertThat(changes.size()).isEqualTo(before);
  }

  @Test
  void deleteOfLastCopy_afterThousands_clearsEveryBitOfTheElement() {
    Replica replica = new Replica();
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(FilterGeometry.standard(), replica);
    for (int copy = 0; copy < 5000; copy++) {
      filter.insert(42);
    }
    for (int copy = 0; copy < 4999; copy++) {
      filter.delete(42);
      assertThat(filter.mightContain(42)).isTrue();
    }

    filter.delete(42);

    assertThat(filter.mightContain(42)).isFalse();
    assertThat(filter.stuckCounters()).isZero();
    replica.requireEqualTo(filter.snapshot());
  }

  /** Planes kept by reports alone; every report must be possible in the state it meets. */
  private static final class Replica implements FilterChangeListener {
    private final Map<Integer, FilterSnapshot.Segment> segments = new HashMap<>();
    private int highest = -1;

    @Override
    public void segmentAdded(int segment, SizeClass sizeClass) {
      assertThat(segment).isGreaterThan(highest);
      highest = segment;
      segments.put(
          segment, new FilterSnapshot.Segment(segment, sizeClass, new BitPlane(sizeClass.cells())));
    }

    @Override
    public void bitSet(int segment, long position) {
      assertThat(segments.get(segment).plane().set(position)).isTrue();
    }

    @Override
    public void bitCleared(int segment, long position) {
      assertThat(segments.get(segment).plane().clear(position)).isTrue();
    }

    @Override
    public void segmentDropped(int segment) {
      assertThat(segments.remove(segment).plane().cardinality()).isZero();
    }

    void requireEqualTo(FilterSnapshot snapshot) {
      assertThat(segments.keySet())
          .containsExactlyInAnyOrderElementsOf(
              snapshot.segments().stream().map(FilterSnapshot.Segment::id).toList());
      for (FilterSnapshot.Segment expected : snapshot.segments()) {
        FilterSnapshot.Segment kept = segments.get(expected.id());
        assertThat(kept.sizeClass()).isEqualTo(expected.sizeClass());
        for (int word = 0; word < kept.plane().wordCount(); word++) {
          assertThat(kept.plane().word(word)).isEqualTo(expected.plane().word(word));
        }
      }
    }
  }
}
