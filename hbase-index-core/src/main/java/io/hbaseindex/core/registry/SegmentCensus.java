/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import java.util.HashMap;
import java.util.Map;

/** Counts the set bits of a filter's segments, from a snapshot and the changes since. */
final class SegmentCensus implements FilterChangeListener {
  /** A plane without a single zero would be taken for one of infinitely many elements. */
  private static final double FULLEST = 0.999;

  private static final class Count {
    private final SizeClass sizeClass;
    private long bits;

    Count(SizeClass sizeClass, long bits) {
      this.sizeClass = sizeClass;
      this.bits = bits;
    }

    private Count plus(long more) {
      bits += more;
      return this;
    }
  }

  private final Map<Integer, Count> counts = new HashMap<>();

  SegmentCensus(FilterSnapshot snapshot) {
    snapshot
        .segments()
        .forEach(
            segment ->
                counts.put(
                    segment.id(), new Count(segment.sizeClass(), segment.plane().cardinality())));
  }

  @Override
  public void segmentAdded(int segment, SizeClass sizeClass) {
    counts.put(segment, new Count(sizeClass, 0));
  }

  @Override
  public void bitSet(int segment, long position) {
    counts.computeIfPresent(segment, (id, count) -> count.plus(1));
  }

  @Override
  public void bitCleared(int segment, long position) {
    counts.computeIfPresent(segment, (id, count) -> count.plus(-1));
  }

  @Override
  public void segmentDropped(int segment) {
    counts.remove(segment);
  }

  FilterSize size() {
    long cells = 0;
    long bits = 0;
    long bytes = 0;
    double values = 0;
    double negative = 1;
    for (Count count : counts.values()) {
      cells += count.sizeClass.cells();
      bits += count.bits;
      bytes += BitPlane.bytesFor(count.sizeClass.cells());
      double fill = (double) count.bits / count.sizeClass.cells();
      values -= Math.log1p(-Math.min(fill, FULLEST)) * count.sizeClass.slots();
      negative *= 1 - Math.pow(fill, count.sizeClass.slices());
    }
    return new FilterSize(counts.size(), bytes, cells, bits, Math.round(values), 1 - negative);
  }
}
