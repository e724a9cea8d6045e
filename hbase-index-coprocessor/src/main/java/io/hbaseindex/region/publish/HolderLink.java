/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.time.MachineClock;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from this server to one holder of filters: carries the pushes of a {@link
 * ServerPublisher} there, and the answers back. Never waits, and never throws but errors.
 */
final class HolderLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HolderLink.class);

  private final ServerPublisher publisher;
  private final PushTransport transport;
  private final MachineClock clock;
  private final LeaseTerms terms;
  private final PublishMetrics metrics;
  private final Runnable answered;
  private final AtomicBoolean refusalLogged = new AtomicBoolean();

  /**
   * @param answered is told whenever a push was answered or has failed
   */
  HolderLink(
      ServerPublisher publisher,
      PushTransport transport,
      MachineClock clock,
      LeaseTerms terms,
      PublishMetrics metrics,
      Runnable answered) {
    this.publisher = publisher;
    this.transport = transport;
    this.clock = clock;
    this.terms = terms;
    this.metrics = metrics;
    this.answered = answered;
  }

  ServerPublisher publisher() {
    return publisher;
  }

  PushTransport transport() {
    return transport;
  }

  /** Sends what there is to say, unless a push is under way. */
  void send() {
    publisher.poll().ifPresent(this::send);
  }

  /** As {@link #send()}, for those who only have something to add. */
  void sendIfIdle() {
    publisher.pollIfIdle().ifPresent(this::send);
  }

  private void send(Push push) {
    metrics.pushed(push.messages().size());
    long sent = clock.monotonicNanos();
    try {
      transport
          .send(push)
          .thenApply(this::requireSameLease)
          .whenComplete((reply, failure) -> answered(push, sent, reply, failure));
    } catch (RuntimeException e) {
      LOG.error("Cannot send push {}", push.number(), e);
      answered(push, sent, null, e);
    }
  }

  /** No trust is asked for by a token that was not accepted, so none can outlast a wrong lease. */
  private PushReply requireSameLease(PushReply reply) {
    if (reply.leaseNanos() != terms.leaseNanos()) {
      throw new CompletionException(
          new PushRefusedException(
              "Cannot publish filters: the lease of this server is %d ms, that of the holder %d ms; set %s to the same value on all servers and masters"
                  .formatted(
                      TimeUnit.NANOSECONDS.toMillis(terms.leaseNanos()),
                      TimeUnit.NANOSECONDS.toMillis(reply.leaseNanos()),
                      IndexSettings.PUBLISH_LEASE_MS),
              null));
    }
    return reply;
  }

  private void answered(Push push, long sentNanos, PushReply reply, Throwable failure) {
    try {
      takeIn(push, sentNanos, reply, failure);
    } catch (RuntimeException e) {
      // Nobody looks at what this throws; the push counts as lost when its time is over.
      LOG.error("Cannot take in the answer to push {}", push.number(), e);
    }
    answered.run();
  }

  private void takeIn(Push push, long sentNanos, PushReply reply, Throwable failure) {
    if (failure == null) {
      refused(false, null);
      metrics.answered(reply, clock.monotonicNanos() - sentNanos);
      publisher.onReply(reply);
    } else if (refusal(failure) != null) {
      metrics.pushFailed(PushFailure.REFUSED);
      refused(true, refusal(failure));
      publisher.onPushRefused(push.number());
    } else if (PushFailure.of(failure) == PushFailure.BUSY) {
      metrics.pushFailed(PushFailure.BUSY);
      publisher.onPushBusy(
          push.number(), PushFailure.pauseNanos(failure, terms.pushTimeoutNanos()));
    } else {
      metrics.pushFailed(PushFailure.of(failure));
      LOG.debug(
          "Push {} failed; its regions are heard again with the next", push.number(), failure);
      publisher.onPushFailed(push.number());
    }
  }

  private static PushRefusedException refusal(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof PushRefusedException refusal ? refusal : null;
  }

  /** Logs that pushes are refused, and that they no longer are, once each time it changes. */
  private void refused(boolean now, PushRefusedException why) {
    boolean before = refusalLogged.getAndSet(now);
    if (now && !before) {
      LOG.warn("{}. Until then queries are right, but visit all regions", why.getMessage());
    } else if (before && !now) {
      LOG.info("The filters of this server are taken again");
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
