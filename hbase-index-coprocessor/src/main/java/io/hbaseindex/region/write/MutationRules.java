/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.region.context.PrintableRow;
import io.hbaseindex.region.metrics.WriteRefusal;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The rules for mutations of an indexed table: which are refused, and what is taken out of them.
 */
final class MutationRules {
  private static final byte[] HIDDEN = IndexFamily.bytes();

  private final TableDescriptor table;

  MutationRules(TableDescriptor table) {
    this.table = table;
  }

  /**
   * Keeps a mutation off the hidden family. HBase expands the delete of a whole row to a marker in
   * every family; the one for the hidden family is taken out again (rule P7).
   */
  void protectHiddenFamily(Mutation mutation) throws WriteRefusedException {
    Map<byte[], List<Cell>> families = mutation.getFamilyCellMap();
    if (!families.containsKey(HIDDEN)) {
      return;
    }
    if (!(mutation instanceof Delete) || !deletesEveryFamily(families)) {
      throw new WriteRefusedException(
          WriteRefusal.HIDDEN_FAMILY,
          "Cannot write row %s of table %s: family %s holds the index and is kept by the server; write to your own families only"
              .formatted(
                  PrintableRow.of(mutation.getRow()), table.getTableName(), IndexFamily.NAME));
    }
    families.remove(HIDDEN);
  }

  private boolean deletesEveryFamily(Map<byte[], List<Cell>> families) {
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      List<Cell> cells = families.get(family.getName());
      if (cells == null || cells.stream().noneMatch(cell -> Versions.kindOf(cell).isFamilyWide())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Refuses what cannot be indexed; to be asked of mutations that concern an index.
   *
   * @param concerned tells what of an index the mutation concerns
   */
  void requireIndexable(Mutation mutation, Supplier<String> concerned)
      throws WriteRefusedException {
    Durability durability = mutation.getDurability();
    if (durability == Durability.SKIP_WAL
        || durability == Durability.USE_DEFAULT && table.getDurability() == Durability.SKIP_WAL) {
      throw new WriteRefusedException(
          WriteRefusal.SKIP_WAL,
          "Cannot write row %s of table %s: it concerns %s, and its durability was SKIP_WAL; after a crash the index could lack it; use another durability"
              .formatted(
                  PrintableRow.of(mutation.getRow()), table.getTableName(), concerned.get()));
    }
    if (mutation.getTTL() != Long.MAX_VALUE) {
      throw cellTtl(mutation.getRow(), concerned);
    }
  }

  /**
   * Refuses a cell that an index depends on and that carries a TTL of its own.
   *
   * @param concerned tells what of an index the cell concerns
   */
  void requireNoTtl(Cell cell, byte[] row, Supplier<String> concerned)
      throws WriteRefusedException {
    if (Versions.isMortal(cell)) {
      throw cellTtl(row, concerned);
    }
  }

  private WriteRefusedException cellTtl(byte[] row, Supplier<String> concerned) {
    return new WriteRefusedException(
        WriteRefusal.CELL_TTL,
        "Cannot write row %s of table %s: it concerns %s, and has a TTL of its own, which may show an older value again without a write; set a TTL on the column family instead"
            .formatted(PrintableRow.of(row), table.getTableName(), concerned.get()));
  }
}
