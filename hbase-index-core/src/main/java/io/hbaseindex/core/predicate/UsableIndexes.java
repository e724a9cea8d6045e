/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.predicate;

import io.hbaseindex.core.definition.IndexDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The indexes that a part of a predicate may use: a partial one only where the part, or one around
 * it, implies the condition of the index. Rows that the whole predicate wants are in it then.
 *
 * <p>Predicates may be long lists, so what was found for a part is not looked for again in the
 * parts within it. Immutable.
 */
@InterfaceAudience.Private
public final class UsableIndexes {
  private record Entry(IndexDefinition index, IndexScope scope, boolean usable) {}

  /** Empty where no index is partial: most tables have none, and all is said then. */
  private final List<Entry> entries;

  private final List<IndexDefinition> usable;

  private UsableIndexes(List<Entry> entries) {
    this(entries, entries.stream().filter(Entry::usable).map(Entry::index).toList());
  }

  private UsableIndexes(List<Entry> entries, List<IndexDefinition> usable) {
    this.entries = entries;
    this.usable = usable;
  }

  /** Those of some indexes that may be used whatever the predicate. */
  public static UsableIndexes of(Collection<IndexDefinition> indexes) {
    boolean anyPartial = false;
    for (IndexDefinition index : indexes) {
      anyPartial |= index.isPartial();
    }
    if (!anyPartial) {
      return new UsableIndexes(List.of(), List.copyOf(indexes));
    }
    return new UsableIndexes(
        indexes.stream()
            .map(index -> new Entry(index, IndexScope.of(index.condition()), !index.isPartial()))
            .toList());
  }

  /** Those that may be used in a part of the predicate. */
  public UsableIndexes in(RowPredicate part) {
    if (entries.isEmpty() || usable.size() == entries.size()) {
      return this;
    }
    List<Entry> all = new ArrayList<>(entries.size());
    boolean more = false;
    for (Entry entry : entries) {
      boolean found = !entry.usable && entry.scope.isImpliedBy(part);
      all.add(found ? new Entry(entry.index, entry.scope, true) : entry);
      more |= found;
    }
    return more ? new UsableIndexes(all) : this;
  }

  /** The indexes, in the order in which they were given. */
  public List<IndexDefinition> list() {
    return usable;
  }
}
