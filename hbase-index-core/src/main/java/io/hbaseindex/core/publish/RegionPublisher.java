/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.ReleaseRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.time.Jitter;

/**
 * The state machine that decides when a write of one region may be acknowledged: not while any
 * master may exclude the written key by a filter that lacks the write.
 *
 * <p>The region is <em>precise</em> or <em>open</em>. While precise, a generation of its filter is
 * at the master, the master may trust it, and a write waits until the master has confirmed the page
 * that holds the last bit set at the time of the write. While open, nothing is sent for a write,
 * and it waits only until no trust of earlier times can be left, of which {@link RemainingTrust}
 * keeps account.
 *
 * <p>The region becomes precise by staging its whole filter at the master, part by part, and then
 * renewing its trust in a push that brings the master up to the last bit set. It does so only when
 * no earlier trust can be left, so that every write of the time before has been settled. A filter
 * that has been rebuilt is staged beside the one that is trusted, and takes its place in the same
 * way.
 *
 * <p>Where changes come faster than pages carry them, the region is <em>outrun</em>: no page is
 * sent any more and no trust renewed, a snapshot of the filter is staged beside what is trusted,
 * and takes its place; writes wait for that.
 *
 * <p>Trust is not renewed while a write has waited for longer than the patience, so that the wait
 * ends with the trust at the latest. A master that answers nobody meanwhile is away, and the region
 * gives up; one that answers others is given as much time again.
 *
 * <p>Giving up is one step: whatever was in flight, confirmed or staged is abandoned, and later
 * generations have higher numbers. The master forgets abandoned generations for good, so no message
 * that is late can bring them back.
 *
 * <p>One caller at a time.
 */
class RegionPublisher {
  /** Pushes that may be lost one after another before a filter stops being staged. */
  private static final int STAGING_ATTEMPTS = 3;

  private final int region;
  private final RegionIncarnation incarnation;
  private final RegionFilter filter;
  private final LeaseTerms terms;
  private final PublishLimits limits;

  private final RemainingTrust trust;
  private final RetryPause pause;

  private boolean masterKnown;
  private long master;
  private boolean announced;

  /**
   * The generation that writes wait for, and the one that shall follow it; null if there is none.
   */
  private PublishedGeneration precise;

  private PublishedGeneration staging;

  private long lastGeneration;
  private long abandoned;

  /** What the present master has confirmed, and what no write has to wait for any more. */
  private WriteTicket confirmed = WriteTicket.NONE;

  private WriteTicket settled = WriteTicket.NONE;

  private OpenReason reason = OpenReason.NOT_READY;
  private boolean trusted;
  private boolean tellOpen;
  private int lostInARow;
  private boolean releasing;
  private boolean released;
  private long preciseSince;

  /** Whether the master has yet to confirm that it answers by the present generation. */
  private boolean takingOver;

  private long takingOverSince;

  /** Whether what is trusted stays as it is until what is staged takes its place. */
  private boolean outrun;

  private long outrunSince;
  private long announceAt;
  private ServerPublisher.Pulse pulse;

  RegionPublisher(
      int region,
      RegionIncarnation incarnation,
      RegionFilter filter,
      RemainingTrust trust,
      LeaseTerms terms,
      PublishLimits limits,
      long now) {
    this.region = region;
    this.incarnation = incarnation;
    this.filter = filter;
    this.trust = trust;
    this.terms = terms;
    this.limits = limits;
    Jitter jitter = new Jitter(31L * incarnation.encodedName().hashCode() + region);
    this.pause = new RetryPause(limits.retryNanos(), limits.maxRetryNanos(), jitter, now);
    this.announceAt = now;
    this.pulse = new ServerPublisher.Pulse(now, now);
  }

  // ---- writes ----

  /** What a write has to wait for whose filter step is done: bits, or only bounds. */
  WriteTicket ticket(boolean onlyBounds, long now) {
    boundLogs(now);
    if (precise == null) {
      return WriteTicket.through(abandoned);
    }
    PublishedGeneration awaited = outrun ? awaitedWhileOutrun(precise, staging) : precise;
    if (awaited == null) {
      return new WriteTicket(lastGeneration + 1, 0);
    }
    return onlyBounds ? awaited.ticketOfBounds(now) : awaited.ticket(now);
  }

