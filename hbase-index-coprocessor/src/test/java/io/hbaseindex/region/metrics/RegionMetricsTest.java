/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.query.PlainScanReason;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.junit.jupiter.api.Test;

class RegionMetricsTest {

  private final MetricRegistry registry =
      new MetricRegistryImpl(new MetricRegistryInfo("test", "test", "test", "test", true));
  private final TableName people = TableName.valueOf("ns", "people");
  private final RegionMetrics first = new RegionMetrics(new TableMetrics(registry, people));
  private final RegionMetrics second =
      new RegionMetrics(new TableMetrics(registry, TableName.valueOf("pets")));

  @Test
  void add_countsForRegionTableAndServer() {
    first.add(IndexCounter.CANDIDATES, 3);
    second.add(IndexCounter.CANDIDATES, 4);

    assertThat(first.value(IndexCounter.CANDIDATES)).isEqualTo(3);
    assertThat(registry.counter("Namespace_ns_table_people_metric_candidates").getCount())
        .isEqualTo(3);
    assertThat(registry.counter("Namespace_default_table_pets_metric_candidates").getCount())
        .isEqualTo(4);
    assertThat(registry.counter("candidates").getCount()).isEqualTo(7);
  }

  @Test
  void plainScan_countsTotalAndReason() {
    first.plainScan(PlainScanReason.RAW_SCAN);
    first.plainScan(PlainScanReason.INDEX_NOT_READY);

    assertThat(first.snapshot())
        .containsEntry("scansPlain", 2L)
        .containsEntry("scansPlainRawScan", 1L)
        .containsEntry("scansPlainIndexNotReady", 1L)
        .doesNotContainKey("scansPlainReplica");
    assertThat(registry.counter("scansPlain").getCount()).isEqualTo(2);
    assertThat(registry.counter("scansPlainRawScan").getCount()).isEqualTo(1);
  }

  @Test
  void refusedWrite_countsTotalAndReason() {
    first.refusedWrite(WriteRefusal.SKIP_WAL);

    assertThat(first.snapshot())
        .containsEntry("writesRefused", 1L)
        .containsEntry("writesRefusedSkipWal", 1L);
    assertThat(registry.counter("Namespace_ns_table_people_metric_writesRefusedSkipWal").getCount())
        .isEqualTo(1);
  }

  @Test
  void snapshot_listsEveryCounterFromTheStart() {
    assertThat(first.snapshot())
        .hasSize(IndexCounter.values().length)
        .containsEntry("rowsRead", 0L);
  }
}
