/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.table;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a table must be like to have indexes. The same test serves clients, before they send a
 * descriptor, the master, before it accepts one, and regions, before they go by one.
 */
@InterfaceAudience.Private
public final class IndexableTable {
  private IndexableTable() {}

  /**
   * Passes if the table can have these indexes.
   *
   * @throws DefinitionException otherwise; the message says what to do
   */
  public static void require(TableDescriptor table, TableIndexes indexes) {
    if (indexes.isEmpty()) {
      return;
    }
    if (table.getDurability() == Durability.SKIP_WAL) {
      throw new DefinitionException(
          "Cannot index table %s: its durability was SKIP_WAL, and a crash could keep data without its postings; set another durability"
              .formatted(table.getTableName()));
    }
    for (IndexDefinition definition : indexes.definitions()) {
      for (ColumnRef column : definition.allColumns()) {
        requireFamily(table, definition, column);
      }
    }
  }

  private static void requireFamily(
      TableDescriptor table, IndexDefinition definition, ColumnRef column) {
    ColumnFamilyDescriptor family = table.getColumnFamily(column.family());
    if (family == null) {
      String known =
          Arrays.stream(table.getColumnFamilies())
              .map(ColumnFamilyDescriptor::getNameAsString)
              .filter(name -> !name.equals(IndexFamily.NAME))
              .collect(Collectors.joining(", "));
      throw refused(
          definition,
          "table %s has no family %s, only %s; create the family first"
              .formatted(table.getTableName(), column.familyName(), known));
    }
    faultOf(family)
        .ifPresent(
            fault -> {
              throw refused(definition, "family " + column.familyName() + " " + fault);
            });
  }

  /**
   * What keeps the columns of a family from being indexed, and what to do about it; empty if
   * nothing does. Regions ask this too: nobody but a master observer keeps a family from being
   * altered after its index was made.
   */
  public static Optional<String> faultOf(ColumnFamilyDescriptor family) {
    if (family.getKeepDeletedCells() != KeepDeletedCells.FALSE) {
      return Optional.of(
          "had KEEP_DELETED_CELLS %s, which shows deleted values again; set it to FALSE"
              .formatted(family.getKeepDeletedCells()));
    }
    if (family.getMinVersions() > 0) {
      return Optional.of(
          "had MIN_VERSIONS %d, which keeps expired values; set it to 0"
              .formatted(family.getMinVersions()));
    }
    if (family.isNewVersionBehavior()) {
      return Optional.of("had NEW_VERSION_BEHAVIOR, which orders versions by write; switch it off");
    }
    if (family.isMobEnabled()) {
      return Optional.of(
          "was a MOB family, whose stores hold references in place of values; index a column of another family");
    }
    return Optional.empty();
  }

  /** As {@link #faultOf}, for the family that holds the postings. */
  public static Optional<String> faultOfPostings(ColumnFamilyDescriptor hidden) {
    return hidden.getTimeToLive() == HConstants.FOREVER
        ? faultOf(hidden)
        : Optional.of(
            "had TTL %d, which lets postings expire; set it to FOREVER"
                .formatted(hidden.getTimeToLive()));
  }

  private static DefinitionException refused(IndexDefinition definition, String reason) {
    return new DefinitionException("Cannot add index " + definition.name() + ": " + reason);
  }
}
