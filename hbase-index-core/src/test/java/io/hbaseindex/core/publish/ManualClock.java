package io.hbaseindex.core.publish;

import java.time.Duration;

/** Clocks that move when they are told to. */
final class ManualClock implements PublishClock {
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

  void pass(Duration time) {
    passNanos(time.toNanos());
  }

  void passNanos(long time) {
    nanos += time;
    wallMillis += time / 1_000_000;
  }

  /** The machine was suspended: only the wall clock went on. */
  void passByWallClockOnly(Duration time) {
    wallMillis += time.toMillis();
  }
}
