/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.common.query.OrderedRows;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/**
 * One page of a query that is to be read.
 *
 * @param from where the page before has ended
 * @param rows how many rows it has at most; none if the query's limit has been reached
 */
record Paging(IndexQuery query, Optional<PageToken> from, int rows) {

  /**
   * The page behind a token.
   *
   * @throws IllegalArgumentException if the token is damaged or belongs to another query
   */
  static Paging of(IndexQuery query, int size, Optional<String> token) {
    if (size < 1) {
      throw new IllegalArgumentException(
          "Cannot read a page of %d rows; ask for at least one".formatted(size));
    }
    Optional<PageToken> from = token.map(text -> PageToken.decode(query, text));
    int before = from.map(PageToken::rowsBefore).orElse(0);
    return new Paging(
        query,
        from,
        query.limit() == IndexQuery.UNLIMITED ? size : Math.min(size, query.limit() - before));
  }

  boolean isOver() {
    return rows <= 0;
  }

  /** Reads the page's rows. */
  Scan scan() {
    Scan scan = query.toScan().setLimit(rows).setCaching(rows);
    from.ifPresent(token -> scan.withStartRow(token.lastRow(), false));
    return scan;
  }

  /** Searches for the page's rows, for a query with an order. */
  OrderedWindow window() {
    return new OrderedWindow(query, rows, from.map(token -> OrderedRows.decode(token.lastRow())));
  }

  /** The page, once its rows have been read. */
  Page page(List<FoundRow> found) {
    return found.size() < rows ? last(found) : page(found, found.get(found.size() - 1).key());
  }

  /** The page, once its rows have been found. */
  Page pageOf(OrderedWindow window) {
    return window.isLast()
        ? last(window.found())
        : page(window.found(), OrderedRows.encode(window.lastPlace()));
  }

  private static Page last(List<FoundRow> found) {
    return new Page(found, Optional.empty());
  }

  private Page page(List<FoundRow> found, byte[] last) {
    // Only a limit is compared with the count, and no limit is above the highest count.
    int rowsSoFar =
        (int)
            Math.min(
                Integer.MAX_VALUE, (long) from.map(PageToken::rowsBefore).orElse(0) + found.size());
    return rowsSoFar == query.limit()
        ? last(found)
        : new Page(found, Optional.of(new PageToken(rowsSoFar, last).encode(query)));
  }
}
