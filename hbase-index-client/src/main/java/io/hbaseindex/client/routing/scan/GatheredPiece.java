/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.scan.GatheredParts.Answer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A part whose first results come with those of other parts; an ordinary scan reads the rest. */
final class GatheredPiece implements Piece {
  private static final Logger LOG = LoggerFactory.getLogger(GatheredPiece.class);

  private final Scan part;
  private final FutureTask<List<Answer>> call;
  private final int number;
  private final Opener ordinary;
  private Answer first;
  private int given;
  private Piece rest;

  /**
   * @param number which of the call's answers is for this part
   * @param ordinary reads what the call does not bring
   */
  GatheredPiece(Scan part, FutureTask<List<Answer>> call, int number, Opener ordinary) {
    this.part = part;
    this.call = call;
    this.number = number;
    this.ordinary = ordinary;
  }

  @Override
  public Result next() throws IOException {
    if (rest != null) {
      return rest.next();
    }
    if (first == null) {
      first = await();
    }
    if (given < first.results().size()) {
      return first.results().get(given++);
    }
    if (first.complete()) {
      return null;
    }
    rest = ordinary.open(remaining(), false);
    return rest.next();
  }

  private Answer await() throws IOException {
    call.run(); // unless another thread has begun it, or done it
    try {
      return call.get().get(number);
    } catch (InterruptedException e) {
      InterruptedIOException interrupted = new InterruptedIOException("Cannot scan: interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InterruptedIOException interrupted) {
        throw interrupted;
      }
      LOG.debug("Regions are scanned one by one", e.getCause());
      return Answer.NOTHING;
    }
  }

  /** What comes behind the results that the call has brought. */
  private Scan remaining() throws IOException {
    Scan remaining = new Scan(part);
    if (given > 0) {
      remaining.withStartRow(first.results().get(given - 1).getRow(), false);
      if (part.getLimit() > 0) {
        remaining.setLimit(part.getLimit() - given);
      }
    }
    return remaining;
  }

  @Override
  public boolean renewLease() {
    return rest == null || rest.renewLease();
  }

  @Override
  public ScanMetrics metrics() {
    return rest == null ? null : rest.metrics();
  }

  @Override
  public void close() {
    if (rest != null) {
      rest.close();
    }
  }
}
