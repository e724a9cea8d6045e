/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.time;

import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/** The two clocks of one machine. */
@InterfaceAudience.Private
public interface MachineClock {
  /**
   * Nanoseconds since an arbitrary moment. Never runs backwards, but may stand still while the
   * machine is suspended.
   */
  long monotonicNanos();

  /** Milliseconds since 1970. May be set by hand, but goes on while the machine is suspended. */
  long wallMillis();

  /**
   * A clock of two sources, such as {@code System::nanoTime} and {@code System::currentTimeMillis}.
   */
  static MachineClock of(LongSupplier monotonicNanos, LongSupplier wallMillis) {
    return new MachineClock() {
      @Override
      public long monotonicNanos() {
        return monotonicNanos.getAsLong();
      }

      @Override
      public long wallMillis() {
        return wallMillis.getAsLong();
      }
    };
  }
}
