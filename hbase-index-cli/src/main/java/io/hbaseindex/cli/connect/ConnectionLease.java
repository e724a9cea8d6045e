/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.connect;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A connection for one command.
 *
 * @param owned whether it ends with the command
 */
@InterfaceAudience.Private
public record ConnectionLease(Connection connection, boolean owned) implements AutoCloseable {

  /** Gives connections to commands. */
  @FunctionalInterface
  public interface Source {
    /** A connection to the cluster that the options name. */
    ConnectionLease connect(ClusterOptions options) throws IOException;
  }

  @Override
  public void close() throws IOException {
    if (owned) {
      connection.close();
    }
  }
}
