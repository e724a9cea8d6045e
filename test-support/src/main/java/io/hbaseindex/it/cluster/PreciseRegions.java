/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import io.hbaseindex.client.admin.MasterIndexAdmin;
import io.hbaseindex.client.admin.RegionIndexAdmin;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.registry.RegionView;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.awaitility.core.ConditionTimeoutException;

/** Waits until the master trusts the filters of a table, and says which ones it does not. */
final class PreciseRegions {

  /** A region that has given up many times in a row pauses for 64 s. */
  private static final Duration LIMIT = Waits.HANG.multipliedBy(3);

  private final TestCluster cluster;
  private final TableName name;
  private final RegionIndexAdmin regions;
  private final MasterIndexAdmin master;

  PreciseRegions(TestCluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
    this.regions = new RegionIndexAdmin(cluster.connection());
    this.master = new MasterIndexAdmin(cluster.connection());
  }

  void await() throws Exception {
    regions.awaitReady(name, Waits.HANG.toSeconds(), TimeUnit.SECONDS);
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
        master.status(name).regions().stream()
            .filter(region -> region.isPrecise() && region.coverage().size() == indexes)
            .map(region -> region.region().encodedName())
            .collect(Collectors.toSet());
    return cluster.regions().of(name).stream()
        .allMatch(region -> precise.contains(region.getEncodedName()));
  }

  private String explain() throws IOException {
    StringBuilder text = new StringBuilder();
    for (RegionView region : master.status(name).regions()) {
      text.append("\nat the master: ").append(region);
    }
    regions.status(name).forEach(region -> text.append("\nat the region: ").append(region));
    return text.toString();
  }
}
