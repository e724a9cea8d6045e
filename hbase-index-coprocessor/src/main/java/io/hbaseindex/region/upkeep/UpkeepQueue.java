/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import io.hbaseindex.region.upkeep.UpkeepTask.Need;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which region's filter is next: the most pressing need first, then the region that is asked most.
 * Only so many filters are built from postings at a time; files are read and written beside them.
 */
final class UpkeepQueue {
  /** How often each region is looked at, unless it is being worked on. */
  static final long LOOK_NANOS = Duration.ofMillis(500).toNanos();

  /**
   * How often that is at first, while nothing is needed: a region comes while it is opening, and
   * lacks its filter from the moment that it is open.
   */
  static final long FIRST_LOOK_NANOS = Duration.ofMillis(20).toNanos();

  /** For how long a region counts as one that has just come. */
  static final long ARRIVAL_NANOS = Duration.ofSeconds(5).toNanos();

  private static final Logger LOG = LoggerFactory.getLogger(UpkeepQueue.class);

  private static final Comparator<Place> MOST_PRESSING =
      Comparator.<Place, Need>comparing(place -> place.need).thenComparing(place -> place.asked);

  private static final class Place {
    final UpkeepTask task;
    final long arrived;
    long lookAt;
    Need need = Need.NOTHING;
    long asked;
    boolean running;

    Place(UpkeepTask task, long now) {
      this.task = task;
      this.arrived = now;
      this.lookAt = now;
    }

    long pause(long now) {
      boolean opening = now - arrived < ARRIVAL_NANOS && need == Need.NOTHING;
      return opening ? FIRST_LOOK_NANOS : LOOK_NANOS;
    }
  }

  private final int mostBuilds;
  private final Map<UpkeepTask, Place> places = new LinkedHashMap<>();
  private int builds;

  /**
   * @param mostBuilds filters that are built from postings at the same time, at most
   */
  UpkeepQueue(int mostBuilds) {
    this.mostBuilds = mostBuilds;
  }

  synchronized void add(UpkeepTask task, long now) {
    places.put(task, new Place(task, now));
  }

  /** The task is not taken any more; a run that is under way goes on. */
  synchronized void remove(UpkeepTask task) {
    places.remove(task);
  }

  /** A task that is taken from the queue. */
  record Taken(UpkeepTask task, Need need) {}

  /** The task to be run now; to be given back by {@link #done}. */
  synchronized Optional<Taken> take(long now) {
    places.values().forEach(place -> look(place, now));
    Optional<Place> next =
        places.values().stream()
            .filter(place -> !place.running && mayRun(place.need))
            .max(MOST_PRESSING);
    return next.map(
        place -> {
          place.running = true;
          builds += place.need.isLong() ? 1 : 0;
          return new Taken(place.task, place.need);
        });
  }

  private boolean mayRun(Need need) {
    return need != Need.NOTHING && (!need.isLong() || builds < mostBuilds);
  }

  private static void look(Place place, long now) {
    if (place.running || place.lookAt - now > 0) {
      return;
    }
    place.lookAt = now + LOOK_NANOS;
    try {
      place.need = place.task.look();
      place.asked = place.task.asked();
      place.lookAt = now + place.pause(now);
    } catch (RuntimeException e) {
      // Whoever looks looks after all regions.
      LOG.error("Cannot look after a filter; trying again", e);
    }
  }

  /** The run of a task is over. */
  synchronized void done(Taken taken, long now) {
    builds -= taken.need().isLong() ? 1 : 0;
    Place place = places.get(taken.task());
    if (place != null) {
      place.running = false;
      place.need = Need.NOTHING;
      place.lookAt = now + LOOK_NANOS;
    }
  }
}
