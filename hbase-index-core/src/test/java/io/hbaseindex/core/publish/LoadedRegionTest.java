/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A region that is written to faster than changes are sent, or whose master is busy. */
class LoadedRegionTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final int LOG_BYTES = 1_000;
  private static final PublishLimits LIMITS =
      new PublishLimits(
          1 << 20,
          1 << 18,
          200,
          LOG_BYTES,
          Duration.ofSeconds(1).toNanos(),
          Duration.ofSeconds(4).toNanos());
  private static final FilterGeometry GEOMETRY = FilterGeometry.doubling(64, 1e-4);
  private static final IndexCoverage COVERAGE = new IndexCoverage(1, 1, 7, 0);
  private static final long MILLI = 1_000_000;
  private static final long ABSENT = 1_000_000;

  private final ManualClock clock = new ManualClock();
  private ServerPublisher publisher;
  private FilterRegistry master;
  private PublishedRegion region;

  @BeforeEach
  void precise() {
    publisher = new ServerPublisher("s1", new RegionNumbers(0), clock, TERMS, LIMITS);
    master = newMaster(1);
    clock.passNanos(TERMS.seniorityNanos());
    RowRange all = RowRange.ALL;
    region = publisher.open(new RegionIncarnation("t", "r", 1, 1, all), GEOMETRY);
    build(1, 2, 3);
    exchange();
    assertThat(region.status().trusted()).isTrue();
  }

  private FilterRegistry newMaster(long number) {
    return new FilterRegistry(
        number, clock, TERMS, RegistryLimits.ofBytes(1 << 20), server -> true, now -> true);
  }

  private void build(long... elements) {
    assertThat(region.startRebuild(elements.length)).isTrue();
    region.scanned(elements);
    region.completeRebuild(List.of(COVERAGE));
  }

  private void exchange() {
    for (Optional<Push> push = publisher.poll(); push.isPresent(); push = publisher.poll()) {
      publisher.onReply(master.apply(push.get()));
    }
  }

  /** Writes values that the region never had until its log is full; returns the last ticket. */
  private WriteTicket outrun() {
    WriteTicket last = null;
    for (long element = 100; element < 300; element++) {
      last = region.insert(element);
    }
    return last;
  }

  private boolean excludes(long element) {
    return master.route("t", new RoutePredicate.Element(COVERAGE, element)).excluded() == 1;
  }

  private static List<? extends RegionMessage> of(Class<? extends RegionMessage> kind, Push push) {
    return push.messages().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  // ---- more changes than a push carries ----

  @Test
  void moreChangesThanTheLogHolds_goAsAFreshFilter_andTheRegionStaysPrecise() {
    long generation = region.status().generation();
    WriteTicket first = region.insert(99);
    WriteTicket last = outrun();
    assertThat(region.status().precise()).isTrue();
    assertThat(region.isSettled(first)).isFalse();
    assertThat(region.isSettled(last)).isFalse();
    assertThat(excludes(ABSENT)).as("by what is trusted").isTrue();

    List<Push> pushes = new ArrayList<>();
    for (Optional<Push> push = publisher.poll(); push.isPresent(); push = publisher.poll()) {
      pushes.add(push.get());
      publisher.onReply(master.apply(push.get()));
      assertThat(region.status().precise()).isTrue();
      assertThat(excludes(ABSENT)).as("never open in between").isTrue();
    }

    assertThat(region.isSettled(first)).isTrue();
    assertThat(region.isSettled(last)).isTrue();
    assertThat(region.status().generation()).isEqualTo(generation + 1);
    assertThat(pushes).anyMatch(push -> !of(StageChunk.class, push).isEmpty());
    LongStream.range(99, 300).forEach(element -> assertThat(excludes(element)).isFalse());
    assertThat(excludes(ABSENT)).isTrue();
  }

  @Test
  void outrun_trustIsNotRenewed_untilTheFreshFilterTakesOver() {
    long before = region.status().generation();
    outrun();
    clock.passNanos(TERMS.heartbeatNanos() / 2);

    Push push = publisher.poll().orElseThrow();

    assertThat(of(ApplyPage.class, push)).isEmpty();
    assertThat(of(RenewTrust.class, push)).isEmpty();
    publisher.onReply(master.apply(push));
    exchange();
    assertThat(region.status().generation()).isEqualTo(before + 1);
    assertThat(region.status().trusted()).isTrue();
  }

  @Test
  void writesBehindTheFreshFilter_waitForItToo_andGoOnByPages() {
    outrun();
    Push asks = publisher.poll().orElseThrow();
    WriteTicket behind = region.insert(400);
    publisher.onReply(master.apply(asks));
    assertThat(region.isSettled(behind)).isFalse();
    exchange();
    assertThat(region.isSettled(behind)).isTrue();
    assertThat(excludes(400)).isFalse();

    long generation = region.status().generation();
    WriteTicket later = region.insert(401);
    exchange();
    assertThat(region.isSettled(later)).isTrue();
    assertThat(region.status().generation()).isEqualTo(generation);
  }

  @Test
  void outrun_byAMasterThatIsAway_givesUpAfterItsPatience_andSettlesWithTheTrust() {
    WriteTicket last = outrun();
    long begun = clock.monotonicNanos();
    while (!region.isSettled(last)) {
      publisher.poll();
      clock.passNanos(MILLI);
    }
    assertThat(region.status().openReason()).isEqualTo(OpenReason.SLOW_MASTER);
    assertThat(clock.monotonicNanos() - begun).isLessThanOrEqualTo(TERMS.longestWaitNanos());
    assertThat(excludes(299)).isFalse();
  }

  @Test
  void outrun_theMasterHasNoRoomForTheFreshFilter_opens() {
    master =
        new FilterRegistry(
            1, clock, TERMS, RegistryLimits.ofBytes(600), server -> true, now -> true);
    publisher = new ServerPublisher("s1", new RegionNumbers(50), clock, TERMS, LIMITS);
    clock.passNanos(TERMS.seniorityNanos());
    region = publisher.open(new RegionIncarnation("t", "r", 2, 2, RowRange.ALL), GEOMETRY);
    build(1);
    exchange();
    assertThat(region.status().trusted()).isTrue();

    WriteTicket last = outrun();
    exchange();

    assertThat(region.isSettled(last)).isTrue();
    assertThat(region.status().openReason()).isEqualTo(OpenReason.OVER_BUDGET);
    assertThat(excludes(299)).isFalse();
  }

  @Test
  void outrun_whileARebuiltFilterIsStaged_staysPrecise() {
    build(1, 2, 3);
    Push asks = publisher.poll().orElseThrow();
    publisher.onReply(master.apply(asks));
    Push parts = publisher.poll().orElseThrow();
    assertThat(of(StageChunk.class, parts)).isNotEmpty();

    WriteTicket last = outrun();
    publisher.onReply(master.apply(parts));
    exchange();

    assertThat(region.isSettled(last)).isTrue();
    assertThat(region.status().precise()).isTrue();
    LongStream.range(100, 300).forEach(element -> assertThat(excludes(element)).isFalse());
  }

  // ---- a master that is busy, and one that is away ----

  @Test
  void answerThatComesLate_confirmsItsWrites() {
    WriteTicket ticket = region.insert(5);
    PushReply late = master.apply(publisher.poll().orElseThrow());
    clock.passNanos(TERMS.pushTimeoutNanos());
    publisher.poll();
    assertThat(region.isSettled(ticket)).isFalse();

    publisher.onReply(late);

    assertThat(region.isSettled(ticket)).isTrue();
    assertThat(region.status().precise()).isTrue();
  }

  @Test
  void answerThatComesLate_ofAMasterBefore_isIgnored() {
    WriteTicket ticket = region.insert(5);
    PushReply late = master.apply(publisher.poll().orElseThrow());
    clock.passNanos(TERMS.pushTimeoutNanos());
    master = newMaster(2);
    exchange();

    publisher.onReply(late);

    assertThat(region.isSettled(ticket)).isFalse();
    assertThat(region.status().precise()).isFalse();
  }

  @Test
  void masterThatAnswersLate_isGivenMoreTime_butNoTrustIsRenewedMeanwhile() {
    WriteTicket ticket = region.insert(5);
    Push lost = publisher.poll().orElseThrow();
    clock.passNanos(TERMS.patienceNanos() - MILLI);
    publisher.onReply(withoutReplies(master.apply(lost)));
    clock.passNanos(2 * MILLI);

    Optional<Push> next = publisher.poll();

    assertThat(region.status().precise()).as("the master is slow, but not away").isTrue();
    assertThat(next.map(push -> of(RenewTrust.class, push)).orElse(List.of())).isEmpty();
    next.ifPresent(push -> publisher.onReply(master.apply(push)));
    exchange();
    assertThat(region.isSettled(ticket)).isTrue();
    assertThat(region.status().trusted()).isTrue();
  }

  @Test
  void serverThatStoodStill_doesNotTakeTheMasterForAway() {
    WriteTicket ticket = region.insert(5);
    PushReply unheard = master.apply(publisher.poll().orElseThrow());
    clock.passNanos(TERMS.patienceNanos() + MILLI);
    publisher.stoodStill();
    publisher.poll();
    assertThat(region.status().precise()).isTrue();

    publisher.onReply(unheard);

    assertThat(region.isSettled(ticket)).isTrue();
    exchange();
    assertThat(region.status().trusted()).isTrue();
  }

  @Test
  void masterThatAnswersOthersOnly_isGivenUp_andNoWriteWaitsForLongerThanALease() {
    WriteTicket ticket = region.insert(5);
    long begun = clock.monotonicNanos();
    long gaveUp = 0;
    while (!region.isSettled(ticket)) {
      publisher
          .poll()
          .ifPresent(push -> publisher.onReply(withoutReplies(master.apply(withoutPages(push)))));
      clock.passNanos(MILLI);
      gaveUp = gaveUp == 0 && !region.status().precise() ? clock.monotonicNanos() - begun : gaveUp;
    }
    assertThat(gaveUp)
        .isBetween(TERMS.longestPatienceNanos(), TERMS.longestPatienceNanos() + 2 * MILLI);
    assertThat(clock.monotonicNanos() - begun).isLessThanOrEqualTo(TERMS.longestWaitNanos());
    assertThat(excludes(5)).isFalse();
  }

  private static PushReply withoutReplies(PushReply reply) {
    return new PushReply(
        reply.number(),
        reply.token(),
        reply.leaseNanos(),
        reply.senior(),
        reply.inStep(),
        reply.credit(),
        List.of());
  }

  private static Push withoutPages(Push push) {
    return new Push(
        push.server(),
        push.number(),
        push.token(),
        push.heldNanos(),
        push.wantsCredit(),
        push.messages().stream().filter(message -> !(message instanceof ApplyPage)).toList());
  }

  @Test
  void afterABusyHour_theRegionIsPreciseWithinTwoSeconds_howeverOftenItGaveUp() {
    for (int time = 0; time < 6; time++) {
      region.insert(1_000 + time);
      for (long passed = 0; passed < TERMS.leaseNanos(); passed += 10 * MILLI) {
        publisher.poll();
        clock.passNanos(10 * MILLI);
      }
      assertThat(region.status().openReason()).isEqualTo(OpenReason.SLOW_MASTER);
      passUntilPrecise();
    }
  }

  @Test
  void constantOverload_thoughNoPushIsLost_thePauseGrows() {
    List<Long> pauses = new ArrayList<>();
    for (int time = 0; time < 4; time++) {
      region.insert(1_000 + time);
      while (region.status().precise()) {
        publisher.poll().ifPresent(push -> publisher.onPushBusy(push.number(), 10 * MILLI));
        clock.passNanos(10 * MILLI);
      }
      long since = clock.monotonicNanos();
      long generation = region.status().generation();
      while (region.status().generation() == generation) {
        publisher.poll().ifPresent(this::answer);
        clock.passNanos(10 * MILLI);
      }
      pauses.add(clock.monotonicNanos() - since);
      passUntilPrecise();
    }
    assertThat(pauses.get(1)).isGreaterThan(2 * LIMITS.retryNanos() - 10 * MILLI);
    assertThat(pauses.get(2)).isGreaterThan(4 * LIMITS.retryNanos() - 10 * MILLI);
  }

  @Test
  void masterThatGoesOnLosingPushes_isLeftAloneForEverLonger() {
    List<Long> pauses = new ArrayList<>();
    for (int time = 0; time < 4; time++) {
      region.insert(1_000 + time);
      while (region.status().precise()) {
        publisher.poll();
        clock.passNanos(10 * MILLI);
      }
      long since = clock.monotonicNanos();
      long generation = region.status().generation();
      while (region.status().generation() == generation) {
        // Every other push is lost, so one within each second.
        publisher.poll().filter(push -> push.number() % 2 == 0).ifPresent(this::answer);
        clock.passNanos(10 * MILLI);
      }
      pauses.add(clock.monotonicNanos() - since);
      passUntilPrecise();
    }
    assertThat(pauses.get(1)).isGreaterThan(2 * LIMITS.retryNanos() - 10 * MILLI);
    assertThat(pauses.get(2)).isGreaterThan(4 * LIMITS.retryNanos() - 10 * MILLI);
    assertThat(pauses.get(3)).isGreaterThan(4 * LIMITS.retryNanos() - 10 * MILLI);
  }

  private void answer(Push push) {
    publisher.onReply(master.apply(push));
  }

  private void passUntilPrecise() {
    long since = clock.monotonicNanos();
    while (!region.status().trusted()) {
      exchange();
      clock.passNanos(10 * MILLI);
      assertThat(clock.monotonicNanos() - since).isLessThan(Duration.ofSeconds(2).toNanos());
    }
  }
}