  /** What is trusted gets no changes any more: a write waits for what is staged, or will be. */
  PublishedGeneration awaitedWhileOutrun(PublishedGeneration trusted, PublishedGeneration staged) {
    return staged;
  }

  /** Whether the write that has this ticket may be acknowledged. Once true it stays true. */
  boolean isSettled(WriteTicket ticket, long now) {
    settle(now);
    return ticket.compareTo(settled) <= 0;
  }

  /** Whether no master can exclude a key of this region. */
  boolean isOpenEverywhere(long now) {
    return precise == null && trust.hasNoOwn(now) && trust.hasNoneBefore(now);
  }

  private void settle(long now) {
    if (!trust.hasNoneBefore(now)) {
      return;
    }
    settled = settled.orLater(confirmed);
    if (precise == null && trust.hasNoOwn(now)) {
      settled = settled.orLater(WriteTicket.through(abandoned));
    }
  }

  // ---- time and pressure ----

  /** Time has passed: a region that has made a write wait for too long gives up. */
  void tick(long now, ServerPublisher.Pulse latest) {
    pulse = latest;
    boundLogs(now);
    if (precise != null && now - giveUpAt(now) >= 0) {
      giveUp(OpenReason.SLOW_MASTER, now);
    }
    if (precise != null) {
      pause.preciseSince(preciseSince, now);
    }
    settle(now);
  }

  private long longestWait(long now) {
    if (outrun) {
      return now - outrunSince;
    }
    long since = precise.log().earliestAwait(now);
    return now - (takingOver && takingOverSince - since < 0 ? takingOverSince : since);
  }

  /** When the region gives up, if nothing is confirmed until then. */
  private long giveUpAt(long now) {
    long since = now - longestWait(now);
    if (outrun) {
      return since + terms.patienceNanos(); // nothing can take over any more
    }
    long away = later(since, pulse.heardNanos()) + terms.patienceNanos();
    return earlier(away, since + terms.longestPatienceNanos());
  }

  /** Whether trust may be renewed without making a write wait for longer than a lease. */
  private boolean mayRenew(long now) {
    return longestWait(now) < terms.patienceNanos();
  }

  private void boundLogs(long now) {
    if (precise != null && !outrun && precise.log().bytes() > limits.logBytes()) {
      outrunSince = now - longestWait(now);
      outrun = true;
      precise.filter().stopRecording();
      precise.log().clear();
    }
    if (staging != null && staging.log().bytes() > bound(staging)) {
      if (outrun) {
        dropStaging(); // and stages it once more, as it is then
      } else {
        stopStaging(OpenReason.TOO_MANY_CHANGES, now);
      }
    }
  }

  /** Beyond this it costs less to send the filter once more. */
  private long bound(PublishedGeneration generation) {
    return Math.max(limits.logBytes(), generation.filter().planeBytes());
  }

  /** A push was not answered in time; a whole filter is too much for a master that is so slow. */
  void pushLost(long now) {
    lostInARow++;
    if (staging != null && lostInARow >= STAGING_ATTEMPTS) {
      lostInARow = 0;
      stopStaging(OpenReason.SLOW_MASTER, now);
    }
  }

  /** The next moment, not after the given one, at which a wait ends by time alone. */
  long nextDeadline(long other, long now) {
    long next = trust.earlierOf(other, now);
    return precise == null ? next : earlier(next, giveUpAt(now));
  }

  /** The next moment, not after the given one, at which there is something to send. */
  long nextSending(long other, long now) {
    if (hasWork(now)) {
      return now;
    }
    if (released) {
      return other;
    }
    if (!announced) {
      return releasing ? other : earlier(other, announceAt);
    }
    return !outrun && mayStage() && !pause.isOver(now, pulse)
        ? earlier(other, pause.until(pulse))
        : other;
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  private static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }

  /** The region is open from now on, and stays so until it has a complete filter again. */
  void suspend(long now) {
    filter.suspend();
    giveUp(OpenReason.SUSPENDED, now);
  }

  /** The region has no complete filter, for the given reason; it is open until it has one. */
  void withoutFilter(OpenReason why, long now) {
    if (precise != null || staging != null) {
      giveUp(why, now);
    } else {
      reason = why; // whatever it was given up for before
    }
  }

