/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import io.hbaseindex.master.IndexMasterEndpoint;

/** What the one shared cluster carries: the union of what its test classes need at server start. */
final class SharedClusterSettings {

  static final ClusterSettings SETTINGS =
      ClusterSettings.threeServers()
          .withMasterCoprocessor(EchoMaster.class)
          .withMasterCoprocessor(IndexMasterEndpoint.class)
          // Without it a region's replica never learns of flushed files.
          .with("hbase.regionserver.storefile.refresh.period", "500");

  private SharedClusterSettings() {}
}
