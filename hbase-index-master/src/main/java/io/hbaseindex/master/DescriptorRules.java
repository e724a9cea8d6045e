/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Decides what becomes of a descriptor that somebody asks the master for: refused, or accepted with
 * what its indexes need filled in.
 *
 * <p>Descriptors that come from the index API pass as they are. Those typed in the shell may
 * declare an index by one attribute; its id, the hidden family, the observer and the split policy
 * are added here.
 */
final class DescriptorRules {

  private final LongSupplier newSeed;

  /**
   * @param newSeed random numbers for tables that get their first index
   */
  DescriptorRules(LongSupplier newSeed) {
    this.newSeed = newSeed;
  }

  /**
   * What the table is to be like.
   *
   * @param current what it is like now; empty if it is being created
   * @throws DefinitionException if the request cannot be fulfilled; the message says what to do
   */
  TableDescriptor accept(Optional<TableDescriptor> current, TableDescriptor requested) {
    TableIndexes before = current.map(DescriptorRules::readableIndexes).orElse(TableIndexes.none());
    Set<String> dropped = DroppedIndexes.between(current, requested);
    DroppedIndexes.requireKnown(requested, before, dropped);
    TableIndexes wanted = DroppedIndexes.without(complete(before, requested), dropped);
    DroppedIndexes.requireNoneLost(requested, before, wanted, dropped);
    if (wanted.isEmpty() && before.isEmpty() && !DeclaredIndexes.isDeclared(requested)) {
      refuseReservedFamily(current, requested);
      return requested;
    }
    refuseMissingHiddenFamily(current, requested, wanted);
    refuseDroppedFamily(current, requested, wanted);
    TableDescriptor accepted =
        DroppedIndexes.mark(IndexedTableDescriptor.withIndexes(requested, wanted), dropped);
    refuseAlteredHiddenFamily(current, requested, accepted);
    return accepted;
  }

  /**
   * Passes if a change that was accepted still fits the table when its turn has come: another one
   * may have been made in between.
   *
   * @param current what the table is like now that nobody else can change it
   * @throws DefinitionException if the change would undo what has been decided since
   */
  void confirm(TableDescriptor current, TableDescriptor accepted) {
    TableIndexes before = readableIndexes(current);
    TableIndexes after = IndexedTableDescriptor.indexesOf(accepted);
    DroppedIndexes.requireNoneLost(
        accepted, before, after, DroppedIndexes.between(Optional.of(current), accepted));
    boolean hadSeed = before.toAttributes().containsKey(TableIndexes.TABLE_ATTRIBUTE);
    if (hadSeed && (before.seed() != after.seed() || before.nextId() > after.nextId())
        || setsBack(before, after)) {
      throw new DefinitionException(
          "Cannot alter table %s: its indexes were changed by somebody else at the same time; read the descriptor again and repeat the change"
              .formatted(accepted.getTableName()));
    }
  }

