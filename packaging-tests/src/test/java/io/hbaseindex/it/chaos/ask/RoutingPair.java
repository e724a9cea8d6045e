/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.ask;

import io.hbaseindex.client.IndexedAsyncConnection;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.routing.RoutingCounter;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** A client's connections that route, the blocking and the asynchronous one. */
record RoutingPair(IndexedConnection connection, IndexedAsyncConnection async) {
  static RoutingPair open(Configuration conf) throws Exception {
    return new RoutingPair(
        IndexedConnection.wrap(ConnectionFactory.createConnection(conf)),
        IndexedAsyncConnection.wrap(ConnectionFactory.createAsyncConnection(conf).get()));
  }

  Map<String, Long> counters() {
    Map<String, Long> counters = new TreeMap<>();
    for (RoutingCounter counter : RoutingCounter.values()) {
      counters.put(
          counter.metricName(),
          connection.routing().counters().get(counter) + async.routing().counters().get(counter));
    }
    return counters;
  }

  void close() throws IOException {
    async.close();
    connection.close();
  }
}
