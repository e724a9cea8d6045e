/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Bounded waits; the limits only catch hangs and are far above what a loaded machine needs. */
public final class Waits {

  /** After this a wait is a hang. */
  public static final Duration HANG = Duration.ofSeconds(120);

  private Waits() {}

  /**
   * Awaits a condition named {@code what}, polling often because most come true in milliseconds.
   */
  public static ConditionFactory until(String what) {
    return Awaitility.await(what)
        .atMost(HANG)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50));
  }
}