  /** Becomes open in one step, with everything that is in flight. */
  void giveUp(OpenReason why, long now) {
    settle(now);
    if (precise != null) {
      precise.filter().stopRecording();
      precise = null;
      tellOpen = true;
    }
    trusted = false;
    takingOver = false;
    if (outrun) {
      outrun = false;
      lastGeneration++; // some may wait for what was to be staged next
    }
    abandoned = lastGeneration;
    stopStaging(why, now);
  }

  private void stopStaging(OpenReason why, long now) {
    if (outrun) {
      giveUp(why, now); // there is nothing else that writes could wait for
      return;
    }
    dropStaging();
    if (precise == null) {
      reason = why;
      abandoned = lastGeneration;
    }
    pause.begin(why, now);
    releaseOldFilters();
  }

  private void dropStaging() {
    if (staging != null) {
      staging.filter().stopRecording();
      staging = null;
    }
  }

  private void releaseOldFilters() {
    filter.retain(
        precise == null ? null : precise.filter(), staging == null ? null : staging.filter());
  }

  // ---- closing ----

  /** The region is closing: its trust shall end. */
  void release(long now) {
    if (!releasing) {
      giveUp(OpenReason.CLOSING, now);
      releasing = true;
    }
  }

  /** Whether the close may complete: nobody trusts this incarnation any more. */
  boolean isReleased(long now) {
    return releasing && trust.hasNoneInIncarnation(now);
  }

  // ---- sending ----

  /** Whether something should be sent at once, parts of a whole filter aside. */
  boolean hasWork(long now) {
    if (released) {
      return false;
    }
    if (!announced) {
      return now - announceAt >= 0 && !releasing;
    }
    if (releasing || tellOpen || takingOver && mayRenew(now)) {
      return true;
    }
    if (precise != null && (precise.log().hasUnconfirmedSet() || precise.log().hasCutPage())) {
      return true;
    }
    return staging != null && staging.isStaged() && mayTakeOver(now);
  }

  /** Adds to a push what the master has to be told, but for the parts of a whole filter. */
  void collect(PushBuilder push, long now) {
    if (released || !push.isBeat() && !hasWork(now)) {
      return;
    }
    if (releasing) {
      if (announced) {
        push.add(new ReleaseRegion(region));
      }
      return;
    }
    if (!announced) {
      if (now - announceAt >= 0) {
        push.add(new OpenRegion(region, incarnation, abandoned));
      }
      return;
    }
    if (precise == null) {
      push.add(new StayOpen(region, abandoned, staging == null ? reason : OpenReason.PUBLISHING));
    } else if (!outrun && precise.addPages(region, push)) {
      renew(push, now);
    }
    if (staging != null && staging.isStaged()) {
      collectStaged(push, now);
    }
  }

  /** Bytes of a whole filter that the master has yet to be sent; 0 if none is to be staged now. */
  long bytesToStage(long now) {
    if (staging != null) {
      return announced ? staging.bytesToStage() : 0;
    }
    boolean isTime = outrun || pause.isOver(now, pulse);
    return mayStage() && isTime ? filter.newest().planeBytes() : 0;
  }

  /** Adds parts of a whole filter to a push; begins to stage it if that has not happened yet. */
  void collectParts(PushBuilder push, long now) {
    if (bytesToStage(now) > 0) {
      if (staging == null) {
        startStaging();
      }
      staging.addChunks(region, push);
    }
  }

  private boolean mayStage() {
    RecordedFilter newest = filter.newest();
    return announced
        && !releasing
        && staging == null
        && newest != null
        && !newest.coverage().isEmpty()
        && (precise == null || outrun || precise.filter() != newest);
  }

  private void startStaging() {
    staging = publication(++lastGeneration, filter.newest());
    releaseOldFilters();
  }

  /** Begins a generation of a filter. */
  PublishedGeneration publication(long generation, RecordedFilter from) {
    return new PublishedGeneration(generation, from, newLog(), limits.chunkBytes());
  }

  /** The log that a generation's changes are kept in. */
  ChangeLog newLog() {
    return new ChangeLog(limits.pageBytes());
  }

  private void collectStaged(PushBuilder push, long now) {
    boolean upToDate = staging.addPages(region, push);
    if (upToDate && push.echoes(master) && mayTakeOver(now)) {
      takeOver(now);
      renew(push, now);
    }
  }

