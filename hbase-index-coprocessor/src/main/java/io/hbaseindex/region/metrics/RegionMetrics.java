/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.metrics;

import io.hbaseindex.common.metrics.MetricName;
import io.hbaseindex.common.query.PlainScanReason;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts for one region and passes every count on to the metrics of its table.
 *
 * <p>The counts start at zero each time a region opens; those of the table and the server live as
 * long as the server.
 */
@InterfaceAudience.Private
public final class RegionMetrics implements IndexMetrics {

  private final IndexMetrics table;
  private final Map<IndexCounter, LongAdder> counters = adders(IndexCounter.class);
  private final Map<PlainScanReason, LongAdder> plainScans = adders(PlainScanReason.class);
  private final Map<WriteRefusal, LongAdder> refusals = adders(WriteRefusal.class);

  /**
   * @param table takes every count of this region too
   */
  public RegionMetrics(IndexMetrics table) {
    this.table = table;
  }

  @Override
  public void add(IndexCounter counter, long amount) {
    if (amount != 0) {
      counters.get(counter).add(amount);
      table.add(counter, amount);
    }
  }

  @Override
  public void plainScan(PlainScanReason reason) {
    counters.get(IndexCounter.SCANS_PLAIN).increment();
    plainScans.get(reason).increment();
    table.plainScan(reason);
  }

  @Override
  public void refusedWrite(WriteRefusal reason) {
    counters.get(IndexCounter.WRITES_REFUSED).increment();
    refusals.get(reason).increment();
    table.refusedWrite(reason);
  }

  /** What {@code counter} stands at. */
  public long value(IndexCounter counter) {
    return counters.get(counter).sum();
  }

  /**
   * All counts by the names a person sees, in a fixed order; reasons only where there is something
   * to report.
   */
  public Map<String, Long> snapshot() {
    Map<String, Long> values = new LinkedHashMap<>();
    counters.forEach((counter, adder) -> values.put(counter.metricName(), adder.sum()));
    putPositive(
        values,
        plainScans,
        reason -> MetricName.of(IndexCounter.SCANS_PLAIN.metricName(), reason.metricName()));
    putPositive(
        values,
        refusals,
        reason -> MetricName.of(IndexCounter.WRITES_REFUSED.metricName(), reason.metricName()));
    return values;
  }

  private static <E extends Enum<E>> void putPositive(
      Map<String, Long> values, Map<E, LongAdder> adders, Function<E, String> name) {
    adders.forEach(
        (key, adder) -> {
          long sum = adder.sum();
          if (sum > 0) {
            values.put(name.apply(key), sum);
          }
        });
  }

  private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> keys) {
    Map<E, LongAdder> adders = new EnumMap<>(keys);
    for (E key : keys.getEnumConstants()) {
      adders.put(key, new LongAdder());
    }
    return adders;
  }
}
