/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.core.definition.ColumnRef;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.http.HttpServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.UserProvider;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Who may do what, where HBase checks authorization at all: only HBase's own user publishes, since
 * a forged filter would make rows disappear; only who may read all that a table's filters tell of
 * routes on it; only administrators see how the filters stand.
 *
 * <p>A filter holds the elements of all indexes of a table, as hashes. Whoever may ask for one may
 * ask for any, whatever index the question names: so who has no READ on the table needs it on every
 * indexed column.
 */
final class MasterAccess {
  /** Which columns of a table are indexed. */
  interface IndexedColumns {
    Collection<ColumnRef> of(TableName table) throws IOException;
  }

  private static final String ROUTE = "hbaseindex.route";
  private static final String STATUS = "hbaseindex.status";

  private final boolean checked;
  private final AccessChecker checker;
  private final IndexedColumns indexed;
  private final boolean visitorsKnown;
  private final UserProvider users;
  private final String serviceUser;

  MasterAccess(Configuration conf, AccessChecker checker, IndexedColumns indexed)
      throws IOException {
    this.checked = AccessChecker.isAuthorizationSupported(conf);
    this.checker = checker;
    this.indexed = indexed;
    this.visitorsKnown = "kerberos".equalsIgnoreCase(conf.get(HttpServer.HTTP_UI_AUTHENTICATION));
    this.users = UserProvider.instantiate(conf);
    this.serviceUser = users.getCurrent().getShortName();
  }

  /** Refuses everybody but HBase's own user and superusers. */
  void requirePublisher(Optional<User> sender) throws IOException {
    // A call without a user comes from this very process.
    if (!checked || sender.isEmpty()) {
      return;
    }
    User user = sender.get();
    if (!user.getShortName().equals(serviceUser) && !Superusers.isSuperUser(user)) {
      throw new AccessDeniedException(
          "Cannot publish filters: user was "
              + user.getShortName()
              + "; only HBase's own user "
              + serviceUser
              + " may");
    }
  }

  /** Refuses who may read neither the table nor all of its indexed columns. */
  void requireReader(Optional<User> sender, TableName table) throws IOException {
    if (!checked || sender.isEmpty()) {
      return;
    }
    User user = sender.get();
    Collection<ColumnRef> columns = indexed.of(table);
    if (columns.isEmpty() || mayRead(user, table)) {
      checker.requirePermission(user, ROUTE, table, null, null, null, Action.READ);
      return;
    }
    for (ColumnRef column : columns) {
      checker.requirePermission(
          user, ROUTE, table, column.family(), column.qualifier(), null, Action.READ);
    }
  }

  /**
   * Refuses a visitor of the web UI who may not read the table, and every visitor where the web UI
   * lets in whoever comes: the name it gives them then says nothing.
   */
  void requireVisitor(Optional<String> visitor, TableName table) throws IOException {
    if (!checked) {
      return;
    }
    if (visitor.isEmpty() || !visitorsKnown) {
      throw new AccessDeniedException(
          "Cannot explain a condition on table "
              + table
              + ": this web UI does not know who asks; set hbase.security.authentication.ui, or use"
              + " the command line");
    }
    User user = users.create(UserGroupInformation.createRemoteUser(visitor.get()));
    requireReader(Optional.of(user), table);
  }

  private boolean mayRead(User user, TableName table) {
    return checker.getAuthManager().authorizeUserTable(user, table, Action.READ);
  }

  /** Refuses who is not an administrator, of the table if one is given. */
  void requireAdmin(Optional<User> sender, Optional<TableName> table) throws IOException {
    if (!checked || sender.isEmpty()) {
      return;
    }
    if (table.isPresent()) {
      checker.requirePermission(sender.get(), STATUS, table.get(), null, null, null, Action.ADMIN);
    } else {
      checker.requirePermission(sender.get(), STATUS, null, Action.ADMIN);
    }
  }
}
