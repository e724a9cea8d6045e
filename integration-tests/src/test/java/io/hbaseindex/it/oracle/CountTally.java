/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Asks regions for the number of a scan's rows, and keeps account of how they found it, and of how
 * rows of covered scans were found. Safe for use by many threads.
 */
final class CountTally {
  /** These histories delete a lot, and some of their indexes are lazy or expire at once. */
  private static final double REQUIRED = 0.25;

  /** Included columns are deleted too, one expires at once, and a run asks few such scans. */
  private static final double REQUIRED_COVERED = 0.03;

  private long byPostings;
  private long byRows;
  private long fromPostings;
  private long read;
  private long orderedByPostings;
  private long orderedByRows;

  /** Notes what a covered scan of a ready index has done. */
  synchronized void covered(IndexCounters counted) {
    fromPostings += counted.get(IndexCounter.ROWS_FROM_POSTINGS);
    read += counted.get(IndexCounter.ROWS_READ);
  }

  /** The number of a scan's rows; of a ready index, whether they had to be read is noted. */
  long count(Table table, Scan scan, boolean noted) throws IOException {
    return watch(table.getName(), noted, () -> count(table, scan));
  }

  /** A question that regions answer by counting rows. */
  interface Counting<T> {
    T ask() throws IOException;
  }

  /** The answer; if noted, also how many rows had to be read for it, by the regions' counters. */
  <T> T watch(TableName table, boolean noted, Counting<T> question) throws IOException {
    if (!noted) {
      return question.ask();
    }
    IndexCounters before = IndexCounters.of(table);
    T answer = question.ask();
    IndexCounters since = IndexCounters.of(table).since(before);
    add(since);
    return answer;
  }

  private synchronized void add(IndexCounters since) {
    byPostings += since.get(IndexCounter.COUNTED_BY_POSTINGS);
    byRows += since.get(IndexCounter.COUNTED_BY_ROWS);
    orderedByPostings += since.get(IndexCounter.ORDERED_BY_POSTINGS);
    orderedByRows += since.get(IndexCounter.ORDERED_BY_ROWS);
  }

  private static long count(Table table, Scan scan) throws IOException {
    long enough = scan.getLimit() > 0 ? scan.getLimit() : Long.MAX_VALUE;
    Scan asking = new Scan(scan).setLimit(-1);
    CountedRows.askFor(asking, enough);
    long rows = 0;
    try (ResultScanner scanner = table.getScanner(asking)) {
      for (Result result : scanner) {
        rows += CountedRows.rowsOf(result);
      }
    }
    return Math.min(rows, enough);
  }

  /** Fails unless a good part of the rows was counted, found in order, or returned by postings. */
  synchronized void requireEnoughFromPostings() {
    if (byPostings < REQUIRED * (byPostings + byRows)) {
      throw new AssertionError("Too few rows were counted by their postings alone: " + this);
    }
    if (orderedByPostings < REQUIRED * (orderedByPostings + orderedByRows)) {
      throw new AssertionError("Too few rows were found in order by their postings: " + this);
    }
    if (fromPostings < REQUIRED_COVERED * (fromPostings + read)) {
      throw new AssertionError("Too few rows were made of their postings alone: " + this);
    }
  }

  @Override
  public synchronized String toString() {
    return byPostings
        + " rows counted by postings, "
        + byRows
        + " by reading them; of covered scans "
        + fromPostings
        + " rows from postings, "
        + read
        + " read; in order "
        + orderedByPostings
        + " rows by postings, "
        + orderedByRows
        + " compared";
  }
}
