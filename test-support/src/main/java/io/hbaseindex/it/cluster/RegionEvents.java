/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** What happens to regions in the life of a table; every method returns when it has happened. */
public final class RegionEvents {

  private static final int ATTEMPTS = 5;

  private final TestCluster cluster;

  RegionEvents(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** The table's primary regions in key order. */
  public List<RegionInfo> of(TableName table) throws IOException {
    List<RegionInfo> regions = new ArrayList<>(cluster.admin().getRegions(table));
    regions.removeIf(region -> region.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID);
    regions.sort(RegionInfo.COMPARATOR);
    return regions;
  }

  /** The live region object, on whichever server has it open. */
  public HRegion online(RegionInfo region) {
    return server(region).getRegion(region.getEncodedName());
  }

  /** The server that has the region open. */
  public ServerName serverOf(RegionInfo region) {
    return server(region).getServerName();
  }

  private HRegionServer server(RegionInfo region) {
    return Waits.until("region " + region.getEncodedName() + " online")
        .until(() -> find(region), Objects::nonNull);
  }

  private HRegionServer find(RegionInfo region) {
    for (RegionServerThread thread : cluster.mini().getLiveRegionServerThreads()) {
      if (isOpen(thread.getRegionServer().getRegion(region.getEncodedName()))) {
        return thread.getRegionServer();
      }
    }
    return null;
  }

  /**
   * Moves the region to {@code target}. HBase says that it has moved a region also where it had to
   * open it elsewhere in the end; so it is asked until the region is there.
   */
  public void move(RegionInfo region, ServerName target) throws IOException {
    Waits.until("move of " + region.getEncodedName() + " to " + target)
        .until(
            () -> {
              cluster.admin().move(region.getEncodedNameAsBytes(), target);
              return hosts(region);
            },
            hosts -> hosts.equals(List.of(target)));
  }

  /** The servers that have the region open; there should be one. */
  private List<ServerName> hosts(RegionInfo region) {
    return cluster.mini().getLiveRegionServerThreads().stream()
        .map(RegionServerThread::getRegionServer)
        .filter(server -> isOpen(server.getRegion(region.getEncodedName())))
        .map(HRegionServer::getServerName)
        .toList();
  }

  private static boolean isOpen(HRegion region) {
    return region != null && region.isAvailable();
  }

  /** Splits the region at {@code key} and returns when both daughters are open. */
  public void split(RegionInfo region, byte[] key) throws IOException {
    restructure(
        () -> cluster.admin().splitRegionAsync(region.getRegionName(), key),
        "split " + region.getEncodedName() + " at " + Bytes.toStringBinary(key),
        region.getTable());
  }

  /** Merges two neighbours and returns when the merged region is open. */
  public void merge(RegionInfo left, RegionInfo right) throws IOException {
    byte[][] both = {left.getEncodedNameAsBytes(), right.getEncodedNameAsBytes()};
    restructure(
        () -> cluster.admin().mergeRegionsAsync(both, false),
        "merge " + left.getEncodedName() + " and " + right.getEncodedName(),
        left.getTable());
  }

  /**
   * Awaits the new regions and has clients look for them.
   *
   * <p>A client that knows a region which moved away from a server, came back and was then split or
   * merged keeps being told the older move, does not believe it and does not look anew, for as long
   * as the server remembers moves: two minutes.
   */
  private void awaitDescendants(TableName table) throws IOException {
    cluster.utility().waitUntilAllRegionsAssigned(table);
    cluster.connection().clearRegionLocationCache();
  }

  /** Flushes every family of the region. */
  public void flush(RegionInfo region) throws IOException {
    online(region).flush(true);
  }

  /** Rewrites all store files of the region into one per family, dropping what may be dropped. */
  public void majorCompact(RegionInfo region) throws IOException {
    online(region).compact(true);
  }

  /**
   * Rewrites all store files until none refers to those of a parent any more: only then HBase
   * splits or merges the region. A compaction leaves out what another one is at work on.
   */
  public void majorCompactReferences(RegionInfo region) {
    Waits.until("region " + region.getEncodedName() + " refers to no files of its parents")
        .until(
            () -> {
              majorCompact(region);
              return !online(region).hasReferences();
            });
  }

  /** Asks each store for a minor compaction, whatever its policy would select now. */
  public void minorCompact(RegionInfo region) throws IOException {
    online(region).compact(false);
  }

  /** How many files hold the region's data, over all its families. */
  public int storeFiles(RegionInfo region) {
    return online(region).getStores().stream().mapToInt(HStore::getStorefilesCount).sum();
  }

  /** Asks for a split or a merge. */
  private interface Restructuring {
    Future<?> ask() throws IOException;
  }

  /**
   * Splits or merges. HBase refuses that while a region still has a log to replay from a crash; it
   * opens the region again, which replays it, and may then be asked once more.
   */
  private void restructure(Restructuring change, String what, TableName table) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        await(change.ask(), what);
        awaitDescendants(table);
        return;
      } catch (IOException e) {
        if (attempt == ATTEMPTS || !e.getMessage().contains("Recovered.edits are found")) {
          throw e;
        }
        cluster.utility().waitUntilAllRegionsAssigned(table);
      }
    }
  }

  private static void await(Future<?> change, String what) throws IOException {
    try {
      change.get(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException("Cannot " + what + ": " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "Cannot " + what + ": it was not done after " + Waits.HANG.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Cannot " + what + ": the test thread was interrupted", e);
    }
  }
}
