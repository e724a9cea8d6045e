/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import io.hbaseindex.client.admin.call.RegionCalls;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission;

/**
 * Reads what the tables of a cluster declare. HBase leaves out of its list of descriptors, without
 * a word, those that a user may not see; regions tell readers about them instead.
 */
final class CatalogReader {
  private final Admin admin;
  private final RegionCalls regions;
  private final TreeMap<TableName, List<IndexDefinition>> indexes = new TreeMap<>();
  private final TreeMap<TableName, String> unreadable = new TreeMap<>();

  CatalogReader(Admin admin, RegionCalls regions) {
    this.admin = admin;
    this.regions = regions;
  }

  /**
   * What all tables declare that the user may see.
   *
   * @throws AccessDeniedException if there are none for want of permission
   */
  IndexCatalog read() throws IOException {
    TreeMap<TableName, TableDescriptor> shown = new TreeMap<>();
    admin.listTableDescriptors().forEach(table -> shown.put(table.getTableName(), table));
    TableName[] known = admin.listTableNames();
    if (known.length == 0) {
      requireSight();
    }
    shown.values().forEach(this::add);
    for (TableName name : known) {
      if (!shown.containsKey(name)) {
        ask(name);
      }
    }
    return new IndexCatalog(indexes, unreadable);
  }

  private void requireSight() throws IOException {
    boolean restricted = admin.getSecurityCapabilities().contains(SecurityCapability.AUTHORIZATION);
    Permission all = Permission.newBuilder().withActions(Permission.Action.ADMIN).build();
    if (restricted && !admin.hasUserPermissions(List.of(all)).get(0)) {
      throw new AccessDeniedException(
          "this user may see no table at all; READ on a table is enough to see its indexes");
    }
  }

  private void add(TableDescriptor table) {
    try {
      List<IndexDefinition> declared =
          List.copyOf(IndexedTableDescriptor.indexesOf(table).definitions());
      if (!declared.isEmpty()) {
        indexes.put(table.getTableName(), declared);
      }
    } catch (DefinitionException e) {
      unreadable.put(table.getTableName(), e.getMessage());
    }
  }

  private void ask(TableName name) throws IOException {
    try {
      add(regions.readableDescriptorOf(name));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      unreadable.put(name, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }
}