  /**
   * Whether an index that stays would lose a route, which no accepted change takes away, or would
   * have other postings under its id without a later version. Two changes of its condition or types
   * that were accepted at the same time have been given the same new id.
   */
  private static boolean setsBack(TableIndexes before, TableIndexes after) {
    for (IndexDefinition index : before.definitions()) {
      Optional<IndexDefinition> left = after.byName(index.name());
      if (left.isPresent()
          && (!left.get().withMoreRoutes(index).equals(left.get()) || isOlder(left.get(), index))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOlder(IndexDefinition one, IndexDefinition other) {
    return one.id() == other.id()
        && !one.contentText().equals(other.contentText())
        && one.version() <= other.version();
  }

  /** The requested indexes with ids. */
  private TableIndexes complete(TableIndexes before, TableDescriptor requested) {
    TableIndexes wanted = DeclaredIndexes.merged(before, requested);
    for (IndexDefinition index : wanted.definitions().toArray(IndexDefinition[]::new)) {
      refuseReplacement(before, requested, index);
      Optional<IndexDefinition> sameId =
          before.definitions().stream().filter(old -> old.id() == index.id()).findFirst();
      boolean assigned = index.id() != IndexDefinition.UNASSIGNED;
      if (assigned && sameId.isPresent() && !isSameIndex(sameId.get(), index)) {
        wanted = wanted.without(index.name()).with(index, newSeed);
      } else if (assigned && sameId.isEmpty() && index.id() < before.nextId()) {
        throw new DefinitionException(
            "Cannot add index %s: its id was %d, which a dropped index of the table had; leave the id out"
                .formatted(index.name(), index.id()));
      }
    }
    return wanted.withAssignedIds(newSeed);
  }

  /** Queries that rest on an index must not lose it because its name was typed a second time. */
  private static void refuseReplacement(
      TableIndexes before, TableDescriptor requested, IndexDefinition index) {
    Optional<IndexDefinition> present = before.byName(index.name());
    if (present.isPresent() && !present.get().isSameIndex(index)) {
      throw new DefinitionException(
          "Cannot declare index %s of table %s: it has another one of that name, %s; drop that first by %s => '%s', or choose another name"
              .formatted(
                  index.name(),
                  requested.getTableName(),
                  present.get(),
                  TableIndexes.DROP_ATTRIBUTE,
                  index.name()));
    }
  }

  /** Whether the postings of one are good for the other, whatever their names. */
  private static boolean isSameIndex(IndexDefinition old, IndexDefinition index) {
    return old.columns().equals(index.columns())
        && old.types().equals(index.types())
        && old.condition().equals(index.condition())
        && old.mode() == index.mode();
  }

  private static void refuseReservedFamily(
      Optional<TableDescriptor> current, TableDescriptor requested) {
    boolean had = current.filter(table -> table.hasColumnFamily(IndexFamily.bytes())).isPresent();
    if (requested.hasColumnFamily(IndexFamily.bytes()) && !had) {
      throw new DefinitionException(
          "Cannot create family %s in table %s: the name is reserved for indexes; choose another name, or declare an index, which creates it"
              .formatted(IndexFamily.NAME, requested.getTableName()));
    }
  }

  private static void refuseMissingHiddenFamily(
      Optional<TableDescriptor> current, TableDescriptor requested, TableIndexes wanted) {
    boolean had = current.filter(table -> table.hasColumnFamily(IndexFamily.bytes())).isPresent();
    if (had && !wanted.isEmpty() && !requested.hasColumnFamily(IndexFamily.bytes())) {
      throw new DefinitionException(
          "Cannot delete family %s of table %s: it holds the indexes %s; drop them first"
              .formatted(IndexFamily.NAME, requested.getTableName(), names(wanted)));
    }
  }

  private static void refuseDroppedFamily(
      Optional<TableDescriptor> current, TableDescriptor requested, TableIndexes wanted) {
    for (IndexDefinition index : wanted.definitions()) {
      for (ColumnRef column : index.allColumns()) {
        boolean had = current.filter(table -> table.hasColumnFamily(column.family())).isPresent();
        if (had && !requested.hasColumnFamily(column.family())) {
          throw new DefinitionException(
              "Cannot delete family %s of table %s: index %s covers %s; drop the index first"
                  .formatted(column.familyName(), requested.getTableName(), index.name(), column));
        }
      }
    }
  }

  /**
   * Attributes of the hidden family that the index does not prescribe, such as its block size, may
   * be changed.
   */
  private static void refuseAlteredHiddenFamily(
      Optional<TableDescriptor> current, TableDescriptor requested, TableDescriptor accepted) {
    ColumnFamilyDescriptor asked = requested.getColumnFamily(IndexFamily.bytes());
    if (current.isEmpty() || asked == null) {
      return;
    }
    ColumnFamilyDescriptor now = current.get().getColumnFamily(IndexFamily.bytes());
    ColumnFamilyDescriptor prescribed = accepted.getColumnFamily(IndexFamily.bytes());
    if (now != null && !asked.equals(now) && !asked.equals(prescribed)) {
      throw new DefinitionException(
          "Cannot alter family %s of table %s to %s: the index needs it to be %s; leave it as it is"
              .formatted(IndexFamily.NAME, requested.getTableName(), asked, prescribed));
    }
  }

  private static String names(TableIndexes indexes) {
    return indexes.definitions().stream().map(IndexDefinition::name).toList().toString();
  }

  /**
   * What was declared before, or nothing if it cannot be read: a broken declaration must not forbid
   * its repair.
   */
  private static TableIndexes readableIndexes(TableDescriptor table) {
    try {
      return IndexedTableDescriptor.indexesOf(table);
    } catch (DefinitionException e) {
      return TableIndexes.none();
    }
  }
}
