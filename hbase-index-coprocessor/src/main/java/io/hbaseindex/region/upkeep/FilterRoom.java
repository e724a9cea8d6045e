/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the memory for filters to the regions that it is of most use to: for each byte, those that
 * keep away the most scans.
 *
 * <p>Whoever comes while there is room gets it. When there is none, a region that would be of twice
 * as much use takes the room of others. That happens once a minute at most, so that regions of
 * about the same use do not change places all the time.
 */
@InterfaceAudience.Private
public final class FilterRoom implements UpkeepTask {
  static final long EXCHANGE_NANOS = Duration.ofMinutes(1).toNanos();

  /** How many times as useful a region has to be to take the room of another. */
  private static final double FACTOR = 2;

  private static final Logger LOG = LoggerFactory.getLogger(FilterRoom.class);

  /** A region, whose filter takes room or wants to. */
  public interface Tenant {
    /** Bytes that its filter takes; 0 without one. */
    long heldBytes();

    /** Bytes that its filter would take that there was no room for; 0 if that is not so. */
    long lackingBytes();

    /** Scans per second that its filter keeps away, or would. */
    double usefulness();

    /** Gives the room of its filter up; the region is open from now on. */
    void leave();

    /** There is room: the filter that was refused is tried again soon. */
    void enter();
  }

  /** Who leaves for whom. */
  private record Exchange(Tenant coming, List<Tenant> leaving) {}

  private final LongSupplier nanoClock;
  private final Set<Tenant> tenants = new LinkedHashSet<>();
  private long notBefore;

  public FilterRoom(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.notBefore = nanoClock.getAsLong();
  }

  public synchronized void add(Tenant tenant) {
    tenants.add(tenant);
  }

  public synchronized void remove(Tenant tenant) {
    tenants.remove(tenant);
  }

  @Override
  public synchronized Need look() {
    return isTime() && exchange().isPresent() ? Need.FILE : Need.NOTHING;
  }

  @Override
  public long asked() {
    return 0;
  }

  @Override
  public synchronized void run() {
    if (!isTime()) {
      return;
    }
    exchange()
        .ifPresent(
            exchange -> {
              notBefore = nanoClock.getAsLong() + EXCHANGE_NANOS;
              LOG.info(
                  "Filters make room for one of more use: {} leave for {}",
                  exchange.leaving(),
                  exchange.coming());
              exchange.leaving().forEach(Tenant::leave);
              exchange.coming().enter();
            });
  }

  private boolean isTime() {
    return nanoClock.getAsLong() - notBefore >= 0;
  }

  private Optional<Exchange> exchange() {
    return tenants.stream()
        .filter(tenant -> tenant.lackingBytes() > 0 && tenant.usefulness() > 0)
        .max(Comparator.comparing(tenant -> tenant.usefulness() / tenant.lackingBytes()))
        .flatMap(this::roomFor);
  }

  /** The least useful ones that make room for a region; empty if they are not useless enough. */
  private Optional<Exchange> roomFor(Tenant coming) {
    List<Tenant> least =
        tenants.stream()
            .filter(tenant -> tenant.heldBytes() > 0)
            .sorted(Comparator.comparing(FilterRoom::perByte))
            .toList();
    List<Tenant> leaving = new ArrayList<>();
    long room = 0;
    double lost = 0;
    for (Tenant tenant : least) {
      if (room >= coming.lackingBytes()) {
        break;
      }
      leaving.add(tenant);
      room += tenant.heldBytes();
      lost += tenant.usefulness();
    }
    return room >= coming.lackingBytes() && coming.usefulness() > FACTOR * lost
        ? Optional.of(new Exchange(coming, leaving))
        : Optional.empty();
  }

  private static double perByte(Tenant tenant) {
    return tenant.usefulness() / tenant.heldBytes();
  }
}
