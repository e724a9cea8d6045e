/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The master's answer to a push.
 *
 * @param number the number of the push
 * @param token the moment of the answer
 * @param leaseNanos the lease that the master grants; a server that reckons with another one would
 *     not know until when it is trusted
 * @param senior whether the master has been active for so long that no other one can still answer
 * @param inStep whether no more time had passed at the server than at the master since the echoed
 *     token was issued, but for what clocks may drift apart; if not, one of the two clocks is wrong
 * @param credit what the next push may carry of whole filters
 * @param replies one answer per message, in order
 */
@InterfaceAudience.Private
public record PushReply(
    long number,
    LeaseToken token,
    long leaseNanos,
    boolean senior,
    boolean inStep,
    StagingCredit credit,
    List<RegionReply> replies) {
  public PushReply {
    replies = List.copyOf(replies);
  }
}
