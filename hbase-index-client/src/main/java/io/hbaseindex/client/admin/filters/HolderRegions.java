/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.filters;

import io.hbaseindex.common.holders.HoldersTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The regions of the holders' table: at least one for each holder. */
@InterfaceAudience.Private
final class HolderRegions {
  private static final Logger LOG = LoggerFactory.getLogger(HolderRegions.class);
  private static final long SPLIT_SECONDS = 60;

  private final Connection connection;

  HolderRegions(Connection connection) {
    this.connection = connection;
  }

  /** Makes the table, or splits its regions where several holders share one. */
  void provide(int holders) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(HoldersTable.NAME)) {
        create(admin, holders);
      }
      // Each round halves what is shared, so 64 holders in one region need six of them.
      for (int shared = holders; shared > 1; shared = (shared + 1) / 2) {
        for (Future<Void> split : split(admin, holders)) {
          await(split);
        }
      }
    }
  }

  /** Somebody else may do the same at this moment: then theirs is taken, and split if need be. */
  private static void create(Admin admin, int holders) throws IOException {
    String namespace = HoldersTable.NAME.getNamespaceAsString();
    try {
      if (!List.of(admin.listNamespaces()).contains(namespace)) {
        admin.createNamespace(NamespaceDescriptor.create(namespace).build());
      }
    } catch (NamespaceExistException e) {
      LOG.debug("{} has just been made by somebody else", namespace, e);
    }
    try {
      if (holders == 1) {
        admin.createTable(HoldersTable.descriptor());
      } else {
        admin.createTable(HoldersTable.descriptor(), HoldersTable.splitKeys(holders));
      }
    } catch (TableExistsException e) {
      LOG.debug("{} has just been made by somebody else", HoldersTable.NAME, e);
    }
  }

  /** Splits each region that several holders share in their midst. */
  private static List<Future<Void>> split(Admin admin, int holders) throws IOException {
    List<Future<Void>> splits = new ArrayList<>();
    for (RegionInfo region : admin.getRegions(HoldersTable.NAME)) {
      List<byte[]> rows = new ArrayList<>();
      for (int holder = 0; holder < holders; holder++) {
        byte[] row = HoldersTable.rowOf(holder);
        if (region.containsRow(row)) {
          rows.add(row);
        }
      }
      if (rows.size() > 1) {
        splits.add(admin.splitRegionAsync(region.getRegionName(), rows.get(rows.size() / 2)));
      }
    }
    return splits;
  }

  private static void await(Future<Void> split) throws IOException {
    try {
      split.get(SPLIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "Cannot have a region for each holder: a split of %s did not end within %d s. Filters are kept where they were; try again"
              .formatted(HoldersTable.NAME, SPLIT_SECONDS),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while regions of holders were split");
    }
  }
}
