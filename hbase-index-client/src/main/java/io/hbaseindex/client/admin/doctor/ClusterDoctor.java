/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.doctor;

import io.hbaseindex.client.admin.filters.MasterReader;
import io.hbaseindex.common.version.VersionProbe;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Finds out what each server has of the product: region servers by {@link VersionProbe}, the active
 * master by the coprocessors it names and by its own word.
 */
@InterfaceAudience.Private
public final class ClusterDoctor {
  private static final String PACKAGE = "io.hbaseindex.master.";

  /** Regions move and tables go; one of a few regions stays long enough to be asked. */
  private static final int ATTEMPTS = 5;

  private final Connection connection;
  private final Filter probe;

  public ClusterDoctor(Connection connection) {
    this(connection, new VersionProbe());
  }

  /**
   * @param probe what servers are asked by
   */
  public ClusterDoctor(Connection connection, Filter probe) {
    this.connection = connection;
    this.probe = probe;
  }

  /** Looks at all servers that the active master knows of. */
  public Diagnosis examine() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      ClusterMetrics metrics =
          admin.getClusterMetrics(
              EnumSet.of(
                  ClusterMetrics.Option.MASTER,
                  ClusterMetrics.Option.BACKUP_MASTERS,
                  ClusterMetrics.Option.MASTER_COPROCESSORS,
                  ClusterMetrics.Option.SERVERS_NAME));
      List<ServerHealth> servers = new ArrayList<>();
      servers.add(master(metrics));
      for (ServerName backup : metrics.getBackupMasterNames()) {
        servers.add(
            ServerHealth.notAsked(
                backup.getServerName(),
                ServerHealth.Role.BACKUP_MASTER,
                "not asked: it tells when it is active; it needs the same jar and settings"));
      }
      for (ServerName server : metrics.getServersName()) {
        servers.add(regionServer(admin, server));
      }
      return Diagnosis.comparing(servers);
    }
  }

  private ServerHealth master(ClusterMetrics metrics) throws IOException {
    String name = String.valueOf(metrics.getMasterName());
    boolean endpoint = loads(metrics, "IndexMasterEndpoint");
    Optional<String> version = endpoint ? masterVersion() : Optional.empty();
    ServerHealth health =
        new ServerHealth(
            name,
            ServerHealth.Role.MASTER,
            version,
            Optional.empty(),
            false,
            endpoint && version.isEmpty()
                ? Optional.of("its version is told to administrators of the cluster alone")
                : Optional.empty());
    if (!endpoint) {
      health = health.withFault(notLoaded("IndexMasterEndpoint", "every query visits all regions"));
    }
    return loads(metrics, "IndexMasterObserver")
        ? health
        : health.withFault(
            notLoaded("IndexMasterObserver", "nothing keeps impossible indexes out of tables"));
  }

  /** HBase tells simple names. */
  private static boolean loads(ClusterMetrics metrics, String coprocessor) {
    return metrics.getMasterCoprocessorNames().contains(coprocessor);
  }

  private static String notLoaded(String coprocessor, String consequence) {
    return "does not load %s%s, so %s; add it to hbase.coprocessor.master.classes and restart"
        .formatted(PACKAGE, coprocessor, consequence);
  }

  private Optional<String> masterVersion() throws InterruptedIOException {
    try {
      return new MasterReader(connection).version();
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private ServerHealth regionServer(Admin admin, ServerName server) throws InterruptedIOException {
    try {
      return askRegions(admin, server);
    } catch (SocketTimeoutException e) {
      return silent(server.getServerName(), e); // an InterruptedIOException, though nobody was
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      return silent(server.getServerName(), e);
    }
  }

  private ServerHealth askRegions(Admin admin, ServerName server) throws IOException {
    String name = server.getServerName();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Its own word: the master hears of a server's regions seconds later.
      List<RegionInfo> regions = admin.getRegions(server);
      if (regions.isEmpty()) {
        return ServerHealth.notAsked(
            name,
            ServerHealth.Role.REGION_SERVER,
            "not asked: it has no region yet; ask again when it has");
      }
      Optional<IOException> refusal = ask(server, regions.get(attempt % regions.size()));
      if (refusal.isPresent()) {
        return read(name, refusal.get());
      }
    }
    return ServerHealth.notAsked(
        name, ServerHealth.Role.REGION_SERVER, "not asked: its regions are moving; ask again");
  }

  /** How the server refuses the probe; empty if the region has left it. */
  private Optional<IOException> ask(ServerName server, RegionInfo region) throws IOException {
    try (Table table = connection.getTable(region.getTable());
        RegionLocator locator = connection.getRegionLocator(region.getTable())) {
      IOException refusal = refusal(table, region.getStartKey());
      boolean still =
          server.equals(locator.getRegionLocation(region.getStartKey(), true).getServerName());
      return still ? Optional.of(refusal) : Optional.empty();
    } catch (TableNotFoundException e) {
      return Optional.empty();
    }
  }

  private IOException refusal(Table table, byte[] startKey) throws IOException {
    Scan scan = new Scan().withStartRow(startKey).setLimit(1).setFilter(probe);
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.next();
      return new IOException("Cannot tell what the server has: it took a scan that none may take");
    } catch (SocketTimeoutException e) {
      return e;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      return e;
    }
  }

  private ServerHealth read(String server, IOException refusal) {
    Optional<String> version = VersionProbe.versionIn(refusal);
    if (version.isPresent()) {
      return ServerHealth.running(server, ServerHealth.Role.REGION_SERVER, version.get());
    }
    if (VersionProbe.isClassMissing(refusal, probe.getClass().getName())) {
      return ServerHealth.withoutJar(
          server,
          ServerHealth.Role.REGION_SERVER,
          "has no hbase-index jar, or that of an earlier release, and ends when it is to open a region with an index; copy the server jar to its lib/ and restart it");
    }
    return silent(server, refusal);
  }

  private static ServerHealth silent(String server, IOException reason) {
    return ServerHealth.notAsked(server, ServerHealth.Role.REGION_SERVER, "did not tell")
        .withFault(
            String.valueOf(reason.getMessage()).lines().findFirst().orElse("no reason given"));
  }
}
