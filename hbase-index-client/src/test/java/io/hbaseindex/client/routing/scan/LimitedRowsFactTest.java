/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.BatchScanResultCache;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A fact of HBase's asynchronous client (2.6.1): where a limit of rows meets rows in parts, it may
 * count a row that the server has not counted.
 *
 * <p>The last row of a region fills its batch, so the server sends it as one that may go on, counts
 * no complete row, and finds nothing more with the next call. The client takes that empty answer
 * for the end of the row and counts it. If that was the last row wanted, no rows are left to ask
 * for, but the server has not said that the scan is over. {@code
 * AsyncScanSingleRegionRpcRetryingCaller.completeOrNext} asserts that this cannot be: with
 * assertions on, its callback throws and the scan is never ended; with assertions off, it goes on
 * to the next region without a limit. No test of ours gives a limit to such scans, and no other
 * scan gets there: without parts, both sides count the same results.
 */
class LimitedRowsFactTest {
  private static final int BATCH = 2;

  @Test
  void emptyAnswerAfterAFullBatch_countsARowThatTheServerHasNotCounted() throws IOException {
    BatchScanResultCache cache = new BatchScanResultCache(BATCH);

    assertThat(cache.addAndGet(new Result[] {part("a", true, "q1", "q2")}, false)).hasSize(1);
    assertThat(cache.numberOfCompleteRows()).as("as the server counts").isZero();

    assertThat(cache.addAndGet(new Result[0], false)).isEmpty();
    assertThat(cache.numberOfCompleteRows()).as("one more than the server counts").isEqualTo(1);
  }

  @Test
  void emptyAnswerAfterAWholeRow_countsNothing() throws IOException {
    BatchScanResultCache cache = new BatchScanResultCache(BATCH);

    assertThat(cache.addAndGet(new Result[] {part("a", false, "q1")}, false)).hasSize(1);
    assertThat(cache.addAndGet(new Result[0], false)).isEmpty();

    assertThat(cache.numberOfCompleteRows()).isEqualTo(1);
  }

  private static Result part(String row, boolean mayGoOn, String... qualifiers) {
    Cell[] cells = new Cell[qualifiers.length];
    for (int i = 0; i < cells.length; i++) {
      cells[i] =
          new KeyValue(
              Bytes.toBytes(row),
              Bytes.toBytes("f"),
              Bytes.toBytes(qualifiers[i]),
              1L,
              new byte[0]);
    }
    return Result.create(cells, null, false, mayGoOn);
  }
}
