/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.push.RegionIncarnation;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tables of a registry and the memory that their filters take together. Tables come and go
 * under the registry's monitor; routes find their table without it.
 */
final class RegistryTables {
  private final MatrixBudget budget;
  private final Map<String, TableRoutes> tables = new ConcurrentHashMap<>();

  RegistryTables(MatrixBudget budget) {
    this.budget = budget;
  }

  /** The bytes of all filters, staged ones included. */
  MatrixBudget budget() {
    return budget;
  }

  /** The table of that name, or null if no region of it has been announced. */
  TableRoutes find(String table) {
    return tables.get(table);
  }

  TableRoutes of(RegionIncarnation incarnation) {
    return tables.computeIfAbsent(incarnation.table(), name -> new TableRoutes(budget));
  }

  /** The names of the tables, in order. */
  SortedSet<String> names() {
    return new TreeSet<>(tables.keySet());
  }

  /** Forgets all tables but those of the given names. */
  void retain(Set<String> names) {
    tables.keySet().retainAll(names);
  }

  /** Whether routes have yet to be shown which regions have come or gone. */
  boolean areStale() {
    return tables.values().stream().anyMatch(TableRoutes::isStale);
  }

  /** Shows routes which regions have come and gone. */
  void refresh() {
    tables.values().forEach(TableRoutes::refresh);
  }

  /** As {@link #refresh}, but of very many regions only once in a while. */
  void refresh(long now) {
    tables.values().forEach(routes -> routes.refresh(now));
  }

  /** Moves some bits to where routes read them faster; returns whether there may be more. */
  boolean tidy(int steps) {
    boolean more = false;
    for (TableRoutes routes : tables.values()) {
      more |= routes.tidy(steps);
    }
    return more;
  }
}
