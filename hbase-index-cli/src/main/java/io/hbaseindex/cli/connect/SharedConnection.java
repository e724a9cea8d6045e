/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.connect;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;

/** One connection for all commands that name no other cluster; made for the first of them. */
@InterfaceAudience.Private
public final class SharedConnection implements ConnectionLease.Source, AutoCloseable {
  private final ClusterOptions common;
  private Connection connection;

  /**
   * @param common the cluster of commands that name none
   */
  public SharedConnection(ClusterOptions common) {
    this.common = common;
  }

  @Override
  public ConnectionLease connect(ClusterOptions options) throws IOException {
    if (options.isGiven()) {
      return new ConnectionLease(Cluster.connect(options), true);
    }
    if (connection == null) {
      connection = Cluster.connect(common);
    }
    return new ConnectionLease(connection, false);
  }

  @Override
  public void close() throws IOException {
    if (connection != null) {
      connection.close();
    }
  }
}
