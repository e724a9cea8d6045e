/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How a stream is cut into windows: which window an event belongs to, and when a window ends.
 *
 * <p>Whatever the rule, a window also ends when it has taken all the events it has room for; the
 * next event of its kind opens another.
 */
@InterfaceAudience.Private
public sealed interface Windowing permits CountWindowing, EventTimeWindowing {
  /** The number of the window an event of this time belongs to. */
  long windowOf(long time);

  /** Whether a window takes no more events once one of time {@code newest} has been seen. */
  boolean isOver(long window, long newest);

  /** Most windows that can be waiting for events at the same time. */
  int maxOpenWindows();

  /**
   * Windows of equally many events, in the order of arrival, as the paper has them. Times need not
   * ascend: a window's span is that of its own events, and spans may overlap. No event is late.
   */
  static Windowing byCount() {
    return CountWindowing.INSTANCE;
  }

  /**
   * Windows of equal length in event time, aligned to multiples of {@code width}.
   *
   * <p>A window waits for late events until an event has been seen that is {@code lateness} or more
   * after the window's end. Later ones are too late: they are refused, and counted as refused, so
   * that what was answered about a closed window stays true. An event far in the future makes all
   * that follow it too late; who reads untrusted clocks must hold such events back.
   *
   * @param width length of a window, in the unit of the events' times
   * @param lateness how long a window waits, in the same unit; 0 or more
   */
  static Windowing byEventTime(long width, long lateness) {
    return new EventTimeWindowing(width, lateness);
  }
}
