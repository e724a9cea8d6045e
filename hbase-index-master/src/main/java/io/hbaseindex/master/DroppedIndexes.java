/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Tells an index that is to be dropped from one that got lost.
 *
 * <p>A change of a table carries its whole descriptor. One that was read before somebody else added
 * an index, or typed anew, lacks that index without anybody having meant to drop it. So an index
 * goes only with a change that names it in {@link TableIndexes#DROP_ATTRIBUTE}. The attribute stays
 * in the descriptor until the next change, which carries it along unmeant: it counts only in the
 * change that brings it.
 */
final class DroppedIndexes {

  private DroppedIndexes() {}

  /** What this change is meant to drop. */
  static Set<String> between(Optional<TableDescriptor> current, TableDescriptor requested) {
    Set<String> dropped = IndexedTableDescriptor.droppedIn(requested);
    current.map(IndexedTableDescriptor::droppedIn).ifPresent(dropped::removeAll);
    return dropped;
  }

  /** Passes if the table has the indexes that are to be dropped. */
  static void requireKnown(TableDescriptor table, TableIndexes before, Set<String> dropped) {
    for (String name : dropped) {
      if (before.byName(name).isEmpty()) {
        throw new DefinitionException(
            "Cannot drop index %s of table %s: it has no such index, only %s"
                .formatted(name, table.getTableName(), names(before)));
      }
    }
  }

  /** Passes if no index is missing but those that are to be dropped. */
  static void requireNoneLost(
      TableDescriptor table, TableIndexes before, TableIndexes after, Set<String> dropped) {
    Set<String> lost = names(before);
    lost.removeAll(names(after));
    lost.removeAll(dropped);
    if (!lost.isEmpty()) {
      String names = String.join(",", lost);
      throw new DefinitionException(
          "Cannot alter table %s: the change lacks index %s; to drop it, set attribute %s => '%s'; if somebody else has just added it, read the descriptor again and repeat the change"
              .formatted(table.getTableName(), names, TableIndexes.DROP_ATTRIBUTE, names));
    }
  }

  static TableIndexes without(TableIndexes indexes, Set<String> dropped) {
    TableIndexes left = indexes;
    for (String name : dropped) {
      left = left.byName(name).isPresent() ? left.without(name) : left;
    }
    return left;
  }

  /** The descriptor, saying of these indexes and no others that they are missing on purpose. */
  static TableDescriptor mark(TableDescriptor table, Set<String> dropped) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    if (dropped.isEmpty()) {
      builder.removeValue(Bytes.toBytes(TableIndexes.DROP_ATTRIBUTE));
    } else {
      builder.setValue(TableIndexes.DROP_ATTRIBUTE, String.join(",", dropped));
    }
    return builder.build();
  }

  private static Set<String> names(TableIndexes indexes) {
    Set<String> names = new TreeSet<>();
    indexes.definitions().stream().map(IndexDefinition::name).forEach(names::add);
    return names;
  }
}
