/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.query.ValueGroups;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.region.scan.candidates.CertainPosting;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * The matching rows that one scan has counted so far, by postings that are certain and by reading
 * rows; all together, by the values of a column or by the times of its cells, and what another
 * column adds up to. Not thread-safe: a scan is not.
 */
final class RowTally {
  /** Groups in row order are told when they take so much memory, and counting begins anew. */
  static final long MAX_GROUP_BYTES = 1L << 20;

  private final CountedRows.Request request;
  private final Optional<PostingValues> values;
  private final ValueGroups groups;
  private long byPostings;
  private long byRows;
  private byte[] last = {};

  /** The row read last, as far as its parts have come; null if it has been counted. */
  private Map<ColumnRef, byte[]> open;

  private byte[] lastRead = {};

  /** Counts rows that are read. */
  RowTally(CountedRows.Request request) {
    this(request, Optional.empty());
  }

  /** Also counts rows that postings answer for. */
  RowTally(CountedRows.Request request, PostingValues values) {
    this(request, Optional.of(values));
  }

  private RowTally(CountedRows.Request request, Optional<PostingValues> values) {
    this.request = request;
    this.values = values;
    this.groups = CountedRows.groupsFor(request);
  }

  /** Whether postings of an index may tell all that is wanted of a row. */
  boolean isToldBy(IndexDefinition index) {
    return request.columns().allMatch(index.heldColumns()::contains)
        && (request.times().isEmpty() || index.carriesCells());
  }

  /** Whether it needs cells that postings of an index carry. */
  boolean needsCellsOf(IndexDefinition index) {
    return index.carriesCells()
        && request.columns().anyMatch(c -> request.times().isPresent() || isIncluded(index, c));
  }

  private static boolean isIncluded(IndexDefinition index, ColumnRef column) {
    return index.included().contains(column);
  }

  /**
   * Counts a row that postings answer for, if they say all that is wanted of it.
   *
   * @param certain the certain postings that do
   * @return false if the row has to be read all the same
   */
  boolean answered(byte[] row, List<CertainPosting> certain) {
    closeRow();
    if (request.wantsGroups()) {
      Map<ColumnRef, byte[]> told = new HashMap<>();
      if (!request.columns().allMatch(column -> isTold(certain, column, told))) {
        return false;
      }
      CountedRows.addRow(groups, request, told::get);
    }
    byPostings++;
    last = row;
    return true;
  }

  /** Whether nothing but the number of rows is wanted, and of all of them. */
  boolean isNumberOfAll() {
    return !request.wantsGroups() && request.enough() == Long.MAX_VALUE;
  }

  /** Counts rows that postings answer for. */
  void answered(long rows) {
    closeRow();
    byPostings += rows;
  }

  private boolean isTold(
      List<CertainPosting> certain, ColumnRef column, Map<ColumnRef, byte[]> told) {
    for (CertainPosting posting : certain) {
      List<byte[]> value = wantedOf(posting, column);
      if (!value.isEmpty()) {
        told.put(column, value.get(0));
        return true;
      }
    }
    return false;
  }

  /** What decides the row's group: the value of the column, or the time of its cell. */
  private List<byte[]> wantedOf(CertainPosting posting, ColumnRef column) {
    PostingValues told = values.orElseThrow();
    return request.times().isPresent()
        ? told.timeOf(posting, column, request::groupOf)
        : told.of(posting, column);
  }

  /** Counts a row that was read, once, of which this may be a part only. */
  void read(List<Cell> part) {
    if (part.isEmpty()) {
      return;
    }
    byte[] row = CellUtil.cloneRow(part.get(0));
    if (byRows == 0 || !Arrays.equals(row, lastRead)) {
      closeRow();
      byRows++;
      lastRead = row;
      last = row;
      open = request.wantsGroups() ? new HashMap<>() : null;
    }
    if (open != null) {
      request.columns().forEach(column -> collect(part, column));
      if (request.columns().allMatch(open::containsKey)) {
        closeRow();
      }
    }
  }

  private void collect(List<Cell> part, ColumnRef column) {
    for (Cell cell : part) {
      if (CellUtil.matchingColumn(cell, column.family(), column.qualifier())) {
        // The first one is the newest, also if nothing is wanted of it.
        if (!open.containsKey(column)) {
          open.put(column, request.wantedOf(cell));
        }
        return;
      }
    }
  }

  /** No further part of the row read last will come, or none is needed. */
  private void closeRow() {
    if (open != null) {
      CountedRows.addRow(groups, request, open::get);
      open = null;
    }
  }

  /** Forgets everything, to count anew. */
  void reset() {
    byPostings = 0;
    byRows = 0;
    open = null;
    groups.clear();
  }

  boolean isEnough() {
    return byPostings + byRows >= request.enough();
  }

  /**
   * Whether the groups had better be told before more are counted. Not in the middle of a row whose
   * value has not come yet: who goes on behind the row would never meet it.
   */
  boolean isFull() {
    return groups.bytes() > MAX_GROUP_BYTES && open == null;
  }

  long groupBytes() {
    return groups.bytes();
  }

  /** What is counted since the last time; empty if that is nothing. */
  Optional<Cell> tell() {
    closeRow();
    if (request.wantsGroups()) {
      Optional<Cell> told =
          groups.isEmpty()
              ? Optional.empty()
              : Optional.of(CountedRows.answer(last, request, groups));
      groups.clear();
      return told;
    }
    long total = byPostings + byRows;
    return total == 0 ? Optional.empty() : Optional.of(CountedRows.answer(last, total));
  }

  long byPostings() {
    return byPostings;
  }

  long byRows() {
    return byRows;
  }

  /** The key of the row counted last. */
  byte[] last() {
    return last;
  }

  /** Takes note that the rows counted go up to this one, in whatever order they were. */
  void upTo(byte[] row) {
    last = row;
  }
}
