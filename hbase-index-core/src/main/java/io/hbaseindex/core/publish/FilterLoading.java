/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The filter of a region that is being put together from what was stored of it. Nobody else knows
 * it before it is {@linkplain #complete complete}, so no lock is held meanwhile: what writers
 * insert is kept for it by its region.
 *
 * <p>The pieces come first, then the elements to be counted again, then the live postings that the
 * stored filter may lack.
 *
 * <p>One caller at a time.
 */
@InterfaceAudience.Private
public final class FilterLoading {
  private final PublishedRegion region;
  private final RecordedFilter filter;
  private boolean over;

  FilterLoading(PublishedRegion region, RecordedFilter filter) {
    this.region = region;
    this.filter = filter;
  }

  /**
   * Puts a piece in its place.
   *
   * @throws IllegalArgumentException if the piece makes no sense
   */
  public void restore(FilterImage.Piece piece) {
    FilterImage.restore(filter.filter(), piece);
  }

  /** Gives a frequent element its copies back; false if there is no memory for it. */
  public boolean restore(FilterImage.Frequent frequent) {
    return FilterImage.restore(filter.filter(), frequent);
  }

  /** Sets the bounds of what was stored; without them it may be any values. */
  public void restore(RegionBounds bounds) {
    filter.restore(bounds);
  }

  /** Counts an element that was deleted while the stored filter was written. */
  public void countAgain(long element) {
    FilterImage.countAgain(filter.filter(), element);
  }

  /** Live postings that the stored filter may lack lie within these bounds. */
  public void widen(RegionBounds bounds) {
    filter.widen(bounds);
  }

  /** Inserts live postings that the stored filter may lack. */
  public void insert(long... elements) {
    for (long element : elements) {
      filter.insert(element);
    }
  }

  /**
   * The filter holds every live posting of the given indexes: it is the region's from now on.
   *
   * @return false if the region cannot have it any more, because its postings have changed behind
   *     it or more has been written than could be kept for it; it has been given up then
   */
  public boolean complete(List<IndexCoverage> coverage) {
    over = true;
    return region.completeLoading(filter, coverage);
  }

  /** Gives the filter up, unless it has been completed. */
  public void abandon() {
    if (!over) {
      over = true;
      filter.free();
      region.abandonRebuild();
    }
  }
}
