/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.core.shard.ShardPlace;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;

/** Asks the active master, with short timeouts: HBase's own are made for procedures. */
final class MasterRoutes implements RouteSource {
  /** One more than is needed, so that the first call after a failover finds the new master. */
  private static final int ATTEMPTS = 2;

  private final MasterConnection connection;
  private final RouteTime time;

  MasterRoutes(MasterConnection connection, RouteTime time) {
    this.connection = connection;
    this.time = time;
  }

  @Override
  public <T> CompletableFuture<T> ask(RouteQuestion<T> question) {
    return connection.call(
        made ->
            question.holder() == ShardPlace.MASTER
                ? question.askMaster(admin(made, question))
                : question.askHolder(holders(made, question)));
  }

  private AsyncAdmin admin(AsyncConnection made, RouteQuestion<?> question) {
    long timeoutMillis = time.millis(question);
    return made.getAdminBuilder()
        .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setMaxAttempts(ATTEMPTS)
        .build();
  }

  private AsyncTable<?> holders(AsyncConnection made, RouteQuestion<?> question) {
    long timeoutMillis = time.millis(question);
    return made.getTableBuilder(HoldersTable.NAME)
        .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setMaxAttempts(ATTEMPTS)
        .build();
  }
}
