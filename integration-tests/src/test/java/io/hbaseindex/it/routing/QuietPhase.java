/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.Set;

/**
 * Writes unique values to a table that nobody else uses, looks for each, and counts what that took.
 *
 * @param toOneRegion routes that left out all regions but one, by the client's account
 * @param excluded regions left out, by the master's own counter
 * @param visited regions that served a scan, by their servers' own counters
 */
record QuietPhase(int regions, int toOneRegion, long excluded, long visited) {
  private static final int VALUES = 200;
  private static final String EXCLUDED = "routesExcludedRegions";

  static QuietPhase run(ChaosTable table, String name) throws IOException {
    int regions = table.regions().size();
    long excludedBefore = PublishCounters.of(EXCLUDED);
    IndexCounters scansBefore = IndexCounters.of(table.name());
    int toOneRegion = 0;
    for (int i = 0; i < VALUES; i++) {
      String row = (char) ('a' + i % 26) + "5quiet" + name + "-" + i;
      String value = row + "@example.org";
      table.put(row, value, "quiet");
      assertThat(table.find(ChaosTable.UNIQUE, value)).isEqualTo(Set.of(row));
      int excluded = table.route(ChaosTable.UNIQUE, value).map(a -> a.excluded()).orElse(0);
      toOneRegion += excluded == regions - 1 ? 1 : 0;
    }
    IndexCounters scans = IndexCounters.of(table.name()).since(scansBefore);
    return new QuietPhase(
        regions,
        toOneRegion,
        PublishCounters.of(EXCLUDED) - excludedBefore,
        scans.get(IndexCounter.SCANS_JUMPED) + scans.get(IndexCounter.SCANS_PLAIN));
  }

  /** Whether nine of ten routes led to one region. */
  boolean isRouted() {
    return toOneRegion >= VALUES * 9 / 10
        // Each value was asked for twice, once by a scan.
        && excluded >= 2L * VALUES * (regions - 1) * 9 / 10
        && visited <= VALUES + (long) VALUES * (regions - 1) / 10;
  }

  void requireRouted() {
    assertThat(isRouted()).as(toString()).isTrue();
    assertThat(visited).isGreaterThanOrEqualTo(VALUES);
  }

  @Override
  public String toString() {
    return "%d of %d routes to one of %d regions; %d regions visited by %d queries"
        .formatted(toOneRegion, VALUES, regions, visited, VALUES);
  }
}
