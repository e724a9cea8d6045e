/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.endpoint;

import io.hbaseindex.core.definition.ColumnRef;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Who may ask a region about its indexes, where HBase checks authorization at all: readers of the
 * table see how they are; only its administrators check, repair and rebuild, since a check names
 * rows and values, and a rebuild makes scans slow.
 */
@InterfaceAudience.Private
public final class RegionAccess {
  private final TableName table;
  private final boolean checked;
  private final Optional<AccessChecker> checker;

  private RegionAccess(TableName table, boolean checked, Optional<AccessChecker> checker) {
    this.table = table;
    this.checked = checked;
    this.checker = checker;
  }

  /** The rules of the server that opens the region. */
  public static RegionAccess of(RegionCoprocessorEnvironment env) {
    return new RegionAccess(
        env.getRegionInfo().getTable(),
        AccessChecker.isAuthorizationSupported(env.getConfiguration()),
        env.getOnlineRegions() instanceof RegionServerServices server
            ? Optional.ofNullable(server.getAccessChecker())
            : Optional.empty());
  }

  void requireReader() throws IOException {
    require("status", Action.READ);
  }

  /**
   * Refuses who may read neither the table nor all of its indexed columns: filters hold the values
   * of all of them.
   */
  void requireRouted(Collection<ColumnRef> indexed) throws IOException {
    Optional<User> caller = RpcServer.getRequestUser();
    if (!checked || caller.isEmpty() || mayRead(caller.get()) || indexed.isEmpty()) {
      requireReader();
      return;
    }
    for (ColumnRef column : indexed) {
      require("route", column.family(), column.qualifier(), Action.READ);
    }
  }

  private boolean mayRead(User user) {
    return checker.isPresent()
        && checker.get().getAuthManager().authorizeUserTable(user, table, Action.READ);
  }

  void requireAdmin() throws IOException {
    require("check", Action.ADMIN);
  }

  private void require(String request, Action action) throws IOException {
    require(request, null, null, action);
  }

  private void require(String request, byte[] family, byte[] qualifier, Action action)
      throws IOException {
    Optional<User> caller = RpcServer.getRequestUser();
    // A call without a user comes from this very process.
    if (!checked || caller.isEmpty()) {
      return;
    }
    if (checker.isEmpty()) {
      throw new AccessDeniedException(
          "Cannot answer about the indexes of %s: the server had no access checker; set hbase.security.authorization only together with HBase's AccessController"
              .formatted(table));
    }
    checker
        .get()
        .requirePermission(
            caller.get(), "hbaseindex." + request, table, family, qualifier, null, action);
  }
}