  private boolean mayTakeOver(long now) {
    return precise == null ? isOpenEverywhere(now) : mayRenew(now);
  }

  /**
   * What is staged becomes what writes wait for. The writes that still waited for the generation
   * before wait for it, too: until the master has taken the step they cannot know which one it
   * uses.
   */
  private void takeOver(long now) {
    settle(now);
    takingOver = true;
    takingOverSince = precise == null ? now : now - longestWait(now);
    if (precise == null) {
      preciseSince = now;
    } else if (precise.filter() != staging.filter()) {
      precise.filter().stopRecording();
    }
    outrun = false;
    precise = staging;
    staging = null;
    releaseOldFilters();
  }

  private void renew(PushBuilder push, long now) {
    if (push.echoes(master) && mayRenew(now)) {
      note(push, precise.generation());
      push.add(new RenewTrust(region, precise.generation(), precise.log().lastSet()));
    }
  }

  /** Takes into account that a push asks for trust in a generation. */
  void note(PushBuilder push, long generation) {
    trust.renewed(generation, push.tokenReceivedNanos());
  }

  // ---- hearing ----

  /** A push was answered by the given master. */
  void heardFrom(long incarnation, long now) {
    if (masterKnown && incarnation == master) {
      return;
    }
    if (masterKnown) {
      giveUp(OpenReason.NEW_MASTER, now);
      trust.changeMaster();
    }
    masterKnown = true;
    master = incarnation;
    announced = false;
    announceAt = now;
    tellOpen = false;
  }

  /** The present master has answered a message. */
  void onReply(RegionReply reply, boolean senior, long now) {
    lostInARow = 0;
    switch (reply.verdict()) {
      case OPEN -> onOpen(reply, senior, now);
      case STAGED -> {
        if (isFor(staging, reply)) {
          staging.confirmStaged(reply.position());
        }
      }
      case UNSTAGED -> {
        if (isFor(staging, reply)) {
          stopStaging(reply.reason(), now);
        }
      }
      case PREPARED -> onPrepared(reply);
      case APPLIED, TRUSTED -> onApplied(reply);
      case STALE -> {}
      case FENCED -> {
        giveUp(OpenReason.FENCED, now);
        announced = false;
        announceAt = now + terms.fenceNanos();
      }
      case UNKNOWN -> {
        giveUp(OpenReason.LOST, now);
        announced = false;
        announceAt = now;
      }
      case RELEASED -> {
        giveUp(OpenReason.CLOSING, now);
        if (releasing) {
          released = true;
          trust.released();
        }
        announced = false;
        announceAt = now + terms.fenceNanos();
      }
    }
    settle(now);
  }

  private void onOpen(RegionReply reply, boolean senior, long now) {
    announced = true;
    if (precise != null && reply.generation() >= precise.generation()) {
      giveUp(reply.reason(), now);
    }
    if (staging != null && reply.generation() >= staging.generation()) {
      stopStaging(reply.reason(), now);
    }
    if (precise == null && trust.endThrough(reply.generation(), senior)) {
      tellOpen = false;
    }
  }

  /**
   * The master has the pages, but answers by an older generation, if by any. That is no
   * confirmation, also not of a generation that has taken over here: the push that said so may have
   * been lost.
   */
  private void onPrepared(RegionReply reply) {
    if (isFor(precise, reply)) {
      precise.log().confirm(reply.position());
    } else if (isFor(staging, reply)) {
      staging.log().confirm(reply.position());
    }
  }

  private void onApplied(RegionReply reply) {
    if (isFor(precise, reply)) {
      precise.log().confirm(reply.position());
      takingOver = false;
      trusted = reply.verdict() == RegionReply.Verdict.TRUSTED;
      confirmed = confirmed.orLater(new WriteTicket(reply.generation(), reply.position()));
    }
  }

  private static boolean isFor(PublishedGeneration publication, RegionReply reply) {
    return publication != null && publication.generation() == reply.generation();
  }

  // ---- what others may ask ----

  RegionIncarnation incarnation() {
    return incarnation;
  }

  /** How the region stands. */
  RegionPublishStatus status(long now) {
    return new RegionPublishStatus(
        precise != null,
        precise != null && trusted,
        precise == null ? reason : null,
        lastGeneration,
        precise == null ? 0 : precise.log().bytes(),
        precise == null ? 0 : longestWait(now));
  }
}
