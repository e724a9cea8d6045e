/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Runs queries over a connection.
 *
 * <p>Any connection will do. Over an {@code IndexedConnection} a query visits only the regions that
 * may hold its rows; over a plain one it visits all regions, and in each of them jumps to its rows.
 * Safe for use by many threads. It does not close the connection.
 */
@InterfaceAudience.Public
public final class QueryClient {
  private final Connection connection;

  private QueryClient(Connection connection) {
    this.connection = connection;
  }

  /** A client that asks over this connection. */
  public static QueryClient of(Connection connection) {
    return new QueryClient(connection);
  }

  /** The rows, read as they are asked for; to be closed. */
  public FoundRows rows(IndexQuery query) throws IOException {
    return open(query, query.toScan());
  }

  private FoundRows open(IndexQuery query, Scan scan) throws IOException {
    Table table = connection.getTable(query.table());
    ResultScanner scanner = null;
    try {
      scanner = table.getScanner(scan);
    } finally {
      if (scanner == null) {
        table.close();
      }
    }
    return new FoundRows(
        table,
        scanner,
        query.isProjected() ? found -> FoundRow.of(found, query.projection()) : FoundRow::of);
  }

  /** How many rows there are, no more than the query's limit. */
  public long count(IndexQuery query) throws IOException {
    IndexQuery keys = query.keysOnly();
    return read(keys, keys.toScan(), QueryClient::countOf);
  }

  private static long countOf(FoundRows found) {
    long rows = 0;
    for (Iterator<FoundRow> each = found.iterator(); each.hasNext(); each.next()) {
      rows++;
    }
    return rows;
  }

  /** Whether there is such a row. */
  public boolean exists(IndexQuery query) throws IOException {
    IndexQuery first = query.keysOnly().limit(1);
    return read(first, first.toScan(), found -> found.iterator().hasNext());
  }

  /** Reads rows to the end here, so that errors need not be hidden from the caller's catch. */
  private <T> T read(IndexQuery query, Scan scan, Function<FoundRows, T> reading)
      throws IOException {
    try (FoundRows found = open(query, scan)) {
      return reading.apply(found);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Some of the rows, from where an earlier page ended. Rows written or deleted between two pages
   * show in the later one or do not, like in any scan; no row is given twice.
   *
   * @param size how many rows a page has at most; may differ from page to page
   * @param token {@link Page#next} of the page before; empty for the first page
   * @throws IllegalArgumentException if the token is damaged or belongs to another query
   */
  public Page page(IndexQuery query, int size, Optional<String> token) throws IOException {
    if (size < 1) {
      throw new IllegalArgumentException(
          "Cannot read a page of %d rows; ask for at least one".formatted(size));
    }
    PageToken from =
        token.map(text -> PageToken.decode(query, text)).orElse(new PageToken(0, new byte[0]));
    int left =
        query.limit() == IndexQuery.UNLIMITED
            ? size
            : Math.min(size, query.limit() - from.rowsBefore());
    if (left <= 0) {
      return new Page(List.of(), Optional.empty());
    }
    Scan scan = query.toScan().setLimit(left).setCaching(left);
    if (token.isPresent()) {
      scan.withStartRow(from.lastRow(), false);
    }
    List<FoundRow> rows = read(query, scan, found -> found.stream().toList());
    // Only a limit is compared with the count, and no limit is above the highest count.
    int rowsSoFar = (int) Math.min(Integer.MAX_VALUE, (long) from.rowsBefore() + rows.size());
    boolean last = rows.size() < left || rowsSoFar == query.limit();
    return new Page(
        rows,
        last
            ? Optional.empty()
            : Optional.of(new PageToken(rowsSoFar, rows.get(rows.size() - 1).key()).encode(query)));
  }
}
