package io.hbaseindex.master;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.UserProvider;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/**
 * Who may do what, where HBase checks authorization at all: only HBase's own user publishes, since
 * a forged filter would make rows disappear; only who may read a table routes on it, since a filter
 * tells which values a table holds.
 */
final class MasterAccess {
  private final boolean checked;
  private final AccessChecker checker;
  private final String serviceUser;

  MasterAccess(Configuration conf, AccessChecker checker) throws IOException {
    this.checked = AccessChecker.isAuthorizationSupported(conf);
    this.checker = checker;
    this.serviceUser = UserProvider.instantiate(conf).getCurrent().getShortName();
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

  /** Refuses who may not read the table. */
  void requireReader(Optional<User> sender, TableName table) throws IOException {
    if (checked && sender.isPresent()) {
      checker.requirePermission(
          sender.get(), "hbaseindex.route", table, null, null, null, Action.READ);
    }
  }
}
