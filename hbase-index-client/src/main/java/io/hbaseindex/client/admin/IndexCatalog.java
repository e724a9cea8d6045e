/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import io.hbaseindex.core.definition.IndexDefinition;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The indexes of all tables that a user may see.
 *
 * @param indexes the tables that declare indexes, by name, with what they declare
 * @param unreadable tables whose declarations could not be read, by name, with the reason: an
 *     attribute that makes no sense, or a table whose regions did not answer or refuse this user
 */
@InterfaceAudience.Public
public record IndexCatalog(
    SortedMap<TableName, List<IndexDefinition>> indexes, SortedMap<TableName, String> unreadable) {

  /** Copies the maps. */
  public IndexCatalog {
    indexes = copy(indexes);
    unreadable = copy(unreadable);
  }

  private static <T> SortedMap<TableName, T> copy(Map<TableName, T> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }
}
