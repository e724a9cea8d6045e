/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What went over the network, and how long writes waited for it. */
final class Traffic {
  private static final int DIGITS = 3;

  private Histogram waits = newHistogram();

  /** The longest wait since the last sample, in nanoseconds. */
  long longestSinceSample;

  long pushes;
  long pushBytes;
  long messages;
  long replyBytes;
  long refused;
  long late;

  private static Histogram newHistogram() {
    return new Histogram(TimeUnit.MINUTES.toNanos(10), DIGITS);
  }

  /** A batch has waited for so many virtual nanoseconds. */
  void waited(long nanos) {
    waits.recordValue(nanos);
    longestSinceSample = Math.max(longestSinceSample, nanos);
  }

  Histogram waits() {
    return waits;
  }

  /** Forgets everything so far: only what comes from now on counts. */
  void forget() {
    waits = newHistogram();
    pushes = 0;
    pushBytes = 0;
    messages = 0;
    replyBytes = 0;
    refused = 0;
    late = 0;
  }
}
