/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.time.Jitter;
import io.hbaseindex.core.time.MachineClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The state machine that speaks to the master for all regions of one region server. One push is
 * under way at a time, and carries everything that has gathered since the one before.
 *
 * <p>It does not send by itself. Whoever owns it calls {@link #poll} after a write, a reply, or the
 * moment {@link #nextDeadline} has named, sends what it returns, and hands the answer to {@link
 * #onReply}. A push that is not answered within {@link LeaseTerms#pushTimeoutNanos} is taken for
 * lost, and what it carried is sent again. The second try comes at once, later ones ever more
 * rarely, as each may occupy a handler of a master that hangs. An answer that comes late is as true
 * as ever of the regions it names, and shows that the master is slow, not away; its token and its
 * credit are not used.
 *
 * <p>What writes wait for goes first. A push that has reached its size limit takes no more parts
 * and pages. The regions take turns in coming first, so a busy one cannot keep the others from
 * being heard. Once per heartbeat all regions are looked at and a push carries their renewals,
 * however many there are; in between only those that something has happened to are, so an idle
 * region costs next to nothing.
 *
 * <p>Parts of whole filters are sent as far as the master has given credit with its last answer,
 * and what is closest to completion goes first. A server that has parts to send and no credit asks
 * for it with its pushes. Credit counts for the next push only, and none is left once that push was
 * lost or another master has answered.
 *
 * <p>Safe for use by many threads; takes the locks of regions while it holds its own, never the
 * other way round.
 */
@InterfaceAudience.Private
public class ServerPublisher {
  /**
   * How much longer than other pauses that of a server with a wrong clock may become: each time it
   * tries, nobody is trusted for a moment.
   */
  private static final int OUT_OF_STEP_RETRIES = 16;

  /**
   * What is known of whether the master answers, whatever it answers.
   *
   * @param heardNanos when an answer was heard last, also one that came late
   * @param lastLossNanos when a push was last taken for lost
   */
  record Pulse(long heardNanos, long lastLossNanos) {
    /** Whether something was heard since the last push was lost. */
    boolean isAnswering() {
      return heardNanos - lastLossNanos > 0;
    }

    Pulse heard(long now) {
      return new Pulse(now, lastLossNanos);
    }

    Pulse lost(long now) {
      return new Pulse(heardNanos, now);
    }
  }

  private final String server;
  private final RegionNumbers numbers;
  private final MachineClock clock;
  private final LeaseTerms terms;
  private final PublishLimits limits;
  private final PublishedRegion.Parts parts;
  private final PagedMemory memory;

  private final Map<Integer, PublishedRegion> regions = new LinkedHashMap<>();

  /** Those for which there may be something to do before the next beat; also changed by them. */
  private final Set<PublishedRegion> busy =
      new ConcurrentSkipListSet<>(Comparator.comparingInt(PublishedRegion::number));

  private long lastPush;
  private int turn;

  private LeaseToken token;
  private long tokenReceivedNanos;

  private boolean underWay;
  private long sentNanos;

  /** No push before this moment: the ones before failed, and so would the next. */
  private long restUntil;

  /** How long to rest if the master says once more that it will take no push. */
  private long nextRefusalRest;

  /** Pushes not answered in time since the last one that was. */
  private int lostInARow;

  private Pulse pulse;

  /** When all regions renew their trust again. */
  private long nextBeat;

  /** When all regions are looked at again, whatever may be sent then. */
  private long lookAtAll;

  /** Bytes of parts that the next push may carry, and when to ask for more if there are none. */
  private long credit;

  private long askAt;

  private final Jitter jitter;

  /** No token is echoed meanwhile: the clocks here and at the master have not kept step. */
  private final RetryPause outOfStep;

  private long outOfStepSince;

  /**
   * A publisher that knows no region yet.
   *
   * @param numbers where the regions get their numbers from; one for all publishers of a server
   * @param memory what the filters of all regions are kept in
   */
  public ServerPublisher(
      String server,
      RegionNumbers numbers,
      MachineClock clock,
      LeaseTerms terms,
      PublishLimits limits,
      PagedMemory memory) {
    this(server, numbers, clock, terms, limits, memory, new PublishedRegion.Parts());
  }

  /** As above, with filters on the Java heap and no bound on them. */
  public ServerPublisher(
      String server,
      RegionNumbers numbers,
      MachineClock clock,
      LeaseTerms terms,
      PublishLimits limits) {
    this(server, numbers, clock, terms, limits, PagedMemory.heap());
  }

  ServerPublisher(
      String server,
      RegionNumbers numbers,
      MachineClock clock,
      LeaseTerms terms,
      PublishLimits limits,
      PagedMemory memory,
      PublishedRegion.Parts parts) {
    this.server = server;
    this.numbers = numbers;
    this.clock = clock;
    this.terms = terms;
    this.limits = limits;
    this.memory = memory;
    this.parts = parts;
    this.restUntil = clock.monotonicNanos();
    this.nextBeat = restUntil;
    this.lookAtAll = restUntil;
    this.askAt = restUntil;
    this.jitter = new Jitter(server.hashCode());
    this.outOfStep =
        new RetryPause(
            limits.retryNanos(), OUT_OF_STEP_RETRIES * limits.maxRetryNanos(), jitter, restUntil);
    this.outOfStepSince = restUntil;
    this.nextRefusalRest = limits.retryNanos();
    this.pulse = new Pulse(restUntil, restUntil);
  }

  /** A region has just opened on this server. */
  public PublishedRegion open(RegionIncarnation incarnation, FilterGeometry geometry) {
    return open(incarnation, geometry, clock.monotonicNanos());
  }

  /**
   * A region has opened on this server.
   *
   * @param openedNanos when that was: by now the trust in earlier incarnations may be over
   */
  public synchronized PublishedRegion open(
      RegionIncarnation incarnation, FilterGeometry geometry, long openedNanos) {
    int number = numbers.next();
    RegionFilter filter = parts.filter(geometry, memory);
    RegionPublisher publisher =
        parts.publisher(number, incarnation, filter, terms, limits, openedNanos);
    PublishedRegion region = new PublishedRegion(number, clock, filter, publisher, busy);
    if (token != null) {
      region.heardFrom(token.master(), clock.monotonicNanos());
    }
    regions.put(number, region);
    busy.add(region);
    return region;
  }

  /** Forgets a region that has been released, and gives its memory back. */
  public synchronized void forget(PublishedRegion region) {
    regions.remove(region.number());
    region.close();
  }

  /** The next push, if there is something to say and nothing under way. */
  public synchronized Optional<Push> poll() {
    long now = clock.monotonicNanos();
    tick(now);
    if (underWay || now - restUntil < 0) {
      return Optional.empty();
    }
    LeaseToken echoed = outOfStep.isOver(now) ? token : null;
    PushBuilder builder =
        new PushBuilder(
            echoed,
            tokenReceivedNanos,
            now,
            limits.pushBytes(),
            now - nextBeat >= 0,
            echoed == null ? 0 : credit);
    inTurn(builder.isBeat() ? regions.values() : busy)
        .forEach(region -> region.collect(builder, now));
    boolean partsAreLeft = echoed != null && collectParts(builder, now);
    if (builder.isBeat()) {
      nextBeat = now + terms.heartbeatNanos();
    }
    boolean asks = partsAreLeft && credit == 0 && now - askAt >= 0;
    if (builder.size() == 0 && !asks) {
      return Optional.empty();
    }
    underWay = true;
    sentNanos = now;
    return Optional.of(builder.build(server, ++lastPush, partsAreLeft));
  }

  /** Adds parts of whole filters, the smallest rest first; returns whether some are left. */
  private boolean collectParts(PushBuilder builder, long now) {
    if (builder.takesParts()) {
      List<StagingRest> rests = new ArrayList<>();
      busy.forEach(region -> rests.add(new StagingRest(region, region.bytesToStage(now))));
      rests.sort(Comparator.comparingLong(StagingRest::bytes));
      for (StagingRest rest : rests) {
        if (builder.takesParts()) {
          rest.region.collectParts(builder, now);
        }
      }
    }
    long left = 0;
    for (PublishedRegion region : busy) {
      left += region.bytesToStage(now);
    }
    return left > builder.parts();
  }

  private record StagingRest(PublishedRegion region, long bytes) {}

  /**
   * As {@link #poll}, for those who only have something to add: while a push is under way they are
   * spared the look at what there is, which whoever waits for the answer takes.
   */
  public synchronized Optional<Push> pollIfIdle() {
    return underWay ? Optional.empty() : poll();
  }

  /** The answer to a push has arrived. */
  public synchronized void onReply(PushReply reply) {
    long now = clock.monotonicNanos();
    boolean sameMaster = token != null && token.master() == reply.token().master();
    if (!underWay || reply.number() != lastPush) {
      if (sameMaster) {
        pulse = pulse.heard(now);
        tellRegions(reply, now);
      }
      return;
    }
    underWay = false;
    lostInARow = 0;
    nextRefusalRest = limits.retryNanos();
    pulse = pulse.heard(now);
    token = reply.token();
    tokenReceivedNanos = now;
    credit = creditAfter(reply, credit);
    askAt = now + jitter.lengthen(reply.credit().askAfterNanos());
    if (reply.inStep()) {
      outOfStep.preciseSince(outOfStepSince, now);
    } else {
      outOfStep.begin(OpenReason.UNCONFIRMED_CLOCK, now);
      outOfStepSince = now;
    }
    if (!sameMaster) {
      regions.values().forEach(region -> region.heardFrom(token.master(), now));
    }
    tellRegions(reply, now);
  }

  private void tellRegions(PushReply reply, long now) {
    for (RegionReply answer : reply.replies()) {
      PublishedRegion region = regions.get(answer.region());
      if (region != null) {
        region.onReply(answer, reply.senior(), now);
      }
    }
    tick(now);
  }

  /** The credit that an answer leaves, whatever there was before: it is this master's alone. */
  long creditAfter(PushReply reply, long before) {
    return reply.credit().bytes();
  }

  /**
   * The push under way has failed. That says nothing about whether the master has received it. The
   * next one is sent no sooner than if this one had not been answered.
   */
  public synchronized void onPushFailed(long number) {
    if (underWay && number == lastPush) {
      loseTrack(clock.monotonicNanos());
      restUntil = Horizon.later(restUntil, sentNanos + terms.pushTimeoutNanos());
    }
  }

  /**
   * The master has not looked at the push under way, because it is busy with others. Another one is
   * sent after the pause that it asks for, but within a lease.
   */
  public synchronized void onPushBusy(long number, long pauseNanos) {
    if (underWay && number == lastPush) {
      long now = clock.monotonicNanos();
      underWay = false;
      pulse = pulse.heard(now);
      loseCredit(now);
      restUntil = Horizon.later(restUntil, now + Math.min(pauseNanos, terms.leaseNanos()));
    }
  }

  /**
   * The master has refused the push under way in a way that the next one would meet too: it does
   * not take pushes at all, or none from here. It is asked ever more rarely, down to once in {@link
   * PublishLimits#maxRetryNanos}.
   */
  public synchronized void onPushRefused(long number) {
    if (underWay && number == lastPush) {
      loseTrack(clock.monotonicNanos());
      restUntil = Horizon.later(restUntil, sentNanos + jitter.lengthen(nextRefusalRest));
      nextRefusalRest = Math.min(2 * nextRefusalRest, limits.maxRetryNanos());
    }
  }

  /**
   * This server has stood still until now, for example to collect garbage, and may not have heard
   * what was answered meanwhile. That is no reason to take the master for away.
   */
  public synchronized void stoodStill() {
    pulse = pulse.heard(clock.monotonicNanos());
  }

  /** When {@link #poll} should be called again even if nothing happens until then. */
  public synchronized long nextDeadline() {
    long now = clock.monotonicNanos();
    long next = now + terms.heartbeatNanos();
    if (underWay) {
      next = sentNanos + terms.pushTimeoutNanos();
    } else if (now - restUntil < 0) {
      next = restUntil;
    } else if (!outOfStep.isOver(now)) {
      // What waits for a token to be echoed would have it polled for without end.
      next = Horizon.earlier(outOfStep.until(), now + terms.pushTimeoutNanos());
    } else {
      next = Horizon.earlier(next, nextBeat);
      for (PublishedRegion region : busy) {
        next = region.nextSending(next, now);
        if (region.bytesToStage(now) > 0) {
          next = Horizon.earlier(next, credit > 0 ? now : askAt);
        }
      }
    }
    for (PublishedRegion region : busy) {
      next = region.nextDeadline(next, now);
    }
    return next;
  }

  /** How the regions of this server stand, in no particular order. */
  public synchronized List<RegionPublishStatus> statuses() {
    return regions.values().stream().map(PublishedRegion::status).toList();
  }

  private void tick(long now) {
    if (underWay && now - sentNanos >= terms.pushTimeoutNanos()) {
      loseTrack(now);
    }
    boolean all = now - lookAtAll >= 0;
    if (all) {
      lookAtAll = now + terms.heartbeatNanos();
    }
    (all ? regions.values() : busy).forEach(region -> region.tick(now, pulse));
  }

  private void loseTrack(long now) {
    underWay = false;
    lostInARow++;
    pulse = pulse.lost(now);
    restUntil = now + jitter.lengthen(terms.restAfterLossNanos(lostInARow));
    loseCredit(now);
    regions.values().forEach(region -> region.pushLost(now));
  }

  private void loseCredit(long now) {
    credit = 0;
    askAt = now;
  }

  private List<PublishedRegion> inTurn(Collection<PublishedRegion> some) {
    List<PublishedRegion> ordered = new ArrayList<>(some);
    if (!ordered.isEmpty()) {
      turn = (turn + 1) % ordered.size();
      Collections.rotate(ordered, -turn);
    }
    return ordered;
  }
}
