/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.route.OpenReason;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How a region's publisher stands at one moment.
 *
 * @param precise whether writes wait for the master
 * @param trusted whether the master has last said that it trusts the region's filter
 * @param openReason why the region is open; null while it is precise
 * @param generation the highest generation begun so far
 * @param unconfirmedBytes bytes of changes that the master has not confirmed
 * @param longestWaitNanos how long the write has waited that has waited for the longest
 */
@InterfaceAudience.Private
public record RegionPublishStatus(
    boolean precise,
    boolean trusted,
    OpenReason openReason,
    long generation,
    long unconfirmedBytes,
    long longestWaitNanos) {
  /** How a region stands of which one part stands like this, and another like that. */
  public RegionPublishStatus worse(RegionPublishStatus other) {
    return new RegionPublishStatus(
        precise && other.precise,
        trusted && other.trusted,
        openReason == null ? other.openReason : openReason,
        Math.max(generation, other.generation),
        unconfirmedBytes + other.unconfirmedBytes,
        Math.max(longestWaitNanos, other.longestWaitNanos));
  }
}
