/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.status;

import io.hbaseindex.core.definition.IndexDefinition;
import java.util.Collection;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How the indexes of one region are doing, and where the region is.
 *
 * @param encodedName the region's short name, as directories and logs have it
 * @param startKey its first key; empty for the first region
 * @param endKey the first key after it; empty for the last region
 * @param server the server that has it open; empty if none has
 * @param status what it says of itself; empty if it did not answer
 * @param problem why it did not answer; empty if it did
 */
@InterfaceAudience.Public
public record RegionState(
    String encodedName,
    byte[] startKey,
    byte[] endKey,
    Optional<String> server,
    Optional<RegionStatus> status,
    Optional<String> problem) {

  /**
   * Whether waiting makes no sense: the region keeps no index at all, or has every one of these,
   * ready or never to be.
   */
  boolean isSettled(Collection<IndexDefinition> declared) {
    return status
        .filter(
            region ->
                region.unindexed().isPresent() || region.isSettled() && hasAll(region, declared))
        .isPresent();
  }

  /** Whether scans of this region may use every one of these. */
  boolean isReady(Collection<IndexDefinition> declared) {
    return status
        .filter(
            region ->
                region.unindexed().isEmpty()
                    && hasAll(region, declared)
                    && region.indexes().stream()
                        .allMatch(index -> index.phase() == IndexStatus.Phase.READY))
        .isPresent();
  }

  /** A region that has not heard of an index yet says nothing of it. */
  private static boolean hasAll(RegionStatus region, Collection<IndexDefinition> declared) {
    return declared.stream()
        .allMatch(
            definition ->
                region.indexes().stream().anyMatch(index -> index.id() == definition.id()));
  }
}
