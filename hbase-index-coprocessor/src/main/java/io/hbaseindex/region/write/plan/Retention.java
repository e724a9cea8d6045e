/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long and in how many versions a column keeps its puts.
 *
 * @param maxVersions versions the family keeps
 * @param timeToLiveMillis {@code Long.MAX_VALUE} for ever
 */
@InterfaceAudience.Private
public record Retention(int maxVersions, long timeToLiveMillis) {
  /** The lowest timestamp that has not expired. */
  long oldestUnexpired(long now) {
    return timeToLiveMillis == Long.MAX_VALUE ? Long.MIN_VALUE : now - timeToLiveMillis;
  }
}
