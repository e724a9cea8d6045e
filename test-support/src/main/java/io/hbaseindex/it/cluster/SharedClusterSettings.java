/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import io.hbaseindex.master.IndexMasterEndpoint;
import io.hbaseindex.master.page.IndexPageInitializer;

/** What the one shared cluster carries: the union of what its test classes need at server start. */
final class SharedClusterSettings {

  static final ClusterSettings SETTINGS =
      ClusterSettings.threeServers()
          .withMasterCoprocessor(EchoMaster.class)
          .withMasterCoprocessor(IndexMasterEndpoint.class)
          // The page of indexes is shown by the master's web server.
          .with("hbase.master.info.port", "0")
          .with("hbase.http.filter.initializers", IndexPageInitializer.class.getName())
          // Without it a region's replica never learns of flushed files.
          .with("hbase.regionserver.storefile.refresh.period", "500");

  private SharedClusterSettings() {}
}
