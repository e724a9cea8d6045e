/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.client.routing.RoutingSettings;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long answers to a connection may take.
 *
 * <p>The first answer of a fresh process takes longer than any later one: the master has to be
 * found, a connection to it made, and all classes loaded for that. So from the first question on
 * until an answer has come, and once in the life of a connection, scans wait for {@link
 * RoutingSettings#firstTimeoutMillis} together. A master that is known to be away fails questions
 * at once, so this costs something only where it hangs.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class RouteTime {
  private final RoutingSettings settings;
  private final LongSupplier nanoClock;
  private OptionalLong begun = OptionalLong.empty();
  private volatile boolean warm;

  public RouteTime(RoutingSettings settings, LongSupplier nanoClock) {
    this.settings = settings;
    this.nanoClock = nanoClock;
  }

  /** How long a route may take that is asked for now. */
  public long millis() {
    return warm ? settings.timeoutMillis() : coldMillis();
  }

  /** How long the answer to this question may take if it is asked now. */
  long millis(RouteQuestion<?> question) {
    return question.isLarge() ? settings.filtersTimeoutMillis() : millis();
  }

  /** An answer has come: later ones have no reason to take longer than others. */
  public void answered() {
    warm = true;
  }

  private synchronized long coldMillis() {
    long now = nanoClock.getAsLong();
    if (begun.isEmpty()) {
      begun = OptionalLong.of(now);
    }
    long passed = TimeUnit.NANOSECONDS.toMillis(now - begun.getAsLong());
    long left = settings.firstTimeoutMillis() - passed;
    if (left <= settings.timeoutMillis()) {
      warm = true;
    }
    return Math.max(left, settings.timeoutMillis());
  }
}
