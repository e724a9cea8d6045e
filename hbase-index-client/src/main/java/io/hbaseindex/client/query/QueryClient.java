/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.client.query.sum.Sum;
import io.hbaseindex.client.query.sum.ValueSum;
import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.ExactSum;
import io.hbaseindex.common.query.TimeBucket;
import io.hbaseindex.common.query.ValueGroups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
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
  /** What the distinct values of a column may take in memory. */
  public static final long MAX_VALUE_BYTES = 256L << 20;

  private final Connection connection;

  private QueryClient(Connection connection) {
    this.connection = connection;
  }

  /** A client that asks over this connection. */
  public static QueryClient of(Connection connection) {
    return new QueryClient(connection);
  }

  /**
   * The rows, read as they are asked for; to be closed.
   *
   * <p>Rows of a query with an order are searched for a thousand at most at a time: over an {@code
   * IndexedConnection} in several regions at once, over a plain one in one after the other. Each
   * such search shows a region as it is at one moment; a row whose value changes between two of
   * them may come twice, or not at all.
   */
  public FoundRows rows(IndexQuery query) throws IOException {
    return query.order().isPresent()
        ? open(query, table -> new OrderedScanner(table, query))
        : open(query, query.toScan());
  }

  /** Begins to read a table. */
  private interface Opening {
    ResultScanner open(Table table) throws IOException;
  }

  private FoundRows open(IndexQuery query, Scan scan) throws IOException {
    return open(query, table -> table.getScanner(scan));
  }

  private FoundRows open(IndexQuery query, Opening opening) throws IOException {
    Table table = connection.getTable(query.table());
    ResultScanner scanner = null;
    try {
      scanner = opening.open(table);
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

  /**
   * The distinct values that the rows show in a column, in the order of their bytes or of the
   * column's {@linkplain Column#as type}, and how many rows show each. Rows without the column are
   * left out. Each region counts its own rows, and reads no row that an index of the column answers
   * for; ask for {@link Column#isPresent} to get the values of all rows.
   *
   * <p>All values are held in memory, up to {@value #MAX_VALUE_BYTES} bytes.
   *
   * @throws IOException also if the values take more
   * @throws IllegalArgumentException if the query has a limit
   */
  public List<ValueCount> values(IndexQuery query, Column column) throws IOException {
    return gather(Gathering.ofValues(query, column)).counts();
  }

  /**
   * How many rows there are for each hour, day or month of UTC in which the newest cell of a column
   * was written, by when that began. What counts is the cell's timestamp, be it the server's or the
   * writer's own; a value that is written again is one of the later time. Rows without the column
   * are left out, and so are times without rows. Each region counts its own rows, and reads none
   * whose posting carries the time: that of an index which has or includes the column, and
   * {@linkplain io.hbaseindex.core.definition.IndexDefinition.Builder#withTimes keeps times} or
   * includes any.
   *
   * @throws IllegalArgumentException if the query has a limit
   */
  public NavigableMap<Instant, Long> countByTime(IndexQuery query, Column column, TimeBucket bucket)
      throws IOException {
    return countByTime(query, column, CountedTimes.all(bucket));
  }

  /**
   * As {@link #countByTime(IndexQuery, Column, TimeBucket)}, of cells of some times only. The
   * newest cell is what counts: a row whose newest cell is of another time is left out, whatever
   * older ones it has.
   */
  public NavigableMap<Instant, Long> countByTime(
      IndexQuery query, Column column, CountedTimes times) throws IOException {
    return gather(Gathering.ofTimes(query, column, times)).times();
  }

  /**
   * What a column of the rows adds up to, exactly. Rows without the column are left out. Each
   * region adds its own rows, and reads no row whose posting is certain and has the column: an
   * indexed one, or one that the index includes.
   *
   * @param column with the {@linkplain Column#as type} of its numbers
   * @throws IllegalArgumentException if the query has a limit, or the column no type of numbers
   */
  public Sum sum(IndexQuery query, Column column) throws IOException {
    return gather(Gathering.ofSums(query, column, Optional.empty())).sum();
  }

  /**
   * The distinct values that the rows show in a column, as {@link #values} gives them, and for each
   * of them what another column adds up to, as {@link #sum} does it.
   *
   * @param groupBy the column by whose values rows are added up
   */
  public List<ValueSum> sums(IndexQuery query, Column groupBy, Column column) throws IOException {
    return gather(Gathering.ofSums(query, column, Optional.of(groupBy))).sums();
  }

  /**
   * The values that most rows show in a column, beginning with the most frequent; of equally
   * frequent ones the lower first. As {@link #values} otherwise.
   *
   * @param most how many values at most
   */
  public List<ValueCount> top(IndexQuery query, Column column, int most) throws IOException {
    if (most < 1) {
      throw new IllegalArgumentException(
          "Cannot give the %d most frequent values; ask for at least one".formatted(most));
    }
    return values(query, column).stream()
        .sorted(Comparator.comparingLong(ValueCount::rows).reversed())
        .limit(most)
        .toList();
  }

  /**
   * The lowest value that a row shows in a column; as {@link #values} otherwise. Of a column with a
   * {@linkplain Column#as type}, cells that are no value of it are left out, and NaN; of decimals
   * also those that HBase would write in fewer bytes, or whose digits take more than 128.
   */
  public Optional<byte[]> min(IndexQuery query, Column column) throws IOException {
    return placed(query, column).min(TypedValue.order(column.type()));
  }

  /** The highest value that a row shows in a column; as {@link #min} otherwise. */
  public Optional<byte[]> max(IndexQuery query, Column column) throws IOException {
    return placed(query, column).max(TypedValue.order(column.type()));
  }

  private Stream<byte[]> placed(IndexQuery query, Column column) throws IOException {
    return gather(Gathering.ofValues(query, column))
        .values()
        .filter(cell -> TypedValue.isPlaced(column.type(), cell));
  }

  private Gathering gather(Gathering gathering) throws IOException {
    try (Table table = connection.getTable(gathering.table());
        ResultScanner scanner = table.getScanner(gathering.scan())) {
      for (Result next = scanner.next(); next != null; next = scanner.next()) {
        gathering.add(next);
      }
    }
    return gathering;
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
   * show in the later one or do not, like in any scan; no row is given twice, unless the query has
   * an order and the row a higher place in it than before.
   *
   * @param size how many rows a page has at most; may differ from page to page. A page of a query
   *     with an order has a thousand at most, and fewer if rows are large
   * @param token {@link Page#next} of the page before; empty for the first page
   * @throws IllegalArgumentException if the token is damaged or belongs to another query
   */
  public Page page(IndexQuery query, int size, Optional<String> token) throws IOException {
    Paging paging = Paging.of(query, size, token);
    if (!paging.isOver() && query.order().isPresent()) {
      try (Table table = connection.getTable(query.table())) {
        OrderedWindow window = paging.window();
        OrderedScanner.search(table, window);
        return paging.pageOf(window);
      }
    }
    return paging.isOver()
        ? Page.END
        : paging.page(read(query, paging.scan(), found -> found.stream().toList()));
  }

  /**
   * Puts together what regions tell of the values of a column, and of the sums of another. Not
   * thread-safe.
   */
  static final class Gathering {
    private final IndexQuery query;
    private final Optional<Column> groupBy;
    private final CountedRows.Request request;
    private final Scan scan;
    private final ValueGroups groups;

    private Gathering(IndexQuery query, Optional<Column> groupBy, Scan scan) {
      this.query = query;
      this.groupBy = groupBy;
      this.scan = scan;
      this.request = CountedRows.in(scan).orElseThrow();
      this.groups = CountedRows.groupsFor(request);
    }

    /** The rows of a query by the values of a column. */
    static Gathering ofValues(IndexQuery query, Column column) {
      return new Gathering(query, Optional.of(column), query.toGroupingScan(column.ref()));
    }

    /** The rows of a query by the times of a column's cells. */
    static Gathering ofTimes(IndexQuery query, Column column, CountedTimes times) {
      return new Gathering(query, Optional.of(column), query.toTimingScan(column.ref(), times));
    }

    /** The sum of a column, of all rows or by the values of another column. */
    static Gathering ofSums(IndexQuery query, Column column, Optional<Column> groupBy) {
      return new Gathering(query, groupBy, query.toSummingScan(column, groupBy));
    }

    TableName table() {
      return query.table();
    }

    /** What is to be read. */
    Scan scan() {
      return scan;
    }

    /**
     * Adds what a region tells.
     *
     * @throws IOException if the values take more memory than they may
     */
    void add(Result result) throws IOException {
      CountedRows.addTo(groups, result, request);
      if (groups.bytes() > MAX_VALUE_BYTES) {
        throw new IOException(
            "Cannot list the values of %s in table %s: %d of them took more than %d bytes; narrow the condition, or the rows"
                .formatted(groupBy.orElseThrow(), query.table(), groups.size(), MAX_VALUE_BYTES));
      }
    }

    /** The values, in no particular order. */
    Stream<byte[]> values() {
      return groups.byValue().keySet().stream();
    }

    /** The number of rows by value, in the order of the column. */
    List<ValueCount> counts() {
      return groups.byValue().entrySet().stream()
          .map(group -> new ValueCount(group.getKey(), group.getValue().rows()))
          .sorted(Comparator.comparing(ValueCount::value, order()))
          .toList();
    }

    /** The number of rows by time. */
    NavigableMap<Instant, Long> times() {
      NavigableMap<Instant, Long> rows = new TreeMap<>();
      groups
          .byValue()
          .forEach(
              (start, group) -> rows.put(Instant.ofEpochMilli(Bytes.toLong(start)), group.rows()));
      return rows;
    }

    /** The sums by value, in the order of the column. */
    List<ValueSum> sums() {
      return groups.byValue().entrySet().stream()
          .map(
              group ->
                  new ValueSum(
                      group.getKey(), group.getValue().rows(), told(group.getValue().sum())))
          .sorted(Comparator.comparing(ValueSum::value, order()))
          .toList();
    }

    private Comparator<byte[]> order() {
      return TypedValue.order(groupBy.orElseThrow().type());
    }

    /** The sum of all rows. */
    Sum sum() {
      return groups.byValue().values().stream()
          .findFirst()
          .map(group -> told(group.sum()))
          .orElseGet(() -> told(new ExactSum()));
    }

    private static Sum told(ExactSum sum) {
      return new Sum(sum.total(), sum.numbers(), sum.skipped());
    }
  }
}
