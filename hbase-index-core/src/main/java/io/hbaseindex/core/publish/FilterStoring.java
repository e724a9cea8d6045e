/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The filter of a region on its way to a file: {@linkplain FilterImage taken apart} while writers
 * go on, the region's lock held for one piece at a time.
 *
 * <p>First the outline and the frequent elements, then the pieces, then {@link #ended}: what has
 * been taken out of the filter since the ends of postings are remembered. Those are to be counted
 * again by who reads the file.
 *
 * <p>One caller at a time.
 */
@InterfaceAudience.Private
public final class FilterStoring {
  private final PublishedRegion region;
  private final RecordedFilter filter;
  private final FilterImage image;
  private final List<FilterImage.Frequent> frequent;

  /** Made under the region's lock. */
  FilterStoring(PublishedRegion region, RecordedFilter filter) {
    this.region = region;
    this.filter = filter;
    this.image = FilterImage.of(filter.filter());
    this.frequent = image.frequent();
  }

  public FilterImage.Outline outline() {
    return image.outline();
  }

  /** The indexes whose postings the filter holds. */
  public List<IndexCoverage> coverage() {
    return filter.coverage();
  }

  public List<FilterImage.Frequent> frequent() {
    return frequent;
  }

  /** The next piece; empty when all have been taken, or the filter cannot be stored any more. */
  public Optional<FilterImage.Piece> next() {
    synchronized (region) {
      return region.isStorable(filter) ? image.next() : Optional.empty();
    }
  }

  /** Bounds of all that the filter holds by now; they never become narrower. */
  public RegionBounds bounds() {
    synchronized (region) {
      return filter.bounds();
    }
  }

  /**
   * Elements to be counted again; empty if what was taken so far is of no use, because the region
   * has another filter by now or too many postings have ended.
   */
  public Optional<long[]> ended() {
    synchronized (region) {
      return region.isStorable(filter) ? Optional.of(filter.ends()) : Optional.empty();
    }
  }
}
