/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.it.oracle.RegionChaos.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * How much one run does.
 *
 * @param operations mutations in all
 * @param regionEvents events that hit one region, beside or behind writes or in mid-scan
 * @param serverAborts crashes of a region server, beside those
 */
record OraclePlan(int operations, int regionEvents, int serverAborts) {

  /** How often an event is drawn: cheap ones more often than those that open regions. */
  private static final List<Event> URN =
      List.of(
          Event.FLUSH,
          Event.FLUSH,
          Event.FLUSH,
          Event.MINOR_COMPACTION,
          Event.MAJOR_COMPACTION,
          Event.MAJOR_COMPACTION,
          Event.SPLIT,
          Event.MERGE,
          Event.MOVE,
          Event.MOVE);

  /** Every so many bursts an event hits a region while it is scanned. */
  static final int BURSTS_PER_MID_SCAN_EVENT = 6;

  /** One burst per event, apart from the events in mid-scan, which come on top. */
  int bursts() {
    int bursts = serverAborts + regionEvents;
    return bursts - regionEvents / (BURSTS_PER_MID_SCAN_EVENT + 1);
  }

  int operationsPerBurst() {
    return (operations + bursts() - 1) / bursts();
  }

  /**
   * One event per burst; each kind of the urn comes at least once if there are enough. Aborts come
   * at the same bursts whatever the seed, since all runs go through them together.
   */
  List<Event> events(SplittableRandom random) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < bursts() - serverAborts; i++) {
      events.add(i < URN.size() ? URN.get(i) : URN.get(random.nextInt(URN.size())));
    }
    Collections.shuffle(events, new Random(random.nextLong()));
    for (int abort = 1; abort <= serverAborts; abort++) {
      events.add(abort * bursts() / (serverAborts + 1), Event.SERVER_ABORT);
    }
    return events;
  }
}
