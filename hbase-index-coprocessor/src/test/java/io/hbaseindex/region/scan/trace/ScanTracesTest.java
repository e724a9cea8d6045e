/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.metrics.RegionMetrics;
import io.hbaseindex.region.metrics.WriteRefusal;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ScanTracesTest {
  private final AtomicLong clock = new AtomicLong(1_000);
  private final RegionMetrics region = new RegionMetrics(new Nobody());
  private final ScanTraces traces = new ScanTraces(region, clock::get);

  @Test
  void counts_areTheRegionsToo() {
    traces.countsOf(scan("a")).add(IndexCounter.CANDIDATES, 5);
    traces.countsOf(scan("b")).add(IndexCounter.CANDIDATES, 7);
    traces.countsOf(scan("a")).plainScan(PlainScanReason.NO_INDEX);

    assertThat(counters("a")).containsEntry("candidates", 5L).containsEntry("scansPlain", 1L);
    assertThat(counters("a")).containsEntry("scansPlainNoIndex", 1L);
    assertThat(counters("b")).containsEntry("candidates", 7L).containsEntry("scansPlain", 0L);
    assertThat(region.value(IndexCounter.CANDIDATES)).isEqualTo(12);
    assertThat(region.value(IndexCounter.SCANS_PLAIN)).isEqualTo(1);
  }

  @Test
  void scanWithoutId_isCountedByTheRegionAlone() {
    assertThat(traces.countsOf(new Scan())).isSameAs(region);
    assertThat(traces.of(scan(""))).isEmpty();
    assertThat(traces.of(scan("x".repeat(ScanTraces.MAX_ID_LENGTH + 1)))).isEmpty();
  }

  @Test
  void unknownId_isNotFound() {
    assertThat(traces.find(Bytes.toBytes("a"))).isEmpty();
  }

  @Test
  void oneMoreThanTheBound_theOneUntouchedForLongestGoes() {
    for (int i = 0; i < ScanTraces.MAX_TRACES; i++) {
      traces.of(scan("t" + i));
    }
    traces.of(scan("t0"));
    traces.of(scan("one more"));

    assertThat(traces.find(Bytes.toBytes("t1"))).isEmpty();
    assertThat(traces.find(Bytes.toBytes("one more"))).isPresent();
  }

  @Test
  void untouchedForItsLifetime_isForgotten() {
    traces.of(scan("a"));
    clock.addAndGet(ScanTraces.LIFETIME_MILLIS);
    assertThat(traces.find(Bytes.toBytes("a"))).isPresent();

    clock.addAndGet(1);
    assertThat(traces.find(Bytes.toBytes("a"))).isEmpty();
  }

  private Map<String, Long> counters(String id) {
    return traces.find(Bytes.toBytes(id)).orElseThrow().counters();
  }

  private static Scan scan(String id) {
    Scan scan = new Scan();
    scan.setAttribute(IndexSettings.SCAN_TRACE, Bytes.toBytes(id));
    return scan;
  }

  private static final class Nobody implements IndexMetrics {
    @Override
    public void add(IndexCounter counter, long amount) {}

    @Override
    public void plainScan(PlainScanReason reason) {}

    @Override
    public void refusedWrite(WriteRefusal reason) {}
  }
}
