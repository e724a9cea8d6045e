/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How the filters of one master stand as a whole.
 *
 * @param incarnation a number that tells this master from those before it
 * @param activeSince when it became active, by its wall clock
 * @param trusting whether it has been active for so long that it trusts anybody
 * @param lease the lease it counts with
 * @param filterBytes bytes of heap that filters take, those under way included
 * @param filterByteLimit how many they may take
 * @param answered how many messages of region servers have been answered so far, by verdict
 */
@InterfaceAudience.Public
public record MasterFilterState(
    long incarnation,
    Instant activeSince,
    boolean trusting,
    Duration lease,
    long filterBytes,
    long filterByteLimit,
    Map<String, Long> answered) {
  /** Copies the map. */
  public MasterFilterState {
    answered = Map.copyOf(answered);
  }

  /** How this holder and another one stand together. */
  MasterFilterState with(MasterFilterState other) {
    Map<String, Long> all = new TreeMap<>(answered);
    other.answered.forEach((verdict, count) -> all.merge(verdict, count, Long::sum));
    return new MasterFilterState(
        incarnation,
        activeSince.isAfter(other.activeSince) ? activeSince : other.activeSince,
        trusting && other.trusting,
        lease,
        filterBytes + other.filterBytes,
        filterByteLimit + other.filterByteLimit,
        all);
  }
}
