/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.scan.trace.ScanTrace;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** What one scan has done since it last told the metrics. Not thread-safe: a scan is not. */
@InterfaceAudience.Private
public final class ScanTally {
  private final IndexMetrics metrics;
  private final Map<IndexCounter, Long> pending = new EnumMap<>(IndexCounter.class);

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

  public void count(IndexCounter counter) {
    pending.merge(counter, 1L, Long::sum);
  }

  /** How often it was counted since the metrics were told last. */
  public long since(IndexCounter counter) {
    return pending.getOrDefault(counter, 0L);
  }

  public void flush() {
    pending.forEach(metrics::add);
    pending.clear();
    trace.ifPresent(asked -> live.forEach(asked::read));
    live.clear();
  }
}
