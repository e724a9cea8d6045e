/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The rows of a running query, read from the servers as they are asked for. Close it: an open one
 * holds resources on a region server. To be gone through once, by one thread.
 *
 * <p>Errors of the servers come out of the iteration as {@link UncheckedIOException}.
 */
@InterfaceAudience.Public
public final class FoundRows implements Iterable<FoundRow>, AutoCloseable {
  private final Table table;
  private final ResultScanner scanner;
  private final Function<Result, FoundRow> read;
  private boolean taken;

  FoundRows(Table table, ResultScanner scanner, Function<Result, FoundRow> read) {
    this.table = table;
    this.scanner = scanner;
    this.read = read;
  }

  /**
   * The rows, once.
   *
   * @throws IllegalStateException if they have been asked for before
   */
  @Override
  public Iterator<FoundRow> iterator() {
    if (taken) {
      throw new IllegalStateException(
          "Cannot go through the rows of a query twice; run the query again");
    }
    taken = true;
    return new Reading();
  }

  /** The rows as a stream; closing the stream closes this. */
  public Stream<FoundRow> stream() {
    return StreamSupport.stream(spliterator(), false).onClose(this::close);
  }

  @Override
  public void close() {
    scanner.close();
    try {
      table.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close table " + table.getName(), e);
    }
  }

  private final class Reading implements Iterator<FoundRow> {
    private Result next;
    private boolean ended;

    @Override
    public boolean hasNext() {
      if (next == null && !ended) {
        try {
          next = scanner.next();
        } catch (IOException e) {
          throw new UncheckedIOException(
              "Cannot read on in table " + table.getName() + ": " + e.getMessage(), e);
        }
        ended = next == null;
      }
      return next != null;
    }

    @Override
    public FoundRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException("The query has no further row");
      }
      FoundRow row = read.apply(next);
      next = null;
      return row;
    }
  }
}
