/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.common.query.CountedRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
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
    return new FoundRows(table, scanner, found -> FoundRow.of(found, query));
  }

  /**
   * How many rows there are, no more than the query's limit. Each region counts its own, and sends
   * no row. Where an index answers the whole condition, and nothing else narrows the query down but
   * keys, most rows are not even read.
   */
  public long count(IndexQuery query) throws IOException {
    long enough = query.limit() == IndexQuery.UNLIMITED ? Long.MAX_VALUE : query.limit();
    long rows = 0;
    try (Table table = connection.getTable(query.table());
        ResultScanner scanner = table.getScanner(query.toCountingScan())) {
      for (Result next = scanner.next(); next != null; next = scanner.next()) {
        rows += CountedRows.rowsOf(next);
        if (rows >= enough) {
          return enough;
        }
      }
    }
    return rows;
  }

  /** Whether there is such a row. */
  public boolean exists(IndexQuery query) throws IOException {
    return count(query.limit(1)) > 0;
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
    Paging paging = Paging.of(query, size, token);
    return paging.isOver()
        ? Page.END
        : paging.page(read(query, paging.scan(), found -> found.stream().toList()));
  }
}
