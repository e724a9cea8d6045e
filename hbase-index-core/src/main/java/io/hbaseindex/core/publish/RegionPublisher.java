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
 * and takes its place; writes wait for that. {@link WritePatience} says for how long.
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
  private final Settlement settlement;
  private final RetryPause pause;
  private final WritePatience patience;
  private final MasterContact contact;

  /** The generation that writes wait for, and the one that shall follow it; null if none. */
  private PublishedGeneration precise;

  private PublishedGeneration staging;
  private long lastGeneration;
  private long abandoned;
  private OpenReason reason = OpenReason.NOT_READY;
  private boolean trusted;
  private boolean tellOpen;
  private int lostInARow;
  private boolean releasing;
  private boolean released;
  private long preciseSince;

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
    this.settlement = new Settlement(trust);
    this.terms = terms;
    this.limits = limits;
    Jitter jitter = new Jitter(31L * incarnation.encodedName().hashCode() + region);
    this.pause = new RetryPause(limits.retryNanos(), limits.maxRetryNanos(), jitter, now);
    this.patience = new WritePatience(terms, now);
    this.contact = new MasterContact(now);
  }

  // ---- writes ----

  /** What a write has to wait for whose filter step is done: bits, or only bounds. */
  WriteTicket ticket(boolean onlyBounds, long now) {
    boundLogs(now);
    if (precise == null) {
      return WriteTicket.through(abandoned);
    }
    PublishedGeneration awaited =
        patience.isOutrun() ? awaitedWhileOutrun(precise, staging) : precise;
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
    return settlement.includes(ticket);
  }

  /** Whether no master can exclude a key of this region. */
  boolean isOpenEverywhere(long now) {
    return precise == null && trust.hasNoOwn(now) && trust.hasNoneBefore(now);
  }

  private void settle(long now) {
    settlement.settle(precise == null ? WriteTicket.through(abandoned) : WriteTicket.NONE, now);
  }

  // ---- time and pressure ----

  /** Time has passed: a region that has made a write wait for too long gives up. */
  void tick(long now, ServerPublisher.Pulse latest) {
    patience.feel(latest);
    boundLogs(now);
    if (precise != null && now - patience.giveUpAt(precise.log(), now) >= 0) {
      giveUp(OpenReason.SLOW_MASTER, now);
    }
    if (precise != null) {
      pause.preciseSince(preciseSince, now);
    }
    settle(now);
  }

  /** Whether trust may be renewed; asked of a region that is precise. */
  private boolean mayRenew(long now) {
    return patience.mayRenew(precise.log(), now);
  }

  private void boundLogs(long now) {
    boolean writtenTo = precise != null && !patience.isOutrun();
    if (writtenTo && precise.log().bytes() > limits.logBytes()) {
      patience.outrun(precise.log(), now);
      precise.filter().stopRecording();
      precise.log().clear();
    }
    if (staging != null && staging.log().bytes() > staging.logBound(limits)) {
      if (patience.isOutrun()) {
        dropStaging(); // and stages it once more, as it is then
      } else {
        stopStaging(OpenReason.TOO_MANY_CHANGES, now);
      }
    }
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
    return precise == null ? next : Horizon.earlier(next, patience.giveUpAt(precise.log(), now));
  }

  /** The next moment, not after the given one, at which there is something to send. */
  long nextSending(long other, long now) {
    if (hasWork(now)) {
      return now;
    }
    if (released) {
      return other;
    }
    if (!contact.isAnnounced()) {
      return releasing ? other : Horizon.earlier(other, contact.announceAt());
    }
    return !patience.isOutrun() && mayStage() && !pause.isOver(now, patience.pulse())
        ? Horizon.earlier(other, pause.until(patience.pulse()))
        : other;
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
    if (patience.isOutrun()) {
      lastGeneration++; // some may wait for what was to be staged next
    }
    patience.giveUp();
    abandoned = lastGeneration;
    stopStaging(why, now);
  }

  private void stopStaging(OpenReason why, long now) {
    if (patience.isOutrun()) {
      giveUp(why, now); // there is nothing else that writes could wait for
      return;
    }
    dropStaging();
    if (precise == null) {
      reason = why;
      abandoned = lastGeneration;
    }
    pause.begin(why, now, patience);
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
    if (!contact.isAnnounced()) {
      return contact.isTimeToAnnounce(now) && !releasing;
    }
    if (releasing || tellOpen || patience.isTakingOver() && mayRenew(now)) {
      return true;
    }
    if (precise != null && (precise.log().hasUnconfirmedSet() || precise.log().hasCutPage())) {
      return true;
    }
    return staging != null && staging.isStaged() && mayTakeOver(now);
  }

  /**
   * Whether there is nothing to do until the next beat, unless something happens to the region
   * before: nothing to send, and no wait that time alone ends.
   */
  boolean isIdle(long now) {
    boolean tells = !contact.isAnnounced() || hasWork(now) || staging != null || mayStage();
    boolean waits = patience.isOutrun() || patience.isTakingOver();
    return (released || !tells)
        && !waits
        && (precise == null ? isOpenEverywhere(now) : precise.log().isQuiet());
  }

  /** Adds to a push what the master has to be told, but for the parts of a whole filter. */
  void collect(PushBuilder push, long now) {
    if (released || !push.isBeat() && !hasWork(now)) {
      return;
    }
    if (releasing) {
      if (contact.isAnnounced()) {
        push.add(new ReleaseRegion(region));
      }
      return;
    }
    if (!contact.isAnnounced()) {
      if (contact.isTimeToAnnounce(now)) {
        push.add(new OpenRegion(region, incarnation, abandoned));
      }
      return;
    }
    if (precise == null) {
      push.add(new StayOpen(region, abandoned, staging == null ? reason : OpenReason.PUBLISHING));
    } else if (!patience.isOutrun() && precise.addPages(region, push)) {
      renew(push, now);
    }
    if (staging != null && staging.isStaged()) {
      collectStaged(push, now);
    }
  }

  /** Bytes of a whole filter that the master has yet to be sent; 0 if none is to be staged now. */
  long bytesToStage(long now) {
    if (staging != null) {
      return contact.isAnnounced() ? staging.bytesToStage() : 0;
    }
    boolean isTime = patience.isOutrun() || pause.isOver(now, patience.pulse());
    return mayStage() && isTime ? filter.newest().bytesToPublish() : 0;
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
    return contact.isAnnounced()
        && !releasing
        && staging == null
        && newest != null
        && !newest.coverage().isEmpty()
        && (precise == null || patience.isOutrun() || precise.filter() != newest);
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
    if (upToDate && push.echoes(contact.master()) && mayTakeOver(now)) {
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
    patience.takeOver(precise == null ? now : now - patience.longestWait(precise.log(), now));
    if (precise == null) {
      preciseSince = now;
    } else if (precise.filter() != staging.filter()) {
      precise.filter().stopRecording();
    }
    precise = staging;
    staging = null;
    releaseOldFilters();
  }

  private void renew(PushBuilder push, long now) {
    if (push.echoes(contact.master()) && mayRenew(now)) {
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
    if (contact.isWith(incarnation)) {
      return;
    }
    if (contact.isReplacedBy(incarnation)) {
      giveUp(OpenReason.NEW_MASTER, now);
      trust.changeMaster();
    }
    contact.begin(incarnation, now);
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
      case FENCED -> loseContact(OpenReason.FENCED, now + terms.fenceNanos(), now);
      case UNKNOWN -> loseContact(OpenReason.LOST, now, now);
      case RELEASED -> {
        loseContact(OpenReason.CLOSING, now + terms.fenceNanos(), now);
        if (releasing) {
          released = true;
          trust.released();
        }
      }
    }
    settle(now);
  }

  private void loseContact(OpenReason why, long announceAt, long now) {
    giveUp(why, now);
    contact.forgotten(announceAt);
  }

  private void onOpen(RegionReply reply, boolean senior, long now) {
    contact.announced();
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
      patience.tookOver();
      trusted = reply.verdict() == RegionReply.Verdict.TRUSTED;
      settlement.confirm(new WriteTicket(reply.generation(), reply.position()));
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
        precise == null ? 0 : patience.longestWait(precise.log(), now));
  }
}
