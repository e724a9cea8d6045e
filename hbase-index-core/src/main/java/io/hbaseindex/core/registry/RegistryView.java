/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.push.RegionReply.Verdict;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The state of a registry as a whole.
 *
 * @param master the master's incarnation
 * @param activeSinceMillis when it became active, by its wall clock
 * @param trusting whether it has been active for so long, and is so certain to be, that it trusts
 *     anybody
 * @param leaseNanos the lease it counts with
 * @param filterBytes bytes of heap that filters take, staged ones included
 * @param filterByteLimit how many they may take
 * @param answered how many messages have been answered so far, by verdict
 */
@InterfaceAudience.Private
public record RegistryView(
    long master,
    long activeSinceMillis,
    boolean trusting,
    long leaseNanos,
    long filterBytes,
    long filterByteLimit,
    Map<Verdict, Long> answered) {
  public RegistryView {
    answered = Map.copyOf(answered);
  }
}
