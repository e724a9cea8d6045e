/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import io.hbaseindex.master.IndexMasterEndpoint;
import io.hbaseindex.master.page.IndexPageInitializer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;

/**
 * A cluster of two region servers in which HBase checks who may do what: its access controller runs
 * everywhere, and every call carries its user's name, which is believed. The test's own connection
 * is a superuser's.
 *
 * <p>Servers of a mini cluster run under names of their own, numbered as they start; as many as a
 * test may come to start are superusers, as HBase's own user is in production.
 */
public final class SecuredCluster implements AutoCloseable {
  private static final int SERVER_NAMES = 16;

  private final TestCluster cluster;
  private final Map<String, User> users = new LinkedHashMap<>();
  private final Map<String, Connection> connections = new LinkedHashMap<>();

  private SecuredCluster(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Starts a secured cluster whose master keeps filters. */
  public static SecuredCluster start() throws Exception {
    return start(
        ClusterSettings.threeServers()
            .withRegionServers(2)
            .withMasterCoprocessor(IndexMasterEndpoint.class)
            .with("hbase.master.info.port", "0")
            .with("hbase.http.filter.initializers", IndexPageInitializer.class.getName()));
  }

  /** Starts a secured cluster that also knows cell permissions and visibility labels. */
  public static SecuredCluster startWithCellSecurity() throws Exception {
    SecuredCluster secured =
        start(
            ClusterSettings.threeServers()
                .withRegionServers(2)
                .withMasterCoprocessor(VisibilityController.class)
                // A user who may read nothing of a family may still read single cells of it.
                .with("hbase.security.access.early_out", "false"),
            AccessController.class.getName() + "," + VisibilityController.class.getName());
    secured
        .cluster
        .utility()
        .waitTableEnabled(VisibilityConstants.LABELS_TABLE_NAME.getName(), Waits.HANG.toMillis());
    return secured;
  }

  /** Starts the given cluster, secured. */
  public static SecuredCluster start(ClusterSettings settings) throws Exception {
    return start(settings, AccessController.class.getName());
  }

  private static SecuredCluster start(ClusterSettings settings, String regionCoprocessors)
      throws Exception {
    TestCluster cluster =
        TestCluster.start(
            settings
                .withMasterCoprocessor(AccessController.class)
                .with(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, regionCoprocessors)
                .with(
                    CoprocessorHost.REGIONSERVER_COPROCESSOR_CONF_KEY,
                    AccessController.class.getName())
                .with(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY, "true")
                .with("hbase.superuser", superusers()));
    cluster
        .utility()
        .waitTableEnabled(PermissionStorage.ACL_TABLE_NAME.getName(), Waits.HANG.toMillis());
    return new SecuredCluster(cluster);
  }

  private static String superusers() throws IOException {
    String own = User.getCurrent().getShortName();
    StringJoiner names = new StringJoiner(",").add(own);
    for (int i = 0; i < SERVER_NAMES; i++) {
      names.add(own + ".hfs." + i);
    }
    return names.toString();
  }

  /** The cluster, as a superuser sees it. */
  public TestCluster cluster() {
    return cluster;
  }

  /** A user without any permission unless one was granted. */
  public User user(String name) {
    return users.computeIfAbsent(
        name, key -> User.createUserForTesting(cluster.configuration(), key, new String[] {}));
  }

  /** A connection of that user, open as long as the cluster. */
  public Connection connectionOf(String name) throws Exception {
    Connection connection = connections.get(name);
    if (connection == null) {
      connection = ConnectionFactory.createConnection(cluster.configuration(), user(name));
      connections.put(name, connection);
    }
    return connection;
  }

  /** Grants actions on a table, or on one family or column of it where those are not null. */
  public void grant(
      String user, TableName table, byte[] family, byte[] qualifier, Permission.Action... actions)
      throws IOException {
    cluster
        .admin()
        .grant(
            new UserPermission(
                user,
                Permission.newBuilder(table)
                    .withFamily(family)
                    .withQualifier(qualifier)
                    .withActions(actions)
                    .build()),
            true);
  }

  /** Grants actions on everything. */
  public void grant(String user, Permission.Action... actions) throws IOException {
    cluster
        .admin()
        .grant(
            new UserPermission(user, Permission.newBuilder().withActions(actions).build()), true);
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : connections.values()) {
      connection.close();
    }
    cluster.close();
  }
}
