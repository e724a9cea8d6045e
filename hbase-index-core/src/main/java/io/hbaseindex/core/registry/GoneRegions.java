/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionReply.Verdict;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A memory of incarnations that were fenced or released. It keeps them for as long as one of their
 * messages could still bring trust, so that a late message cannot bring them back.
 *
 * <p>Holds what was announced and ended within one fence time, so it is never larger than the
 * number of regions times how often they moved meanwhile.
 */
final class GoneRegions {
  private record Gone(
      RegionEntry.Key key, RegionIncarnation incarnation, Verdict verdict, long untilNanos) {}

  private final ArrayDeque<Gone> byTime = new ArrayDeque<>();
  private final Map<RegionEntry.Key, Gone> byKey = new HashMap<>();

  /**
   * Remembers an incarnation.
   *
   * @param incarnation null if it was released before it was ever announced
   */
  void add(RegionEntry.Key key, RegionIncarnation incarnation, Verdict verdict, long untilNanos) {
    Gone gone = new Gone(key, incarnation, verdict, untilNanos);
    byTime.addLast(gone);
    byKey.put(key, gone);
  }

  /** What to answer a region that is gone. */
  Optional<Verdict> verdictFor(RegionEntry.Key key) {
    return Optional.ofNullable(byKey.get(key)).map(Gone::verdict);
  }

  /** Whether a newer incarnation of some of the same keys is gone. */
  boolean hasNewerThan(RegionIncarnation opening) {
    for (Gone gone : byTime) {
      if (gone.incarnation != null
          && gone.incarnation.overlaps(opening)
          && gone.incarnation.isNewerThan(opening)) {
        return true;
      }
    }
    return false;
  }

  /** Forgets what cannot bring trust any more. */
  void sweep(long now) {
    while (!byTime.isEmpty() && now - byTime.peekFirst().untilNanos >= 0) {
      Gone gone = byTime.removeFirst();
      byKey.remove(gone.key, gone);
    }
  }
}
