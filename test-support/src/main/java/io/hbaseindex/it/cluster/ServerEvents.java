/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** Faults of servers. A server that is lost is replaced, so the cluster keeps its size. */
public final class ServerEvents {

  private final TestCluster cluster;

  ServerEvents(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** The live region servers, in the order of their names. */
  public List<ServerName> live() {
    List<ServerName> names = new ArrayList<>();
    for (RegionServerThread thread : cluster.mini().getLiveRegionServerThreads()) {
      names.add(thread.getRegionServer().getServerName());
    }
    names.sort(null);
    return names;
  }

  /**
   * Aborts the server without a flush, as a crash would, starts a new one in its place, and returns
   * when every region is open again.
   */
  public void abortAndReplace(ServerName victim) throws IOException {
    HRegionServer server = cluster.mini().getRegionServer(victim);
    if (server == null) {
      throw new IOException("Cannot abort " + victim + ": live servers were " + live());
    }
    startOne();
    server.abort("aborted by a test");
    cluster.mini().waitForRegionServerToStop(victim, Waits.HANG.toMillis());
    Waits.until("the master to recover from the loss of " + victim)
        .until(() -> !master().isServerOnline(victim) && !master().areDeadServersInProgress());
    cluster.utility().waitUntilNoRegionsInTransition(Waits.HANG.toMillis());
  }

  /**
   * Aborts the active master, as a crash would, with a new one started to stand by, and returns
   * when another one is active and serves.
   */
  public void abortAndReplaceMaster() throws IOException {
    HMaster active = cluster.mini().getMaster();
    cluster.mini().startMaster();
    active.abort("aborted by a test");
    cluster.mini().waitForMasterToStop(active.getServerName(), Waits.HANG.toMillis());
    Waits.until("a master to follow " + active.getServerName())
        .until(
            () -> {
              HMaster next = cluster.mini().getMaster();
              return next != null && next != active && next.isInitialized();
            });
  }

  private ServerManager master() {
    return cluster.mini().getMaster().getServerManager();
  }

  private void startOne() throws IOException {
    cluster.mini().startRegionServerAndWait(Waits.HANG.toMillis());
  }

  /**
   * Sets a value in the configuration of every running region server, as a reload would.
   *
   * @param value null to take it out
   */
  public void configure(String key, String value) {
    for (RegionServerThread thread : cluster.mini().getLiveRegionServerThreads()) {
      if (value == null) {
        thread.getRegionServer().getConfiguration().unset(key);
      } else {
        thread.getRegionServer().getConfiguration().set(key, value);
      }
    }
  }
}
