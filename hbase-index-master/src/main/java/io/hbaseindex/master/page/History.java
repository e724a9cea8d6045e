/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import io.hbaseindex.master.page.model.HistorySample;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the master counts, now and in samples of the last half hour; older ones are forgotten. Safe
 * for use by many threads.
 */
@InterfaceAudience.Private
public final class History {
  /** How often a sample is taken. */
  public static final int EVERY_MILLIS = 10_000;

  static final int SAMPLES = 180;

  private final Supplier<HistorySample> counts;
  private final Deque<HistorySample> samples = new ArrayDeque<>();

  /**
   * @param counts counts how things stand
   */
  public History(Supplier<HistorySample> counts) {
    this.counts = counts;
  }

  /** Takes a sample. */
  public void take() {
    HistorySample sample = now();
    synchronized (this) {
      if (samples.size() == SAMPLES) {
        samples.removeFirst();
      }
      samples.addLast(sample);
    }
  }

  /** How things stand. */
  HistorySample now() {
    return counts.get();
  }

  /** What is remembered, oldest first. */
  synchronized List<HistorySample> samples() {
    return List.copyOf(samples);
  }
}
