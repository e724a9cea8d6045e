/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.core.format.MalformedBlobException;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a bounded number of calls of one kind be answered at the same time, lets a bounded number
 * wait for their turn for a bounded moment, and refuses the others at once. So some of the master's
 * handlers are always free for HBase itself: a call that waits holds one, too. Counts what is
 * refused, and lets nothing but an {@link IOException} out: HBase would abort the master on
 * anything else.
 */
final class CallGate {
  private static final Logger LOG = LoggerFactory.getLogger(CallGate.class);

  /** What is done for one call. */
  interface Work<T> {
    T run() throws IOException;
  }

  private final String what;
  private final int limit;
  private final long waitNanos;

  /** One permit for each call that may be answered or wait, and one for each that is answered. */
  private final Semaphore entrance;

  private final Semaphore places;
  private final Consumer<Refusal> refused;

  /**
   * A gate where nobody waits.
   *
   * @param what what the calls want, as in "Cannot …"
   * @param limit how many are answered at the same time
   * @param refused is told of each refusal
   */
  CallGate(String what, int limit, Consumer<Refusal> refused) {
    this(what, limit, 0, 0, refused);
  }

  /**
   * A gate where calls may wait for their turn, first come first served.
   *
   * @param waiting how many wait at the same time
   * @param waitNanos how long a call waits before it is refused
   */
  CallGate(String what, int limit, int waiting, long waitNanos, Consumer<Refusal> refused) {
    if (limit < 1) {
      throw new IllegalArgumentException(
          "Cannot " + what + ": the limit of calls was " + limit + "; it must be positive");
    }
    this.what = what;
    this.limit = limit;
    this.waitNanos = waitNanos;
    this.entrance = new Semaphore(limit + waiting);
    this.places = new Semaphore(limit, true);
    this.refused = refused;
  }

  /** Answers one call, or refuses it. */
  <T> T pass(Work<T> work) throws IOException {
    if (!enter()) {
      refused.accept(Refusal.BUSY);
      throw new CallQueueTooBigException(
          "Cannot " + what + ": " + limit + " such calls are being answered; ask again later");
    }
    try {
      return work.run();
    } catch (AccessDeniedException e) {
      refused.accept(Refusal.DENIED);
      throw e;
    } catch (MalformedBlobException e) {
      refused.accept(Refusal.MALFORMED);
      throw new DoNotRetryIOException(e.getMessage(), e);
    } catch (CallRefusedException e) {
      refused.accept(e.reason());
      throw new DoNotRetryIOException(e.getMessage(), e);
    } catch (IOException e) {
      refused.accept(Refusal.FAILED);
      throw e;
    } catch (RuntimeException e) {
      refused.accept(Refusal.FAILED);
      LOG.error("Cannot {}", what, e);
      throw new DoNotRetryIOException("Cannot " + what + ": " + e, e);
    } finally {
      places.release();
      entrance.release();
    }
  }

  /** How many calls wait for their turn, about. */
  int waiting() {
    return places.getQueueLength();
  }

  private boolean enter() {
    if (!entrance.tryAcquire()) {
      return false;
    }
    boolean entered = false;
    try {
      entered = places.tryAcquire(waitNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // HBase ends its handler; the call is refused
    } finally {
      if (!entered) {
        entrance.release();
      }
    }
    return entered;
  }
}
