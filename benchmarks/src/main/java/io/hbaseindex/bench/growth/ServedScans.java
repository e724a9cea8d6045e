/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.growth;

import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.metrics.MetricName;
import org.apache.hadoop.hbase.TableName;

/** How the scans of a table have been served since this was made, by the servers' counters. */
final class ServedScans {
  private final TableName table;
  private final long jumpedBefore;
  private final long plainBefore;

  ServedScans(TableName table) {
    this.table = table;
    this.jumpedBefore = count("scansJumped");
    this.plainBefore = count("scansPlain");
  }

  long jumped() {
    return count("scansJumped") - jumpedBefore;
  }

  /** Fails unless all scans went by an index, and there were so many. */
  void requireIndexed(long atLeast) {
    long plain = count("scansPlain") - plainBefore;
    if (plain > 0 || jumped() < atLeast) {
      throw new IllegalStateException(
          "Cannot trust the measurement: of %s, %d scans of regions went by an index and %d did not; there should be %d or more"
              .formatted(table, jumped(), plain, atLeast));
    }
  }

  private long count(String name) {
    return IndexRegistry.ofRegionServer()
        .counter(
            MetricName.ofTable(table.getNamespaceAsString(), table.getQualifierAsString(), name))
        .getCount();
  }
}
