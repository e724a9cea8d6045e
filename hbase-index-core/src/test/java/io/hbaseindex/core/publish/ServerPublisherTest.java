/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.push.ActiveMasterLease;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.push.StagingCredit;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import io.hbaseindex.core.time.Moment;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The publishers of one server against the registry of a master, on one clock and no network. */
class ServerPublisherTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final PublishLimits LIMITS = PublishLimits.standard();
  private static final FilterGeometry GEOMETRY = FilterGeometry.doubling(64, 1e-4);
  private static final int MOST_STEPS = 10_000;
  private static final List<IndexCoverage> COVERAGE = List.of(new IndexCoverage(1, 1, 7, 0));

  private final ManualClock clock = new ManualClock();
  private final RegionNumbers numbers = new RegionNumbers(0);
  private ServerPublisher publisher;
  private Predicate<Moment> active = now -> true;
  private FilterRegistry master;
  private long masters;

  private ServerPublisher newPublisher(PublishLimits limits) {
    return new ServerPublisher("s1", numbers, clock, TERMS, limits);
  }

  @BeforeEach
  void start() {
    publisher = newPublisher(LIMITS);
    master = newMaster();
    clock.passNanos(TERMS.seniorityNanos());
  }

  private FilterRegistry newMaster() {
    return new FilterRegistry(
        ++masters, clock, TERMS, RegistryLimits.ofBytes(1 << 20), server -> true, active);
  }

  private PublishedRegion open(String name, String from, String to) {
    RowRange range = new RowRange(from.getBytes(), to.getBytes());
    return publisher.open(new RegionIncarnation("t", name, 1, 1, range), GEOMETRY);
  }

  /** Sends and answers pushes until there is nothing more to say. */
  private int exchange() {
    for (int pushes = 0; pushes < MOST_STEPS; pushes++) {
      Optional<Push> push = publisher.poll();
      if (push.isEmpty()) {
        return pushes;
      }
      publisher.onReply(master.apply(push.get()));
    }
    return fail("The publisher still had something to say after %s pushes", MOST_STEPS);
  }

  /** Lets time pass in steps, and something happen after each, until a condition holds. */
  private void passUntil(BooleanSupplier condition, LongSupplier stepNanos, Runnable afterStep) {
    for (int step = 0; !condition.getAsBoolean(); step++) {
      assertThat(step).as("steps until the condition holds").isLessThan(MOST_STEPS);
      clock.passNanos(stepNanos.getAsLong());
      afterStep.run();
    }
  }

  /** Answers pushes until one renews trust in a generation, which is returned unanswered. */
  private Push pushThatRenews(long generation) {
    for (int pushes = 0; pushes < MOST_STEPS; pushes++) {
      Push push = publisher.poll().orElseThrow();
      if (push.messages().stream()
          .anyMatch(
              message ->
                  message instanceof RenewTrust renewal && renewal.generation() == generation)) {
        return push;
      }
      publisher.onReply(master.apply(push));
    }
    return fail("No push renewed trust in generation %s", generation);
  }

  private static void build(PublishedRegion region, long... elements) {
    region.startRebuild(0);
    assertThat(region.rebuildMayScan()).isTrue();
    region.scanned(elements);
    region.completeRebuild(COVERAGE);
  }

  private PublishedRegion preciseRegion() {
    PublishedRegion region = open("r", "", "");
    build(region);
    exchange();
    assertThat(region.status().trusted()).isTrue();
    return region;
  }

  /** Whether the master excludes an element; other servers go on confirming its clock. */
  private boolean excludes(long element) {
    LeaseToken token = master.apply(new Push("s2", 1, null, 0, List.of())).token();
    master.apply(new Push("s2", 2, token, 0, List.of()));
    return master.route("t", new RoutePredicate.Element(COVERAGE.get(0), element)).excluded() == 1;
  }

  // ---- writes ----

  @Test
  void write_whilePrecise_waitsForTheMaster() {
    PublishedRegion region = preciseRegion();
    assertThat(excludes(5)).isTrue();
    WriteTicket ticket = region.insert(5);
    assertThat(region.isSettled(ticket)).isFalse();
    assertThat(exchange()).isEqualTo(1);
    assertThat(region.isSettled(ticket)).isTrue();
    assertThat(excludes(5)).isFalse();
  }

  @Test
  void write_thatSetsNoBit_waitsForTheWriteBefore() {
    PublishedRegion region = preciseRegion();
    region.insert(5);
    WriteTicket second = region.insert(5);
    assertThat(region.isSettled(second)).isFalse();
    exchange();
    assertThat(region.isSettled(second)).isTrue();
    assertThat(region.isSettled(region.insert(5))).isTrue();
  }

  @Test
  void write_withoutAnswer_waitsForPatienceAndHorizonAndNoLonger() {
    PublishedRegion region = preciseRegion();
    WriteTicket ticket = region.insert(5);
    long begun = clock.monotonicNanos();
    publisher.poll();
    passUntil(
        () -> region.isSettled(ticket),
        () -> Math.max(1, Math.min(1_000_000, publisher.nextDeadline() - clock.monotonicNanos())),
        publisher::poll);
    assertThat(region.status().openReason()).isEqualTo(OpenReason.SLOW_MASTER);
    assertThat(excludes(5)).isFalse();
    assertThat(clock.monotonicNanos() - begun)
        .isBetween(TERMS.trustNanos(), TERMS.longestWaitNanos());
  }

  @Test
  void givingUp_confirmedByTheMaster_settlesAtOnce() {
    PublishedRegion region = preciseRegion();
    WriteTicket ticket = region.insert(5);
    publisher.poll();
    clock.passNanos(TERMS.patienceNanos());
    assertThat(region.isSettled(ticket)).isFalse();
    exchange();
    assertThat(region.isSettled(ticket)).isTrue();
    assertThat(excludes(5)).isFalse();
  }

  @Test
  void givingUp_confirmationOfWhatWasInFlight_comesTooLate() {
    PublishedRegion region = preciseRegion();
    WriteTicket ticket = region.insert(5);
    Push inFlight = publisher.poll().orElseThrow();
    PushReply late = master.apply(inFlight);
    clock.passNanos(TERMS.patienceNanos());
    publisher.poll();
    publisher.onReply(late);
    assertThat(region.isSettled(ticket)).isFalse();
    assertThat(region.status().precise()).isFalse();
  }

  @Test
  void openRegion_sendsNothingForAWrite() {
    PublishedRegion region = open("r", "", "");
    exchange();
    assertThat(region.isSettled(region.insert(5))).isTrue();
    assertThat(publisher.poll()).isEmpty();
  }

  @Test
  void regionThatGaveUp_becomesPreciseAgainAfterAPause_ifTheMasterAnswers() {
    PublishedRegion region = preciseRegion();
    for (int time = 0; time < 3; time++) {
      region.insert(100 + time);
      publisher.poll();
      clock.passNanos(TERMS.patienceNanos());
      exchange();
      assertThat(region.status().precise()).isFalse();
      clock.passNanos(LIMITS.retryNanos() - TERMS.heartbeatNanos());
      exchange();
      assertThat(region.status().precise()).isFalse();
      clock.passNanos(LIMITS.retryNanos() / 4 + TERMS.heartbeatNanos());
      exchange();
      assertThat(region.status().trusted()).isTrue();
      assertThat(excludes(100 + time)).isFalse();
    }
  }

  @Test
  void slowMaster_whileARebuildWaitsForAWrite_theFilterThereIsBecomesPreciseAgain() {
    PublishedRegion region = preciseRegion();
    region.beginBatch();
    assertThat(region.startRebuild(10)).isTrue();

    pauseAfterASlowMaster(region);

    assertThat(region.rebuildMayScan()).isFalse();
    assertThat(region.status().precise()).isTrue();
    assertThat(excludes(7)).isTrue();
  }

  /** How long the region stays open before it publishes again; it is precise afterwards. */
  private long pauseAfterASlowMaster(PublishedRegion region) {
    region.insert(clock.monotonicNanos());
    publisher.poll();
    clock.passNanos(TERMS.patienceNanos());
    publisher.poll();
    assertThat(region.status().openReason()).isEqualTo(OpenReason.SLOW_MASTER);
    long since = clock.monotonicNanos();
    long generation = region.status().generation();
    passUntil(
        () -> region.status().generation() != generation,
        () -> LIMITS.retryNanos() / 1_000,
        this::exchange);
    long paused = clock.monotonicNanos() - since;
    passUntil(() -> region.status().trusted(), TERMS::heartbeatNanos, this::exchange);
    return paused / (LIMITS.retryNanos() / 1_000) * (LIMITS.retryNanos() / 1_000);
  }

  @Test
  void horizon_countsFromTheReceiptOfTheToken_notFromTheSendingOfItsPush() {
    PublishedRegion region = preciseRegion();
    clock.passNanos(TERMS.heartbeatNanos());
    Push slow = publisher.poll().orElseThrow();
    clock.passNanos(TERMS.pushTimeoutNanos() - 1_000_000);
    publisher.onReply(master.apply(slow));
    region.insert(5);
    master.apply(publisher.poll().orElseThrow());
    WriteTicket ticket = region.insert(6);
    clock.passNanos(TERMS.patienceNanos());
    publisher.poll();
    clock.passNanos(TERMS.trustNanos() - TERMS.patienceNanos() - 1_000_000);
    assertThat(excludes(6)).as("the token was issued when it was received").isTrue();
    assertThat(region.isSettled(ticket)).isFalse();
    clock.passNanos(TERMS.marginNanos() + 1_000_000);
    assertThat(region.isSettled(ticket)).isTrue();
    assertThat(excludes(6)).isFalse();
  }

  // ---- clocks that are out of step ----

  @Test
  void push_tellsHowLongTheTokenWasHeld() {
    preciseRegion();
    clock.passNanos(TERMS.heartbeatNanos());
    Push push = publisher.poll().orElseThrow();
    assertThat(push.heldNanos()).isEqualTo(TERMS.heartbeatNanos());
  }

  @Test
  void outOfStep_echoesNoTokenForAPauseThatGrows_andIsTrustedAgain() {
    PublishedRegion region = preciseRegion();
    for (long pause = LIMITS.retryNanos(); pause <= 4 * LIMITS.retryNanos(); pause *= 2) {
      clock.passNanos(TERMS.heartbeatNanos());
      Push push = publisher.poll().orElseThrow();
      assertThat(push.token()).isNotNull();
      PushReply reply =
          master.apply(
              new Push(
                  push.server(),
                  push.number(),
                  push.token(),
                  push.heldNanos() + TERMS.leaseNanos(),
                  push.messages()));
      assertThat(reply.inStep()).isFalse();
      publisher.onReply(reply);
      assertThat(excludes(7)).isFalse();
      clock.passNanos(pause - 1);
      region.insert(pause);
      Push meanwhile = publisher.poll().orElseThrow();
      assertThat(meanwhile.token()).isNull();
      publisher.onReply(master.apply(meanwhile));
      clock.passNanos(pause / 4 + TERMS.heartbeatNanos());
      exchange();
      assertThat(region.status().precise()).isTrue();
      passUntil(() -> region.status().trusted(), TERMS::heartbeatNanos, this::exchange);
      assertThat(excludes(7)).isTrue();
    }
  }

  // ---- opening, closing, masters ----

  @Test
  void opening_deposedMasterStillTrustsWhoWasThereBefore_writesWait() {
    ActiveMasterLease lease = new ActiveMasterLease(TERMS);
    active = lease;
    lease.confirmed(Moment.of(clock));
    FilterRegistry deposed = newMaster();
    active = now -> true;
    clock.passNanos(TERMS.seniorityNanos());
    master = deposed;
    lease.confirmed(Moment.of(clock));
    preciseRegion();
    ServerPublisher before = publisher;
    assertThat(excludes(5)).isTrue();

    // Another master becomes active, takes the server for dead and has the region opened elsewhere.
    lease.confirmed(Moment.of(clock));
    FilterRegistry next = newMaster();
    publisher = new ServerPublisher("s3", numbers, clock, TERMS, LIMITS);
    PublishedRegion reopened =
        publisher.open(new RegionIncarnation("t", "r", 1, 2, RowRange.ALL), GEOMETRY);
    WriteTicket ticket = reopened.insert(5);
    publisher.onReply(next.apply(publisher.poll().orElseThrow()));
    long opened = clock.monotonicNanos();
    passUntil(
        () -> !excludes(5),
        () -> 1_000_000,
        () -> {
          before.poll().ifPresent(push -> before.onReply(deposed.apply(push)));
          assertThat(reopened.isSettled(ticket)).isFalse();
        });
    assertThat(clock.monotonicNanos() - opened).isGreaterThan(TERMS.horizonNanos());
    clock.passNanos(TERMS.openingNanos() - (clock.monotonicNanos() - opened));
    assertThat(reopened.isSettled(ticket)).isTrue();
  }

  @Test
  void opening_youngMaster_waitsForALease() {
    master = newMaster();
    PublishedRegion region = open("r", "", "");
    WriteTicket ticket = region.insert(5);
    exchange();
    assertThat(region.isSettled(ticket)).isFalse();
    clock.passNanos(TERMS.openingNanos() - 1);
    assertThat(region.isSettled(ticket)).isFalse();
    clock.passNanos(1);
    assertThat(region.isSettled(ticket)).isTrue();
  }

  @Test
  void opening_seniorMaster_isConfirmedAtOnce() {
    PublishedRegion region = open("r", "", "");
    WriteTicket ticket = region.insert(5);
    assertThat(region.isSettled(ticket)).isFalse();
    exchange();
    assertThat(region.isSettled(ticket)).isTrue();
  }

  @Test
  void newMaster_writesWaitForTheHorizonOfTheOld() {
    PublishedRegion region = preciseRegion();
    FilterRegistry old = master;
    master = newMaster();
    clock.passNanos(TERMS.heartbeatNanos());
    exchange();
    WriteTicket ticket = region.insert(5);
    assertThat(region.isSettled(ticket)).isFalse();
    clock.passNanos(TERMS.trustNanos() - TERMS.heartbeatNanos() - 1_000_000);
    assertThat(region.isSettled(ticket)).isFalse();
    master = old;
    assertThat(excludes(5)).isTrue();
    clock.passNanos(TERMS.marginNanos() + 1_000_000);
    assertThat(region.isSettled(ticket)).isTrue();
    assertThat(excludes(5)).isFalse();
  }

  @Test
  void release_unanswered_waitsForTheHorizon() {
    PublishedRegion region = preciseRegion();
    region.release();
    assertThat(region.isReleased()).isFalse();
    clock.passNanos(TERMS.horizonNanos());
    assertThat(region.isReleased()).isTrue();
  }

  @Test
  void release_answered_isDone() {
    PublishedRegion region = preciseRegion();
    region.release();
    exchange();
    assertThat(region.isReleased()).isTrue();
    assertThat(excludes(5)).isFalse();
    assertThat(publisher.poll()).isEmpty();
  }

  @Test
  void suspend_opensAndRefusesRebuilds() {
    PublishedRegion region = preciseRegion();
    region.suspend();
    assertThat(region.isOpenEverywhere()).isFalse();
    exchange();
    assertThat(region.isOpenEverywhere()).isTrue();
    assertThat(region.isSuspended()).isTrue();
    assertThatThrownBy(() -> region.startRebuild(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("resume it first");
    region.resume();
    build(region, 5);
    exchange();
    assertThat(region.status().trusted()).isTrue();
    assertThat(excludes(5)).isFalse();
    assertThat(excludes(6)).isTrue();
  }

  // ---- rebuilds beside a trusted filter ----

  @Test
  void rebuild_whilePrecise_staysPreciseThroughout() {
    PublishedRegion region = preciseRegion();
    region.insert(5);
    exchange();
    region.startRebuild(0);
    WriteTicket during = region.insert(6);
    region.scanned(5);
    region.completeRebuild(COVERAGE);
    Optional<Push> push = publisher.poll();
    for (int pushes = 0; push.isPresent(); pushes++) {
      assertThat(pushes).isLessThan(MOST_STEPS);
      publisher.onReply(master.apply(push.get()));
      assertThat(region.status().precise()).isTrue();
      assertThat(excludes(7)).isTrue();
      assertThat(excludes(5)).isFalse();
      push = publisher.poll();
    }
    assertThat(region.isSettled(during)).isTrue();
    assertThat(excludes(6)).isFalse();
    assertThat(region.status().generation()).isEqualTo(2);
  }

  @Test
  void takeOver_unanswered_isGivenUpLikeAWrite() {
    PublishedRegion region = preciseRegion();
    build(region);
    pushThatRenews(2);
    WriteTicket ticket = region.insert(5);
    clock.passNanos(TERMS.patienceNanos());
    publisher.poll();
    assertThat(region.status().openReason()).isEqualTo(OpenReason.SLOW_MASTER);
    assertThat(region.isSettled(ticket)).isFalse();
    clock.passNanos(TERMS.horizonNanos());
    assertThat(region.isSettled(ticket)).isTrue();
  }

  @Test
  void takeOver_lost_pagesAppliedToWhatIsStagedAreNoConfirmation() {
    publisher = newPublisher(new PublishLimits(200, 1 << 18, 100, 1 << 22, 1, 1));
    PublishedRegion region = preciseRegion();
    build(region);
    pushThatRenews(2);
    clock.passNanos(TERMS.pushTimeoutNanos());
    WriteTicket ticket = region.insert(5);
    region.insert(LongStream.range(6, 60).toArray());
    Push tooSmall = publisher.poll().orElseThrow();
    assertThat(tooSmall.messages()).noneMatch(RenewTrust.class::isInstance);
    publisher.onReply(master.apply(tooSmall));
    assertThat(excludes(5)).isTrue();
    assertThat(region.isSettled(ticket)).isFalse();
    exchange();
    assertThat(region.isSettled(ticket)).isTrue();
    assertThat(excludes(5)).isFalse();
  }

  // ---- pushes ----

  @Test
  void push_carriesWhatAllRegionsHaveToSay_oneAtATime() {
    open("a", "", "m");
    open("b", "m", "");
    Push push = publisher.poll().orElseThrow();
    assertThat(push.messages()).hasSize(2).allMatch(OpenRegion.class::isInstance);
    open("c", "x", "y");
    assertThat(publisher.poll()).isEmpty();
    publisher.onReply(master.apply(push));
    assertThat(publisher.poll().orElseThrow().messages()).hasSize(1);
  }

  @Test
  void push_lost_isSentAgain() {
    PublishedRegion region = preciseRegion();
    WriteTicket ticket = region.insert(5);
    Push lost = publisher.poll().orElseThrow();
    clock.passNanos(TERMS.pushTimeoutNanos());
    Push again = publisher.poll().orElseThrow();
    assertThat(again.messages()).isEqualTo(lost.messages());
    publisher.onReply(master.apply(again));
    assertThat(region.isSettled(ticket)).isTrue();
  }

  @Test
  void push_failedAtOnce_isNotRepeatedAtOnce() {
    open("r", "", "");
    Push failed = publisher.poll().orElseThrow();
    publisher.onPushFailed(failed.number());
    assertThat(publisher.poll()).isEmpty();
    clock.passNanos(publisher.nextDeadline() - clock.monotonicNanos());
    assertThat(publisher.poll()).isPresent();
  }

  @Test
  void push_lostAgainAndAgain_isRepeatedOnceSoonAndThenEverMoreRarely() {
    preciseRegion();
    clock.passNanos(TERMS.heartbeatNanos());
    int sent = 0;
    long until = clock.monotonicNanos() + 60 * TERMS.leaseNanos();
    for (; clock.monotonicNanos() < until; clock.passNanos(TERMS.pushTimeoutNanos() / 10)) {
      sent += publisher.poll().isPresent() ? 1 : 0;
    }
    assertThat(sent).isBetween(60, 2 * 60);

    exchange();
    clock.passNanos(TERMS.leaseNanos());
    exchange();
    clock.passNanos(TERMS.heartbeatNanos());
    assertThat(exchange()).as("heard again, it is asked as before").isEqualTo(1);
  }

  @Test
  void push_refused_isRepeatedEverMoreRarelyUntilOneIsAnswered() {
    open("r", "", "");
    long rest = LIMITS.retryNanos();
    for (int refusal = 0; refusal < 10; refusal++) {
      publisher.onPushRefused(publisher.poll().orElseThrow().number());
      clock.passNanos(rest - 1);
      assertThat(publisher.poll()).isEmpty();
      clock.passNanos(1 + rest / 4);
      rest = Math.min(2 * rest, LIMITS.maxRetryNanos());
    }
    exchange();
    clock.passNanos(TERMS.heartbeatNanos());
    publisher.onPushRefused(publisher.poll().orElseThrow().number());
    clock.passNanos(LIMITS.retryNanos() + LIMITS.retryNanos() / 4);
    assertThat(publisher.poll()).isPresent();
  }

  @Test
  void push_heldUpByABusyMaster_isSentAgainAfterThePauseItAskedFor_andCountsAsLittleAsNothing() {
    PublishedRegion region = preciseRegion();
    WriteTicket ticket = region.insert(5);
    Push held = publisher.poll().orElseThrow();
    publisher.onPushBusy(held.number(), 20_000_000);
    assertThat(publisher.poll()).isEmpty();
    assertThat(publisher.nextDeadline() - clock.monotonicNanos()).isEqualTo(20_000_000);
    clock.passNanos(20_000_000);
    assertThat(exchange()).isEqualTo(1);
    assertThat(region.isSettled(ticket)).isTrue();
  }

  @Test
  void busyMaster_thatAsksForALongPause_isAskedAgainWithinALease() {
    open("r", "", "");
    publisher.onPushBusy(publisher.poll().orElseThrow().number(), Long.MAX_VALUE / 2);
    clock.passNanos(TERMS.leaseNanos());
    assertThat(publisher.poll()).isPresent();
  }

  @Test
  void masterThatTakesNoPushes_delaysWritesByNoMoreThanTheFirstLease() {
    PublishedRegion region = open("r", "", "");
    build(region);
    WriteTicket first = region.insert(1);
    publisher.onPushRefused(publisher.poll().orElseThrow().number());
    assertThat(region.isSettled(first)).isFalse();

    clock.passNanos(TERMS.openingNanos());

    assertThat(region.isSettled(first)).isTrue();
    for (int write = 0; write < 100; write++) {
      assertThat(region.isSettled(region.insert(write))).isTrue();
      clock.passNanos(TERMS.leaseNanos());
      publisher.poll().ifPresent(push -> publisher.onPushRefused(push.number()));
    }
    region.release();
    assertThat(region.isReleased()).isTrue();
  }

  @Test
  void push_full_leavesTheRestForTheNextAndTheRegionsTakeTurns() {
    publisher = newPublisher(new PublishLimits(300, 1 << 18, 100, 1 << 22, 1, 1));
    PublishedRegion a = open("a", "", "m");
    PublishedRegion b = open("b", "m", "");
    build(a);
    build(b);
    exchange();
    for (long element = 0; element < 20; element++) {
      a.insert(element);
      b.insert(element);
    }
    Set<Integer> first = new HashSet<>();
    for (int round = 0; round < 2; round++) {
      Push push = publisher.poll().orElseThrow();
      assertThat(push.messages().stream().mapToLong(RegionMessage::weight).sum()).isLessThan(600);
      first.add(
          push.messages().stream()
              .filter(ApplyPage.class::isInstance)
              .findFirst()
              .orElseThrow()
              .region());
      publisher.onReply(master.apply(push));
    }
    assertThat(first).hasSize(2);
  }

  @Test
  void push_takesWhatWritesWaitForBeforePartsOfFilters() {
    publisher = newPublisher(new PublishLimits(400, 100, 100, 1 << 22, 1, 1));
    PublishedRegion large = open("a", "", "m");
    PublishedRegion small = open("b", "m", "");
    build(small);
    exchange();
    build(large, LongStream.range(0, 500).toArray());
    answerOne();
    for (int round = 0; round < 4; round++) {
      WriteTicket ticket = small.insert(1_000 + round);
      Push push = publisher.poll().orElseThrow();
      assertThat(push.messages()).anyMatch(StageChunk.class::isInstance);
      publisher.onReply(master.apply(push));
      assertThat(small.isSettled(ticket)).isTrue();
    }
  }

  @Test
  void staging_goesOnAfterAPushWasLost_butNotAfterMany() {
    publisher = newPublisher(new PublishLimits(400, 100, 100, 1 << 22, 1_000, 1_000));
    PublishedRegion region = open("r", "", "");
    build(region, LongStream.range(0, 500).toArray());
    answerOne();
    for (int lost = 0; lost < 3; lost++) {
      assertThat(answerOne().wantsCredit()).isTrue();
      assertThat(region.status().generation()).isLessThan(2);
      assertThat(publisher.poll().orElseThrow().messages()).anyMatch(StageChunk.class::isInstance);
      clock.passNanos(TERMS.pushTimeoutNanos());
    }
    publisher.poll();
    clock.passNanos(2_000);
    exchange();
    assertThat(region.status().generation()).isEqualTo(2);
    assertThat(region.status().trusted()).isTrue();
  }

  /** Answers one push. */
  private Push answerOne() {
    Push push = publisher.poll().orElseThrow();
    publisher.onReply(master.apply(push));
    return push;
  }

  // ---- credit for whole filters ----

  private static PushReply withCredit(PushReply reply, StagingCredit credit) {
    return new PushReply(
        reply.number(),
        reply.token(),
        reply.leaseNanos(),
        reply.senior(),
        reply.inStep(),
        credit,
        reply.replies());
  }

  private static boolean carriesParts(Push push) {
    return push.messages().stream().anyMatch(StageChunk.class::isInstance);
  }

  @Test
  void parts_withoutCredit_areAskedForAgainWhenTheMasterSaysSo_andNotSent() {
    PublishedRegion region = open("r", "", "");
    build(region);
    answerOne();
    for (int asked = 0; asked < 3; asked++) {
      Push asking = publisher.poll().orElseThrow();
      assertThat(asking.wantsCredit()).isTrue();
      assertThat(carriesParts(asking)).isFalse();
      publisher.onReply(
          withCredit(master.apply(asking), new StagingCredit(0, TERMS.heartbeatNanos() / 8)));
      assertThat(publisher.poll()).isEmpty();
      assertThat(publisher.nextDeadline() - clock.monotonicNanos())
          .isBetween(TERMS.heartbeatNanos() / 8, TERMS.heartbeatNanos() / 6);
      clock.passNanos(publisher.nextDeadline() - clock.monotonicNanos());
    }
    exchange();
    assertThat(region.status().trusted()).isTrue();
  }

  @Test
  void parts_withCredit_areSentAsFarAsItGoes_theSmallestFilterFirst() {
    PublishedRegion large = open("a", "", "m");
    PublishedRegion small = open("b", "m", "");
    build(large, LongStream.range(0, 5_000).toArray());
    build(small, 1, 2, 3);
    answerOne();
    publisher.onReply(
        withCredit(master.apply(publisher.poll().orElseThrow()), new StagingCredit(1, 0)));
    Push push = publisher.poll().orElseThrow();
    assertThat(push.wantsCredit()).isTrue();
    assertThat(push.messages().stream().filter(StageChunk.class::isInstance))
        .singleElement()
        .satisfies(part -> assertThat(part.region()).isEqualTo(small.number()));
    publisher.onReply(master.apply(push));
    exchange();
    assertThat(large.status().trusted()).isTrue();
    assertThat(small.status().trusted()).isTrue();
  }

  @Test
  void credit_ofAMasterBefore_isWorthNothing() {
    PublishedRegion region = preciseRegion();
    build(region, 5);
    publisher.onReply(
        withCredit(master.apply(publisher.poll().orElseThrow()), new StagingCredit(1 << 20, 0)));
    master = newMaster();
    answerOne();
    answerOne();
    Push asking = publisher.poll().orElseThrow();
    assertThat(asking.wantsCredit()).isTrue();
    assertThat(carriesParts(asking)).isFalse();
  }

  @Test
  void idleServerOf200Regions_sendsOnePushPerBeat() {
    for (int region = 0; region < 200; region++) {
      String from = region == 0 ? "" : "%03d".formatted(region);
      PublishedRegion opened =
          open("r" + region, from, region == 199 ? "" : "%03d".formatted(region + 1));
      build(opened);
      clock.passNanos(TERMS.heartbeatNanos() / 7);
      exchange();
    }
    int pushes = 0;
    long until = clock.monotonicNanos() + 10 * TERMS.leaseNanos();
    for (int step = 0; clock.monotonicNanos() < until; step++) {
      assertThat(step).as("deadlines that let no time pass").isLessThan(MOST_STEPS);
      pushes += exchange();
      assertThat(publisher.statuses()).allMatch(RegionPublishStatus::trusted);
      clock.passNanos(publisher.nextDeadline() - clock.monotonicNanos());
    }
    assertThat(pushes).isLessThanOrEqualTo(5 * 20);
    excludes(5);
    assertThat(master.route("t", new RoutePredicate.Element(COVERAGE.get(0), 5)).excluded())
        .isEqualTo(200);
  }

  @Test
  void quietRegion_renewsItsTrustByHeartbeats() {
    preciseRegion();
    for (int beat = 0; beat < 20; beat++) {
      clock.passNanos(TERMS.heartbeatNanos());
      assertThat(exchange()).isEqualTo(1);
      assertThat(excludes(5)).isTrue();
    }
  }
}
