/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.util.Optional;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the write path, the read path and the lifecycle of one open, indexed region share. Made when
 * the region has opened and lives until it closes.
 *
 * @param region the region itself
 * @param definitions its indexes; at least one
 * @param keys where its postings are
 * @param rowLocks held by whoever computes postings from stored rows
 * @param clock the timestamps of its postings
 * @param readiness which indexes readers may rely on
 * @param stalePostings where readers and compactions report postings that look stale
 * @param metrics takes the counts
 */
@InterfaceAudience.Private
public record RegionIndexes(
    Region region,
    TableIndexes definitions,
    IndexRowKeys keys,
    RowLocks rowLocks,
    PostingClock clock,
    IndexReadiness readiness,
    StalePostings stalePostings,
    IndexMetrics metrics) {

  /** The index that a posting names; empty once it is dropped. */
  public Optional<IndexDefinition> byId(int indexId) {
    return definitions.definitions().stream().filter(d -> d.id() == indexId).findFirst();
  }
}
