/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * Gives the rows of a query with an order, which are searched for when the first is asked for, and
 * again whenever those found are used up. Holds nothing at servers between two calls.
 */
final class OrderedScanner implements ResultScanner {
  private final Table table;
  private final Queue<Result> found = new ArrayDeque<>();
  private Optional<OrderedWindow> next;

  OrderedScanner(Table table, IndexQuery query) {
    this.table = table;
    this.next = Optional.of(OrderedWindow.first(query));
  }

  /** Asks regions until a window has its rows. */
  static void search(Table table, OrderedWindow window) throws IOException {
    try {
      for (var asks = window.next(); !asks.isEmpty(); asks = window.next()) {
        for (OrderedWindow.Ask ask : asks) {
          try (ResultScanner scanner = table.getScanner(ask.scan())) {
            for (Result result = scanner.next(); result != null; result = scanner.next()) {
              ask.take(result);
            }
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public Result next() throws IOException {
    while (found.isEmpty() && next.isPresent()) {
      // A search that has failed is begun anew by whoever tries again.
      OrderedWindow window = next.get().anew();
      search(table, window);
      found.addAll(window.results());
      next = window.following();
    }
    return found.poll();
  }

  @Override
  public void close() {
    next = Optional.empty();
    found.clear();
  }

  @Override
  public boolean renewLease() {
    return true;
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return null;
  }
}
