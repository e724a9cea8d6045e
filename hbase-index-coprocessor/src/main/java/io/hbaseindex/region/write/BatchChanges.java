/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.region.context.PrintableRow;
import io.hbaseindex.region.write.plan.IndexedColumns;
import io.hbaseindex.region.write.plan.RowChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The changes that one mini-batch makes to indexed columns, gathered by row so that several
 * mutations of one row see each other. Operations that have failed already are left out. Mutations
 * that other coprocessors added are included.
 */
final class BatchChanges {
  private final IndexedColumns columns;
  private final MutationRules rules;
  private final BatchInFlight inFlight;
  private final SortedMap<byte[], RowChange> byRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private RowChange latest;
  private int firstIndexedOperation = -1;

  /** What the last cell that concerns an index belongs to, for refusals. */
  private int concernedFamily;

  private int concernedColumn;

  private BatchChanges(IndexedColumns columns, MutationRules rules, BatchInFlight inFlight) {
    this.columns = columns;
    this.rules = rules;
    this.inFlight = inFlight;
  }

  /**
   * Goes through the batch, refuses what must not be written, and notes in {@code inFlight} every
   * cell it has taken into account.
   */
  static BatchChanges gather(
      MiniBatchOperationInProgress<Mutation> batch,
      IndexedColumns columns,
      MutationRules rules,
      BatchInFlight inFlight)
      throws WriteRefusedException {
    BatchChanges changes = new BatchChanges(columns, rules, inFlight);
    for (int i = 0; i < batch.size(); i++) {
      if (isPending(batch, i)) {
        changes.addOperation(batch, i);
      }
    }
    return changes;
  }

  /** Whether HBase is still going to write this operation. */
  static boolean isPending(MiniBatchOperationInProgress<Mutation> batch, int operation) {
    return batch.getOperationStatus(operation).getOperationStatusCode()
        == OperationStatusCode.NOT_RUN;
  }

  private void addOperation(MiniBatchOperationInProgress<Mutation> batch, int operation)
      throws WriteRefusedException {
    Mutation mutation = batch.getOperation(operation);
    rules.protectHiddenFamily(mutation);
    boolean indexed =
        mutation instanceof Increment || mutation instanceof Append
            ? addCells(mutation, inFlight.computedFor(mutation))
            : addFamilies(mutation);
    Mutation[] added = batch.getOperationsFromCoprocessors(operation);
    if (added != null) {
      for (Mutation other : added) {
        rules.protectHiddenFamily(other);
        indexed |= addFamilies(other);
      }
    }
    if (indexed) {
      // What others added is written with the durability and the TTL of the operation.
      rules.requireIndexable(mutation, () -> concerned(concernedFamily, concernedColumn));
      if (firstIndexedOperation < 0) {
        firstIndexedOperation = operation;
      }
    }
  }

  private boolean addFamilies(Mutation mutation) throws WriteRefusedException {
    boolean indexed = false;
    for (Map.Entry<byte[], List<Cell>> cells : mutation.getFamilyCellMap().entrySet()) {
      int family = columns.familyNumber(cells.getKey());
      if (family != IndexedColumns.NONE) {
        for (Cell cell : cells.getValue()) {
          indexed |= addCell(mutation, family, cell);
        }
      }
    }
    return indexed;
  }

  private boolean addCells(Mutation mutation, List<Cell> cells) throws WriteRefusedException {
    boolean indexed = false;
    for (Cell cell : cells) {
      int family = CellColumns.familyOf(columns, cell);
      if (family != IndexedColumns.NONE) {
        indexed |= addCell(mutation, family, cell);
      }
    }
    return indexed;
  }

  /** Notes what the cell does, if it concerns an index; returns whether it does. */
  private boolean addCell(Mutation mutation, int family, Cell cell) throws WriteRefusedException {
    boolean familyWide = Versions.kindOf(cell).isFamilyWide();
    int column = familyWide ? IndexedColumns.NONE : CellColumns.columnOf(columns, family, cell);
    if (!familyWide && column == IndexedColumns.NONE) {
      return false;
    }
    concernedFamily = family;
    concernedColumn = column;
    rules.requireNoTtl(cell, mutation.getRow(), () -> concerned(family, column));
    RowChange change = changeOf(mutation, cell);
    if (familyWide) {
      change.addToFamily(family, Versions.atHand(cell));
    } else {
      change.add(family, column, Versions.atHand(cell));
    }
    inFlight.addProcessed(cell);
    return true;
  }

  /** Puts in words what a cell belongs to. */
  private String concerned(int family, int column) {
    return column == IndexedColumns.NONE
        ? "family %s, which has columns of an index"
            .formatted(PrintableRow.of(columns.family(family)))
        : columns.use(column);
  }

  private RowChange changeOf(Mutation mutation, Cell cell) {
    // A mutation that another coprocessor added may hold cells of several rows.
    byte[] row =
        CellUtil.matchingRows(cell, mutation.getRow())
            ? mutation.getRow()
            : CellUtil.cloneRow(cell);
    // The cells of a mutation come one after another.
    if (latest == null || !Arrays.equals(latest.row(), row)) {
      latest = byRow.computeIfAbsent(row, r -> new RowChange(r, columns));
    }
    return latest;
  }

  boolean isEmpty() {
    return byRow.isEmpty();
  }

  /** The rows concerned, in order. */
  List<byte[]> rows() {
    return new ArrayList<>(byRow.keySet());
  }

  /** The changes, in row order. */
  Collection<RowChange> changes() {
    return byRow.values();
  }

  /** The first operation that concerns an index; postings ride on it. */
  int firstIndexedOperation() {
    return firstIndexedOperation;
  }
}
