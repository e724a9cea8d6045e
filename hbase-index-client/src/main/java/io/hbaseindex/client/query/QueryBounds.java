/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What narrows a query down besides its condition. The arrays are not changed.
 *
 * @param firstRow the lowest key
 * @param endRow the first key that is not wanted any more; empty for none
 * @param times when cells must have been written
 * @param filter a filter of HBase's, or somebody's own, that rows must pass, too
 */
record QueryBounds(byte[] firstRow, byte[] endRow, TimeRange times, Optional<Filter> filter) {
  static final QueryBounds NONE =
      new QueryBounds(new byte[0], new byte[0], TimeRange.allTime(), Optional.empty());

  QueryBounds from(byte[] first) {
    return withRows(first.clone(), endRow);
  }

  QueryBounds before(byte[] end) {
    return withRows(firstRow, end.clone());
  }

  private QueryBounds withRows(byte[] first, byte[] end) {
    if (end.length > 0 && Arrays.compareUnsigned(first, end) >= 0) {
      throw new IllegalArgumentException(
          "Cannot ask for rows from \"%s\" to before \"%s\": there can be none; swap the keys"
              .formatted(Bytes.toStringBinary(first), Bytes.toStringBinary(end)));
    }
    return new QueryBounds(first, end, times, filter);
  }

  QueryBounds written(long from, long until) {
    return new QueryBounds(firstRow, endRow, TimeRange.between(from, until), filter);
  }

  QueryBounds passing(Filter further) {
    return new QueryBounds(firstRow, endRow, times, Optional.of(further));
  }

  /** Whether keys or times are bounded. */
  boolean areAny() {
    return firstRow.length > 0 || endRow.length > 0 || !times.isAllTime();
  }

  /** Narrows a scan by these; it has the condition's filter already, if there is a condition. */
  void narrow(Scan scan) {
    scan.withStartRow(firstRow).withStopRow(endRow);
    if (!times.isAllTime()) {
      try {
        scan.setTimeRange(times.getMin(), times.getMax());
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot narrow a scan to " + times, e);
      }
    }
    filter.ifPresent(
        further ->
            scan.setFilter(scan.hasFilter() ? new FilterList(scan.getFilter(), further) : further));
  }

  /** The bounds in words, to follow a condition; nothing if there are none. */
  String words() {
    StringBuilder words = new StringBuilder();
    if (firstRow.length > 0) {
      words.append(" and row >= ").append(Bytes.toStringBinary(firstRow));
    }
    if (endRow.length > 0) {
      words.append(" and row < ").append(Bytes.toStringBinary(endRow));
    }
    if (!times.isAllTime()) {
      words.append(" and written in ").append(times);
    }
    filter.ifPresent(further -> words.append(" and passing ").append(further));
    return words.toString();
  }
}
