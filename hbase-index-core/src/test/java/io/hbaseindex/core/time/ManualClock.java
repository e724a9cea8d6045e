/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.time;

import java.time.Duration;

/** Clocks that move when they are told to. */
public final class ManualClock implements MachineClock {
  private long nanos = Long.MAX_VALUE - 1_000;
  private long wallMillis = 1_000_000;

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  @Override
  public long wallMillis() {
    return wallMillis;
  }

  public void pass(Duration time) {
    passNanos(time.toNanos());
  }

  public void passNanos(long time) {
    nanos += time;
    wallMillis += time / 1_000_000;
  }

  /** The machine was suspended: only the wall clock went on. */
  public void passByWallClockOnly(Duration time) {
    wallMillis += time.toMillis();
  }
}
