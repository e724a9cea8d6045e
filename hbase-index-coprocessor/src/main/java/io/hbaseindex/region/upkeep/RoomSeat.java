/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The place of one region in the {@link FilterRoom}: what its filter takes or lacks, of what use it
 * is, and whether it has to go or may come. The region itself does what it is told here when its
 * turn comes, so that nobody else touches its filter.
 */
@InterfaceAudience.Private
public final class RoomSeat implements FilterRoom.Tenant {
  /** Others may take a moment to leave their room to a region that was promised it. */
  private static final long ENTERING_NANOS = Duration.ofSeconds(10).toNanos();

  private final String name;
  private final LongSupplier filterBytes;
  private final Usefulness usefulness;
  private volatile double useful;
  private volatile long lacking;
  private volatile boolean leaving;
  private volatile boolean entering;
  private long enteringUntil;

  /**
   * @param filterBytes bytes of the filter that others could have; 0 if they could not
   * @param askedInVain scans that have found nothing in the region so far
   */
  public RoomSeat(String name, LongSupplier filterBytes, long now, long askedInVain) {
    this.name = name;
    this.filterBytes = filterBytes;
    this.usefulness = new Usefulness(now, askedInVain);
    this.enteringUntil = now;
  }

  /**
   * Takes note of the scans that have come.
   *
   * @param open whether the region is without a filter
   */
  public void look(long now, boolean open, long askedInVain) {
    usefulness.look(now, open, askedInVain);
    useful = usefulness.rate();
  }

  /** There was no room for a filter of so many bytes. */
  public void lacks(long bytes) {
    lacking = bytes;
  }

  /** The region has a filter. */
  public void settled() {
    lacking = 0;
  }

  /** Whether the region has to leave its room. */
  public boolean mustLeave() {
    return leaving;
  }

  /** The region has left its room. */
  public void left(long bytes) {
    lacking = bytes;
    leaving = false;
  }

  /** Whether there is, or will be in a moment, room that was promised to the region. */
  public boolean mayEnter(long now) {
    if (entering) {
      entering = false;
      enteringUntil = now + ENTERING_NANOS;
    }
    return lacking > 0 && enteringUntil - now > 0;
  }

  @Override
  public long heldBytes() {
    return leaving ? 0 : filterBytes.getAsLong();
  }

  @Override
  public long lackingBytes() {
    return lacking;
  }

  @Override
  public double usefulness() {
    return useful;
  }

  @Override
  public void leave() {
    leaving = true;
  }

  @Override
  public void enter() {
    entering = true;
  }

  @Override
  public String toString() {
    return name;
  }
}
