/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.push.RegionIncarnation;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tables of a registry and the memory that their filters take together. Written under the
 * registry's lock; routes find their table without it.
 */
final class RegistryTables {
  private final long byteLimit;
  private final Map<String, TableRoutes> tables = new ConcurrentHashMap<>();
  private final StagedFilter.StagedBytes staged = new StagedFilter.StagedBytes();

  RegistryTables(long byteLimit) {
    this.byteLimit = byteLimit;
  }

  /** The table of that name, or null if no region of it has been announced. */
  TableRoutes find(String table) {
    return tables.get(table);
  }

  TableRoutes of(RegionIncarnation incarnation) {
    return tables.computeIfAbsent(incarnation.table(), name -> new TableRoutes(byteLimit));
  }

  TableRoutes of(RegionEntry entry) {
    return of(entry.incarnation());
  }

  /** The names of the tables, in order. */
  SortedSet<String> names() {
    return new TreeSet<>(tables.keySet());
  }

  /** Forgets all tables but those of the given names. */
  void retain(Set<String> names) {
    tables.keySet().retainAll(names);
  }

  /** Shows routes what has changed. */
  void refresh() {
    tables.values().forEach(TableRoutes::refresh);
  }

  /** What the filters that are being put together take; they count themselves. */
  StagedFilter.StagedBytes staged() {
    return staged;
  }

  /** Bytes of heap that all filters take. */
  long bytes() {
    long bytes = staged.bytes();
    for (TableRoutes routes : tables.values()) {
      bytes += routes.bytes();
    }
    return bytes;
  }

  /** Whether so many bytes more would be too many. */
  boolean wouldExceed(long more) {
    return bytes() + more > byteLimit;
  }
}
