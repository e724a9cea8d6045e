/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.metrics;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.yetus.audience.InterfaceAudience;

/** Gauges in HBase's metrics that are shown for a while. */
@InterfaceAudience.Private
public final class ShownGauges implements AutoCloseable {
  private final MetricRegistry metrics;
  private final Map<String, Gauge<Long>> shown = new TreeMap<>();

  public ShownGauges(MetricRegistry metrics) {
    this.metrics = metrics;
  }

  /** Shows a gauge, in the place of any other one of that name. */
  public ShownGauges show(String name, Gauge<Long> gauge) {
    // A gauge of somebody who was here before, in the same process, would stay otherwise.
    metrics.remove(name);
    metrics.register(name, gauge);
    shown.put(name, gauge);
    return this;
  }

  /** Shows nothing any more. */
  @Override
  public void close() {
    shown.forEach((name, gauge) -> metrics.remove(name, gauge));
  }
}
