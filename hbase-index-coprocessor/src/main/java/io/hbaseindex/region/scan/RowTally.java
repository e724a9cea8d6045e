/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.query.ValueGroups;
import io.hbaseindex.core.definition.ColumnRef;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * The matching rows that one scan has counted so far, by postings that are certain and by reading
 * rows; all together or by the values of a column. Not thread-safe: a scan is not.
 */
final class RowTally {
  /** Groups in row order are told when they take so much memory, and counting begins anew. */
  static final long MAX_GROUP_BYTES = 1L << 20;

  private final CountedRows.Request request;
  private final Optional<PostingValues> values;
  private final ValueGroups groups = new ValueGroups();
  private long byPostings;
  private long byRows;
  private byte[] last = {};
  private byte[] lastRead = {};
  private boolean lastGrouped;

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
  }

  /**
   * Counts a row that postings answer for, if they say all that is wanted of it.
   *
   * @param certain the keys of the certain postings that do
   * @return false if the row has to be read all the same
   */
  boolean answered(byte[] row, List<byte[]> certain) {
    if (request.groupBy().isPresent() && !grouped(certain, request.groupBy().get())) {
      return false;
    }
    byPostings++;
    last = row;
    lastGrouped = true;
    return true;
  }

  private boolean grouped(List<byte[]> certain, ColumnRef column) {
    for (byte[] posting : certain) {
      List<byte[]> value = values.orElseThrow().of(posting, column);
      if (!value.isEmpty()) {
        addGroup(value.get(0));
        return true;
      }
    }
    return false;
  }

  /** Counts a row that was read, once, of which this may be a part only. */
  void read(List<Cell> part) {
    if (part.isEmpty()) {
      return;
    }
    byte[] row = CellUtil.cloneRow(part.get(0));
    if (byRows == 0 || !Arrays.equals(row, lastRead)) {
      byRows++;
      lastRead = row;
      last = row;
      lastGrouped = false;
    }
    if (request.groupBy().isPresent() && !lastGrouped) {
      group(part, request.groupBy().get());
    }
  }

  private void group(List<Cell> part, ColumnRef column) {
    for (Cell cell : part) {
      // The first one is the newest.
      if (CellUtil.matchingColumn(cell, column.family(), column.qualifier())) {
        addGroup(CellUtil.cloneValue(cell));
        lastGrouped = true;
        return;
      }
    }
  }

  /** A row without the column belongs to no group. */
  private void addGroup(byte[] value) {
    if (value != null) {
      groups.add(value, 1);
    }
  }

  /** Forgets everything, to count anew. */
  void reset() {
    byPostings = 0;
    byRows = 0;
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
    return groups.bytes() > MAX_GROUP_BYTES && lastGrouped;
  }

  long groupBytes() {
    return groups.bytes();
  }

  /** What is counted since the last time; empty if that is nothing. */
  Optional<Cell> tell() {
    if (request.groupBy().isPresent()) {
      Optional<Cell> told =
          groups.isEmpty() ? Optional.empty() : Optional.of(CountedRows.answer(last, groups));
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
