/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.master;

import com.google.protobuf.RpcChannel;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether HBase's client can call endpoints. The one in {@code hbase-shaded-client} cannot: it
 * takes a protobuf of its own for the one that endpoints of HBase 2 are made with.
 */
@InterfaceAudience.Private
public final class EndpointAccess {
  /** For logs and errors. */
  public static final String OBSTACLE =
      "HBase's client here has its protobuf relocated, as in hbase-shaded-client, and cannot call"
          + " hbase-index's endpoints; put hbase-client on the class path instead";

  private EndpointAccess() {}

  /** Whether the client on this class path can. */
  public static boolean isPossible() {
    try {
      return RpcChannel.class.isAssignableFrom(CoprocessorRpcChannel.class);
    } catch (NoClassDefFoundError e) {
      // There is no other protobuf, either.
      return false;
    }
  }
}
