/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.scan.trace.ScanTrace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** What one scan has done since it last told the metrics. Not thread-safe: a scan is not. */
@InterfaceAudience.Private
public final class ScanTally {
  private static final IndexCounter[] COUNTERS = IndexCounter.values();

  private final IndexMetrics metrics;

  /** How often each counter was counted since the metrics were told, by its ordinal. */
  private final long[] pending = new long[COUNTERS.length];

  private final Optional<ScanTrace> trace;
  private final Map<String, Long> live = new HashMap<>();

  /**
   * @param trace is told more than the metrics are
   */
  public ScanTally(IndexMetrics metrics, Optional<ScanTrace> trace) {
    this.metrics = metrics;
    this.trace = trace;
  }

  boolean isTraced() {
    return trace.isPresent();
  }

  /** A live posting was read. */
  void live(String access) {
    if (trace.isPresent()) {
      live.merge(access, 1L, Long::sum);
    }
  }

  /** So many live postings were read. */
  public void live(long postings, String access) {
    if (trace.isPresent() && postings > 0) {
      live.merge(access, postings, Long::sum);
    }
  }

  public void count(IndexCounter counter) {
    pending[counter.ordinal()]++;
  }

  public void count(IndexCounter counter, long times) {
    pending[counter.ordinal()] += times;
  }

  /** How often it was counted since the metrics were told last. */
  public long since(IndexCounter counter) {
    return pending[counter.ordinal()];
  }

  public void flush() {
    for (IndexCounter counter : COUNTERS) {
      if (pending[counter.ordinal()] > 0) {
        metrics.add(counter, pending[counter.ordinal()]);
        pending[counter.ordinal()] = 0;
      }
    }
    if (trace.isPresent()) {
      live.forEach(trace.get()::read);
      live.clear();
    }
  }
}
