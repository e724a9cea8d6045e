/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RegionFilterState;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.awaitility.core.ConditionTimeoutException;

/** Waits until the master trusts the filters of a table, and says which ones it does not. */
final class PreciseRegions {

  /** A region that has given up many times in a row pauses for 64 s. */
  private static final Duration LIMIT = Waits.HANG.multipliedBy(3);

  private final TestCluster cluster;
  private final TableName name;
  private final IndexAdmin admin;

  PreciseRegions(TestCluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
    this.admin = IndexAdmin.of(cluster.connection());
  }

  void await() throws Exception {
    admin.awaitReady(name, Waits.HANG, Progress.NONE);
    int indexes =
        IndexedTableDescriptor.indexesOf(cluster.admin().getDescriptor(name)).definitions().size();
    try {
      Waits.until("the filters of all regions of " + name + " are trusted")
          .atMost(LIMIT)
          .ignoreExceptionsInstanceOf(IOException.class) // between two masters there is none
          .until(() -> isPrecise(indexes));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("Not precise: " + explain(), e);
    }
  }

  private boolean isPrecise(int indexes) throws IOException {
    Set<String> precise =
        admin.routing(name).regions().stream()
            .filter(region -> region.isPrecise() && region.coveredIndexes().size() == indexes)
            .map(region -> region.encodedName())
            .collect(Collectors.toSet());
    return cluster.regions().of(name).stream()
        .allMatch(region -> precise.contains(region.getEncodedName()));
  }

  private String explain() throws IOException {
    StringBuilder text = new StringBuilder();
    for (RegionFilterState region : admin.routing(name).regions()) {
      text.append("\nat the master: ").append(region);
    }
    admin
        .states(name)
        .statuses()
        .forEach(region -> text.append("\nat the region: ").append(region));
    return text.toString();
  }
}
