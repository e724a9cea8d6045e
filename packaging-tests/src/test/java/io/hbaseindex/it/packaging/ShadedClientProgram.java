/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.routing.RoutePlan;
import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** An application that does without a cluster: it asks for a route and for an admin. */
public final class ShadedClientProgram {
  private ShadedClientProgram() {}

  public static void main(String[] arguments) throws Exception {
    Configuration conf = new Configuration(false);
    Connection nowhere =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, given) ->
                    method.getName().equals("getConfiguration") ? conf : null);
    Scan scan =
        new Scan()
            .setFilter(
                new SingleColumnValueFilter(
                    Bytes.toBytes("f"),
                    Bytes.toBytes("city"),
                    CompareOperator.EQUAL,
                    Bytes.toBytes("Graz")));
    try (IndexedConnection connection = IndexedConnection.wrap(nowhere)) {
      RoutePlan plan = connection.routing().plan(TableName.valueOf("people"), scan).get();
      System.out.println("Unrouted: " + plan.unrouted().orElseThrow());
    }
    try {
      IndexAdmin.of(nowhere);
    } catch (UnsupportedOperationException e) {
      System.out.println(e.getMessage());
    }
  }
}
