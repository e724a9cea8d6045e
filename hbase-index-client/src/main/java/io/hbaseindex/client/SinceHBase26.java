/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncConnectionImpl;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.security.User;

/**
 * What HBase 2.5 does not have: attributes of connections. These calls are alone in a class of
 * their own, which HBase 2.5 never loads: it does not know the constructors that lead here.
 */
final class SinceHBase26 {
  private SinceHBase26() {}

  static Connection connect(
      Configuration conf, ExecutorService pool, User user, Map<String, byte[]> attributes)
      throws IOException {
    return ConnectionFactory.createConnection(conf, pool, user, attributes);
  }

  static AsyncConnection connect(
      Configuration conf,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    return new AsyncConnectionImpl(conf, registry, clusterId, user, attributes);
  }
}
