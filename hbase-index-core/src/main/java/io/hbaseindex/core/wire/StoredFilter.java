/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.route.IndexCoverage;
import java.util.Collection;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a stored filter is of, without its counters.
 *
 * @param id tells it from every other stored filter
 * @param incarnation of the region that has stored it
 * @param shard which shard of the region's values it is of
 * @param shards how many there are; their filters follow each other in one file
 * @param through the filter has all live postings whose last change has a timestamp up to this one;
 *     of later ones it may lack any
 * @param covered the sets of columns whose elements it holds
 * @param outline its segments
 */
@InterfaceAudience.Private
public record StoredFilter(
    long id,
    long incarnation,
    int shard,
    int shards,
    long through,
    List<Index> covered,
    FilterImage.Outline outline) {

  /**
   * A set of columns of an index under one definition of it; the shape of the table does not change
   * its elements.
   */
  public record Index(long space, long version, long seed) {
    public static Index of(IndexCoverage coverage) {
      return new Index(coverage.space(), coverage.version(), coverage.seed());
    }
  }

  public StoredFilter {
    covered = List.copyOf(covered);
  }

  /** Whether it holds the elements of all these sets. */
  public boolean covers(Collection<IndexCoverage> indexes) {
    return indexes.stream().map(Index::of).allMatch(covered::contains);
  }
}
