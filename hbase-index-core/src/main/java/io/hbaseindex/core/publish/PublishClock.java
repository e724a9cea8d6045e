package io.hbaseindex.core.publish;

/** The two clocks of one machine. */
public interface PublishClock {
  /**
   * Nanoseconds since an arbitrary moment. Never runs backwards, but may stand still while the
   * machine is suspended.
   */
  long monotonicNanos();

  /** Milliseconds since 1970. May be set by hand, but goes on while the machine is suspended. */
  long wallMillis();
}
