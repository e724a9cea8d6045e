/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.metrics;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A present state that several add to and take from: the servers of one process share a registry. A
 * counter would not do, since Prometheus takes one that falls for one that began anew.
 */
@InterfaceAudience.Private
public final class SumGauge implements Gauge<Long> {
  private final LongAdder sum = new LongAdder();

  /** Adds to what is shown; less than zero takes away. */
  public void add(long more) {
    sum.add(more);
  }

  @Override
  public Long getValue() {
    return sum.sum();
  }
}
