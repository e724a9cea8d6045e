/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.scan.GatheredParts.Answer;
import io.hbaseindex.client.routing.scan.GatheredParts.Means;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.Scan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Parts of a scan that lie on one server, and the call for them. For the scanner's thread. */
final class GatheredGroup {
  private static final Logger LOG = LoggerFactory.getLogger(GatheredGroup.class);

  private final Means means;
  private final List<Scan> parts = new ArrayList<>();
  private final List<GatheredPiece> waiting = new ArrayList<>();
  private FutureTask<List<Answer>> call;
  private boolean refused;
  private List<Answer> answers;

  GatheredGroup(Means means) {
    this.means = means;
  }

  /** Adds a part; returns its number. */
  int add(Scan part) {
    parts.add(part);
    return parts.size() - 1;
  }

  int size() {
    return parts.size();
  }

  /**
   * Begins the call, unless that was done before.
   *
   * @param limit rows of each part that are wanted at most; no limit if not positive
   * @return whether there was a thread for it
   */
  boolean begin(int limit) {
    if (call == null) {
      parts.forEach(part -> part.setLimit(limit));
      call = new FutureTask<>(() -> means.call().read(parts));
      try {
        means.executor().execute(call);
      } catch (RejectedExecutionException e) {
        LOG.debug("No thread is free: regions are scanned one by one", e);
        refused = true;
      }
    }
    return !refused;
  }

  /** One of the parts, once the call has begun. */
  Piece piece(Scan part, int number, Piece.Opener ordinary) {
    GatheredPiece piece = new GatheredPiece(part, this, number, ordinary);
    if (answers == null) {
      waiting.add(piece);
    } else {
      piece.arrived(answers.get(number));
    }
    return piece;
  }

  /** Waits for the answers, and gives them to the pieces that there are. */
  void await() throws InterruptedIOException {
    if (answers == null) {
      answers = answersOrNothing();
      waiting.forEach(piece -> piece.arrived(answers.get(piece.number())));
      waiting.clear();
    }
  }

  private List<Answer> answersOrNothing() throws InterruptedIOException {
    try {
      return call.get(means.patienceMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      InterruptedIOException interrupted = new InterruptedIOException("Cannot scan: interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } catch (TimeoutException e) {
      means.call().tookTooLong();
      cancel();
      LOG.debug("A server does not answer in time: its regions are scanned one by one", e);
    } catch (ExecutionException | CancellationException e) {
      LOG.debug("Regions are scanned one by one", e);
    }
    return parts.stream().map(any -> Answer.NOTHING).toList();
  }

  /** Nobody waits for the call any more. */
  void cancel() {
    if (call != null) {
      call.cancel(true);
    }
  }
}
