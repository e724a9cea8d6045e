/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Everything one region server has to tell the master at one moment.
 *
 * @param server HBase's name of the server, with its start code
 * @param number counts the pushes of the server; the reply repeats it
 * @param token the newest token the server has received, or null if it has none to echo
 * @param heldNanos how much time has passed at the server since it received the token, by the
 *     server's clock; 0 without a token
 * @param wantsCredit whether the server has parts of whole filters to send beyond those in this
 *     push, and asks how many it may
 * @param messages what the regions say, in order for each region
 */
@InterfaceAudience.Private
public record Push(
    String server,
    long number,
    LeaseToken token,
    long heldNanos,
    boolean wantsCredit,
    List<RegionMessage> messages) {
  public Push {
    messages = List.copyOf(messages);
  }

  /** A push of a server that has no parts of whole filters to send. */
  public Push(
      String server, long number, LeaseToken token, long heldNanos, List<RegionMessage> messages) {
    this(server, number, token, heldNanos, false, messages);
  }
}
