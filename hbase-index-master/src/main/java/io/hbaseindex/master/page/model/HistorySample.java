/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import io.hbaseindex.core.route.OpenReason;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the master counted up to one moment, and how its regions stood at it.
 *
 * @param atMillis the moment, by a monotonic clock
 * @param pushes pushes taken in so far
 * @param routes routes answered so far
 * @param excluded regions that routes have left out so far
 * @param asked regions that they have not
 * @param precise regions whose filter was trusted
 * @param open the others, by reason
 */
@InterfaceAudience.Private
public record HistorySample(
    long atMillis,
    long pushes,
    long routes,
    long excluded,
    long asked,
    long precise,
    Map<OpenReason, Long> open) {
  public HistorySample {
    open = Map.copyOf(open);
  }

  /** Regions whose filter was not trusted. */
  public long openRegions() {
    return open.values().stream().mapToLong(Long::longValue).sum();
  }
}
