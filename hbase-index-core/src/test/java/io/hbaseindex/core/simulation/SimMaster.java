/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import java.util.HashSet;
import java.util.Set;

/** A master with its registry. It dies some time after it was deposed. */
final class SimMaster extends SimProcess {
  final FilterRegistry registry;

  /** The servers that count as alive at this master. */
  final Set<String> online = new HashSet<>();

  SimMaster(SimTime time, SimTime.Machine machine, SimParts parts, long incarnation, long bytes) {
    super(time, machine);
    this.registry =
        parts
            .registries()
            .make(
                incarnation,
                machine,
                SimWorld.TERMS,
                new RegistryLimits(bytes, 64, 1_000, 20 * SimWorld.TERMS.leaseNanos()),
                online::contains);
  }
}
