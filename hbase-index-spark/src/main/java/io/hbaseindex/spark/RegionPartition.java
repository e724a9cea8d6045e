/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import org.apache.spark.sql.connector.read.InputPartition;

/**
 * The keys of one region that has to be asked.
 *
 * @param keys none where there is no region to ask, and yet figures are wanted
 * @param host of the server that holds them; empty if that is not known
 */
record RegionPartition(ReadPlan plan, KeySpan keys, String host) implements InputPartition {
  @Override
  public String[] preferredLocations() {
    return host.isEmpty() ? new String[0] : new String[] {host};
  }
}
