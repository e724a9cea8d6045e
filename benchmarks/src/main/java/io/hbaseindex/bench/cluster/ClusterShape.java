/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import picocli.CommandLine.Option;

/** How large the cluster of a benchmark is, and into how many regions its tables are split. */
public final class ClusterShape {
  @Option(names = "--regions", defaultValue = "12", description = "Regions; ${DEFAULT-VALUE}.")
  private int regions;

  @Option(names = "--servers", defaultValue = "3", description = "Servers; ${DEFAULT-VALUE}.")
  private int servers;

  public int regions() {
    return regions;
  }

  public int servers() {
    return servers;
  }

  @Override
  public String toString() {
    return "%d regions, %d servers in one process, %d processors"
        .formatted(regions, servers, Runtime.getRuntime().availableProcessors());
  }
}
