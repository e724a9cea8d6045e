/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.scan.GatheredParts.Answer;
import io.hbaseindex.client.routing.scan.GatheredParts.Means;
import io.hbaseindex.client.routing.source.BoundedWait;
import io.hbaseindex.client.routing.source.RouteFailure;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.Scan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parts of a scan that lie on one server, and the call for them. The call may begin on another
 * thread; all else is for the scanner's.
 */
final class GatheredGroup {
  private static final Logger LOG = LoggerFactory.getLogger(GatheredGroup.class);

  private final Means means;
  private final List<Scan> parts = new ArrayList<>();
  private final List<GatheredPiece> waiting = new ArrayList<>();
  private CompletableFuture<List<Answer>> call;
  private CompletableFuture<List<Answer>> bounded;
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
   */
  void begin(int limit) {
    if (call == null) {
      parts.forEach(part -> part.setLimit(limit));
      call = means.call().read(parts);
    }
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

  /** What comes for one of the parts, once the call has begun. It comes in any case. */
  CompletableFuture<Answer> answer(int number) {
    if (bounded == null) {
      bounded =
          BoundedWait.of(call, means.patienceMillis())
              .exceptionally(error -> nothing(RouteFailure.causeOf(error)));
    }
    return bounded.thenApply(all -> all.get(number));
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
    } catch (ExecutionException e) {
      return nothing(e.getCause());
    } catch (TimeoutException | CancellationException e) {
      return nothing(e);
    }
  }

  private List<Answer> nothing(Throwable error) {
    if (error instanceof TimeoutException) {
      means.call().tookTooLong();
      cancel();
    }
    LOG.debug("Regions are scanned one by one", error);
    return parts.stream().map(any -> Answer.NOTHING).toList();
  }

  /** Nobody waits for the call any more; what the server reads for it is bounded. */
  void cancel() {
    if (call != null) {
      call.cancel(true);
    }
  }
}
