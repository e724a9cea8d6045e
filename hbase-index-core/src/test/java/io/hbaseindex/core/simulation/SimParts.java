/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.publish.BrokenPublishers;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.registry.BrokenRegistries;
import io.hbaseindex.core.registry.FilterRegistry;

/**
 * What a simulated cluster is made of: the deployed classes, unless a saboteur says otherwise.
 *
 * @param deletesBeforeCommit whether a batch takes ended postings back before it is known whether
 *     it succeeds
 */
record SimParts(
    BrokenPublishers.Maker publishers,
    BrokenRegistries.Maker registries,
    boolean deletesBeforeCommit) {
  static final SimParts DEPLOYED = new SimParts(ServerPublisher::new, FilterRegistry::new, false);

  SimParts publishing(BrokenPublishers.Maker broken) {
    return new SimParts(broken, registries, deletesBeforeCommit);
  }

  SimParts holding(BrokenRegistries.Maker broken) {
    return new SimParts(publishers, broken, deletesBeforeCommit);
  }

  SimParts deletingBeforeCommit() {
    return new SimParts(publishers, registries, true);
  }
}
