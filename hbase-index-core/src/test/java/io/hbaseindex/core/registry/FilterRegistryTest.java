/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.push.ActiveMasterLease;
import io.hbaseindex.core.push.FilterChunks;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.ReleaseRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.push.SegmentPiece;
import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import io.hbaseindex.core.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FilterRegistryTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final long PRESENT = 1_234;
  private static final long ABSENT = 5_678;
  private static final long MASTER = 99;
  private static final String S1 = "s1";
  private static final String S2 = "s2";
  private static final int R = 1;

  private final ManualClock clock = new ManualClock();
  private final Set<String> dead = new HashSet<>();
  private boolean active = true;
  private FilterRegistry registry;

  @BeforeEach
  void startSeniorMaster() {
    registry = registry(1 << 20);
    clock.passNanos(TERMS.seniorityNanos());
  }

  private FilterRegistry registry(long bytes) {
    return new FilterRegistry(
        MASTER,
        clock,
        TERMS,
        new RegistryLimits(bytes, 8, 100, 4, 10 * TERMS.leaseNanos()),
        server -> !dead.contains(server),
        now -> active);
  }

  // ---- messages ----

  private static RegionIncarnation region(
      String name, long id, long epoch, String from, String to) {
    return new RegionIncarnation(
        "t", name, id, epoch, new RowRange(from.getBytes(), to.getBytes()));
  }

  private static RegionIncarnation all(long epoch) {
    return region("r", 1, epoch, "", "");
  }

  private LeaseToken token() {
    return push(S1, null).token();
  }

  private PushReply push(String server, LeaseToken token, RegionMessage... messages) {
    long held = token == null ? 0 : clock.monotonicNanos() - token.issuedNanos();
    return push(server, token, held, messages);
  }

  private PushReply push(String server, LeaseToken token, long held, RegionMessage... messages) {
    return registry.apply(new Push(server, 1, token, held, List.of(messages)));
  }

  private RegionReply send(String server, RegionMessage message) {
    return push(server, token(), message).replies().get(0);
  }

  private static StageChunk whole(int region, long generation, long... elements) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(16, 1e-4), FilterChangeListener.NONE);
    for (long element : elements) {
      filter.insert(element);
    }
    List<SegmentPiece> pieces = new FilterChunks(filter.snapshot(), 1 << 20).part(0);
    return new StageChunk(region, generation, 0, true, List.of(INDEX), pieces);
  }

  private static FilterChanges sets(long element) {
    SizeClass shape = FilterGeometry.doubling(16, 1e-4).sizeClass(0, 0);
    FilterChanges changes = new FilterChanges();
    for (int slice = 0; slice < shape.slices(); slice++) {
      changes.bitSet(0, shape.position(element, slice));
    }
    return changes;
  }

  /** A region that holds {@link #PRESENT} only, published and trusted. */
  private void publish(String server, int number, RegionIncarnation incarnation) {
    push(server, null, new OpenRegion(number, incarnation, 0));
    PushReply reply =
        push(server, token(), whole(number, 1, PRESENT), new RenewTrust(number, 1, 0));
    assertThat(reply.replies().get(1).verdict()).isEqualTo(Verdict.TRUSTED);
  }

  private RouteAnswer route(long element) {
    return registry.route("t", new RoutePredicate.Element(INDEX, element));
  }

  private void assertExcludesAbsent() {
    assertThat(route(ABSENT).candidates()).isEmpty();
    assertThat(route(PRESENT).positive()).isEqualTo(1);
  }

  private static List<RowRange> ranges(RouteAnswer answer) {
    return answer.candidates().stream().map(RouteAnswer.Candidate::range).toList();
  }

  private void assertOpen(OpenReason reason) {
    assertThat(route(ABSENT).candidates())
        .singleElement()
        .satisfies(candidate -> assertThat(candidate.open()).isEqualTo(reason));
  }

  // ---- publishing ----

  @Test
  void route_unknownTable_isAllKeys() {
    assertThat(ranges(route(ABSENT))).containsExactly(RowRange.ALL);
    assertOpen(OpenReason.ABSENT);
  }

  @Test
  void open_withoutFilter_isCandidate() {
    assertThat(send(S1, new OpenRegion(R, all(1), 0)).verdict()).isEqualTo(Verdict.OPEN);
    assertOpen(OpenReason.NOT_READY);
  }

  @Test
  void wholeFilterAndRenewal_excludesAbsentElement() {
    publish(S1, R, all(1));
    assertExcludesAbsent();
  }

  @Test
  void route_keysNobodyAnnounced_areCandidates() {
    publish(S1, R, region("r", 1, 1, "b", "c"));
    RouteAnswer answer = route(ABSENT);
    assertThat(answer.excluded()).isEqualTo(1);
    assertThat(ranges(answer))
        .containsExactly(
            new RowRange("".getBytes(), "b".getBytes()),
            new RowRange("c".getBytes(), "".getBytes()));
  }

  @Test
  void page_setsBits_makesElementPositive() {
    publish(S1, R, all(1));
    assertThat(send(S1, new ApplyPage(R, 1, 1, sets(ABSENT))).position()).isEqualTo(1);
    assertThat(route(ABSENT).positive()).isEqualTo(1);
  }

  @Test
  void page_repeated_isAppliedOnce() {
    publish(S1, R, all(1));
    FilterChanges clears = new FilterChanges();
    sets(ABSENT).replay(new Clearing(clears));
    send(S1, new ApplyPage(R, 1, 1, sets(ABSENT)));
    send(S1, new ApplyPage(R, 1, 2, clears));
    assertThat(send(S1, new ApplyPage(R, 1, 1, sets(ABSENT))).position()).isEqualTo(2);
    assertThat(route(ABSENT).candidates()).isEmpty();
  }

  private record Clearing(FilterChanges into) implements FilterChangeListener {
    @Override
    public void segmentAdded(int segment, SizeClass sizeClass) {}

    @Override
    public void bitSet(int segment, long position) {
      into.bitCleared(segment, position);
    }

    @Override
    public void bitCleared(int segment, long position) {}

    @Override
    public void segmentDropped(int segment) {}
  }

  @Test
  void page_afterGap_opensTheRegion() {
    publish(S1, R, all(1));
    RegionReply reply = send(S1, new ApplyPage(R, 1, 2, sets(ABSENT)));
    assertThat(reply).isEqualTo(new RegionReply(R, Verdict.OPEN, 1, 0, OpenReason.LOST));
    assertOpen(OpenReason.LOST);
  }

  @Test
  void stagedFilter_whileOlderIsTrusted_changesNothingUntilRenewed() {
    publish(S1, R, all(1));
    send(S1, whole(R, 2, ABSENT));
    assertExcludesAbsent();
    send(S1, new RenewTrust(R, 2, 0));
    assertThat(route(ABSENT).positive()).isEqualTo(1);
    assertThat(route(PRESENT).candidates()).isEmpty();
  }

  @Test
  void stagedFilter_ofGenerationInUse_isStale() {
    publish(S1, R, all(1));
    send(S1, new ApplyPage(R, 1, 1, sets(ABSENT)));
    assertThat(send(S1, whole(R, 1, PRESENT)).verdict()).isEqualTo(Verdict.STALE);
    send(S1, new RenewTrust(R, 1, 0));
    assertThat(route(ABSENT).positive()).isEqualTo(1);
  }

  // ---- trust ----

  @Test
  void trust_lastsFromTheTokensIssue_howeverLateItArrives() {
    push(S1, null, new OpenRegion(R, all(1), 0));
    LeaseToken token = token();
    clock.passNanos(TERMS.trustNanos() - 1_000_000);
    push(S1, token, whole(R, 1, PRESENT), new RenewTrust(R, 1, 0));
    assertExcludesAbsent();
    clock.pass(Duration.ofMillis(1));
    assertOpen(OpenReason.LAPSED);
  }

  @Test
  void trust_oldTokenAfterNewerOne_doesNotShortenIt() {
    publish(S1, R, all(1));
    LeaseToken old = token();
    clock.pass(Duration.ofSeconds(1));
    push(S1, token(), new RenewTrust(R, 1, 0));
    push(S1, old, new RenewTrust(R, 1, 0));
    clock.pass(Duration.ofSeconds(1));
    push(S2, token());
    assertExcludesAbsent();
  }

  @Test
  void trust_machineWasSuspended_endsByTheWallClock() {
    publish(S1, R, all(1));
    clock.passByWallClockOnly(Duration.ofSeconds(2));
    assertOpen(OpenReason.LAPSED);
  }

  @Test
  void clock_moreTimeHasPassedAtTheServer_endsAllTrust() {
    publish(S1, R, region("r", 1, 1, "", "m"));
    publish(S2, R, region("s", 1, 1, "m", ""));
    LeaseToken token = token();
    clock.pass(Duration.ofMillis(100));
    long held = Duration.ofMillis(100).toNanos();
    assertThat(push(S1, token, held + TERMS.driftNanos(held), new RenewTrust(R, 1, 0)).inStep())
        .isTrue();
    assertThat(route(ABSENT).excluded()).isEqualTo(2);
    // Nothing but 100 ms has passed by both clocks of the master, which stood still meanwhile.
    PushReply told = push(S1, token, Duration.ofSeconds(3).toNanos(), new RenewTrust(R, 1, 0));
    assertThat(told.inStep()).isFalse();
    assertThat(told.replies().get(0).verdict()).isEqualTo(Verdict.APPLIED);
    assertThat(route(ABSENT).excluded()).isZero();
    push(S2, token, 0, new RenewTrust(R, 1, 0));
    assertThat(route(ABSENT).excluded()).as("by a token of before").isZero();
    clock.passNanos(TERMS.deposedNanos() - 1);
    push(S2, token(), new RenewTrust(R, 1, 0));
    assertThat(route(ABSENT).excluded()).as("another master may be active by now").isZero();
    clock.passNanos(1);
    push(S2, token(), new RenewTrust(R, 1, 0));
    assertThat(route(ABSENT).excluded()).as("by a new token").isEqualTo(1);
  }

  @Test
  void clock_thatNobodyHasConfirmedOfLate_isNotTrusted() {
    publish(S1, R, all(1));
    clock.passNanos(TERMS.confirmationNanos() - 1_000_000);
    assertExcludesAbsent();
    clock.pass(Duration.ofMillis(1));
    assertOpen(OpenReason.UNCONFIRMED_CLOCK);
    push(S2, token());
    assertExcludesAbsent();
  }

  @Test
  void clock_confirmedByATokenThatIsTooOld_isNotTrusted() {
    publish(S1, R, all(1));
    LeaseToken old = token();
    clock.passNanos(TERMS.trustNanos());
    push(S1, token(), new RenewTrust(R, 1, 0));
    clock.passNanos(TERMS.confirmationNanos());
    push(S2, old);
    assertOpen(OpenReason.UNCONFIRMED_CLOCK);
  }

  @Test
  void master_thatMayNotBeTheActiveOne_trustsNobody() {
    publish(S1, R, all(1));
    active = false;
    assertOpen(OpenReason.UNCERTAIN_MASTER);
    assertThat(send(S1, new RenewTrust(R, 1, 0)).verdict()).isEqualTo(Verdict.APPLIED);
    active = true;
    assertExcludesAbsent();
  }

  @Test
  void activeMasterLease_endsSoLongAfterTheQuestion_byEitherClock() {
    ActiveMasterLease lease = new ActiveMasterLease(TERMS);
    assertThat(lease.test(Moment.of(clock))).as("told nothing yet").isFalse();
    Moment asked = Moment.of(clock);
    clock.passNanos(TERMS.deposedNanos() - 1_000_000);
    lease.confirmed(asked);
    assertThat(lease.test(Moment.of(clock))).isTrue();
    clock.pass(Duration.ofMillis(1));
    assertThat(lease.test(Moment.of(clock))).isFalse();
    lease.confirmed(Moment.of(clock));
    assertThat(lease.test(Moment.of(clock))).isTrue();
    lease.lost();
    assertThat(lease.test(Moment.of(clock))).isFalse();
    lease.confirmed(Moment.of(clock));
    clock.passByWallClockOnly(Duration.ofNanos(TERMS.deposedNanos()));
    assertThat(lease.test(Moment.of(clock))).isFalse();
  }

  @Test
  void renewal_missingPage_isNotTrusted() {
    push(S1, null, new OpenRegion(R, all(1), 0));
    push(S1, token(), whole(R, 1, PRESENT), new RenewTrust(R, 1, 0));
    clock.passNanos(TERMS.trustNanos());
    RegionReply reply = send(S1, new RenewTrust(R, 1, 1));
    assertThat(reply.verdict()).isEqualTo(Verdict.APPLIED);
    assertOpen(OpenReason.LAPSED);
  }

  @Test
  void renewal_foreignToken_givesNoTrust() {
    push(S1, null, new OpenRegion(R, all(1), 0));
    LeaseToken ours = token();
    LeaseToken foreign = new LeaseToken(MASTER + 1, ours.issuedNanos(), ours.issuedWallMillis());
    push(S1, foreign, whole(R, 1, PRESENT), new RenewTrust(R, 1, 0));
    assertOpen(OpenReason.LAPSED);
  }

  @Test
  void renewal_tokenFromTheFuture_givesNoTrust() {
    push(S1, null, new OpenRegion(R, all(1), 0));
    LeaseToken ours = token();
    LeaseToken forged = new LeaseToken(MASTER, ours.issuedNanos() + 1_000, ours.issuedWallMillis());
    push(S1, forged, whole(R, 1, PRESENT), new RenewTrust(R, 1, 0));
    assertOpen(OpenReason.LAPSED);
  }

  @Test
  void youngMaster_trustsNobodyAndIsNotSenior() {
    registry = registry(1 << 20);
    push(S1, null, new OpenRegion(R, all(1), 0));
    clock.passNanos(TERMS.quietNanos() - 1);
    PushReply reply = push(S1, token(), whole(R, 1, PRESENT), new RenewTrust(R, 1, 0));
    assertThat(reply.senior()).isFalse();
    assertThat(reply.replies().get(1).verdict()).isEqualTo(Verdict.APPLIED);
    assertOpen(OpenReason.YOUNG_MASTER);
    clock.passNanos(1);
    assertThat(send(S1, new RenewTrust(R, 1, 0)).verdict()).isEqualTo(Verdict.TRUSTED);
    assertThat(push(S1, null).senior()).isFalse();
    clock.passNanos(TERMS.deposedNanos());
    assertThat(push(S1, null).senior()).isTrue();
  }

  @Test
  void masterThatMayBeDeposed_isNotSenior() {
    assertThat(push(S1, null).senior()).isTrue();
    active = false;
    assertThat(push(S1, null).senior()).isFalse();
  }

  @Test
  void stayOpen_thenLateRenewal_bringsNothingBack() {
    publish(S1, R, all(1));
    LeaseToken token = token();
    assertThat(send(S1, new StayOpen(R, 1, OpenReason.SLOW_MASTER)).generation()).isEqualTo(1);
    PushReply late = push(S1, token, whole(R, 1, PRESENT), new RenewTrust(R, 1, 0));
    assertThat(late.replies()).allMatch(reply -> reply.verdict() == Verdict.OPEN);
    assertOpen(OpenReason.SLOW_MASTER);
  }

  @Test
  void stayOpen_lateAndOfAnOlderGeneration_isStale() {
    publish(S1, R, all(1));
    assertThat(send(S1, new StayOpen(R, 0, OpenReason.SLOW_MASTER)).verdict())
        .isEqualTo(Verdict.STALE);
    assertExcludesAbsent();
  }

  // ---- incarnations ----

  @Test
  void open_lateOfAnOlderIncarnation_isFencedForAsLongAsItsTokenIsWorthTrust() {
    LeaseToken token = token();
    publish(S1, R, all(1));
    send(S2, new OpenRegion(R, all(2), 0));
    send(S2, new ReleaseRegion(R));
    clock.passNanos(TERMS.trustNanos() - 1_000_000);
    PushReply late =
        push(
            S1, token, new OpenRegion(R, all(1), 0), whole(R, 1, PRESENT), new RenewTrust(R, 1, 0));
    assertThat(late.replies()).allMatch(reply -> reply.verdict() == Verdict.FENCED);
    assertThat(route(ABSENT).excluded()).isZero();
    PushReply otherNumber =
        push(
            S1,
            token,
            new OpenRegion(R + 1, all(1), 0),
            whole(R + 1, 1, PRESENT),
            new RenewTrust(R + 1, 1, 0));
    assertThat(otherNumber.replies().get(0).verdict()).isEqualTo(Verdict.FENCED);
    assertThat(route(ABSENT).excluded()).isZero();
  }

  @Test
  void open_newerEpoch_opensAndFencesTheOlder() {
    publish(S1, R, all(1));
    assertThat(send(S2, new OpenRegion(R, all(2), 0)).verdict()).isEqualTo(Verdict.OPEN);
    assertOpen(OpenReason.NOT_READY);
    assertThat(send(S1, new RenewTrust(R, 1, 0)).verdict()).isEqualTo(Verdict.FENCED);
    assertOpen(OpenReason.NOT_READY);
  }

  @Test
  void open_olderEpoch_isFenced() {
    publish(S1, R, all(2));
    assertThat(send(S2, new OpenRegion(R, all(1), 0)).verdict()).isEqualTo(Verdict.FENCED);
    assertExcludesAbsent();
  }

  @Test
  void open_daughterOfOtherName_opensTheWholeParent() {
    publish(S1, R, all(9));
    send(S2, new OpenRegion(R, region("d", 2, 1, "m", ""), 0));
    assertThat(ranges(route(ABSENT)))
        .containsExactly(
            new RowRange("".getBytes(), "m".getBytes()),
            new RowRange("m".getBytes(), "".getBytes()));
    assertThat(send(S1, new OpenRegion(2, all(10), 0)).verdict()).isEqualTo(Verdict.FENCED);
  }

  @Test
  void open_afterTruncate_mayHaveALowerEpoch() {
    publish(S1, R, region("old", 1, 50, "", ""));
    assertThat(send(S1, new OpenRegion(2, region("new", 2, 1, "", ""), 0)).verdict())
        .isEqualTo(Verdict.OPEN);
  }

  @Test
  void release_isFinal_howeverLateMessagesAre() {
    push(S1, null, new OpenRegion(R, all(1), 0));
    LeaseToken token = token();
    assertThat(send(S1, new ReleaseRegion(R)).verdict()).isEqualTo(Verdict.RELEASED);
    PushReply late =
        push(
            S1, token, new OpenRegion(R, all(1), 0), whole(R, 1, PRESENT), new RenewTrust(R, 1, 0));
    assertThat(late.replies()).allMatch(reply -> reply.verdict() == Verdict.RELEASED);
    assertOpen(OpenReason.ABSENT);
  }

  @Test
  void release_beforeItsOpenArrived_isFinalToo() {
    send(S1, new ReleaseRegion(R));
    assertThat(send(S1, new OpenRegion(R, all(1), 0)).verdict()).isEqualTo(Verdict.RELEASED);
  }

  @Test
  void release_keepsOlderIncarnationsOutForALease() {
    publish(S2, R, all(2));
    send(S2, new ReleaseRegion(R));
    assertThat(send(S1, new OpenRegion(R, all(1), 0)).verdict()).isEqualTo(Verdict.FENCED);
    clock.passNanos(TERMS.fenceNanos());
    assertThat(send(S1, new OpenRegion(R, all(1), 0)).verdict()).isEqualTo(Verdict.OPEN);
  }

  @Test
  void open_anotherRegionUnderTheSameNumber_endsTheOneBefore() {
    publish(S1, R, region("a", 1, 1, "", "m"));
    OpenRegion other = new OpenRegion(R, region("b", 1, 1, "m", ""), 0);

    assertThat(send(S1, other).verdict()).isEqualTo(Verdict.RELEASED);
    assertThat(registry.regions("t")).isEmpty();
    clock.passNanos(TERMS.fenceNanos());
    assertThat(send(S1, other).verdict()).isEqualTo(Verdict.OPEN);
    assertThat(registry.regions("t"))
        .extracting(view -> view.region().encodedName())
        .containsExactly("b");
  }

  @Test
  void deadServer_isNotHeardAndNotTrusted() {
    publish(S1, R, all(1));
    dead.add(S1);
    assertThat(send(S1, new RenewTrust(R, 1, 0)).verdict()).isEqualTo(Verdict.FENCED);
    assertOpen(OpenReason.ABSENT);
  }

  @Test
  void silentRegion_isForgotten() {
    publish(S1, R, all(1));
    clock.passNanos(11 * TERMS.leaseNanos());
    assertThat(send(S1, new RenewTrust(R, 1, 0)).verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  // ---- what is asked ----

  @Test
  void route_otherVersionSeedOrShape_isOpen() {
    publish(S1, R, all(1));
    for (IndexCoverage other :
        List.of(
            new IndexCoverage(1, 2, 7, 0),
            new IndexCoverage(1, 1, 8, 0),
            new IndexCoverage(2, 1, 7, 0),
            new IndexCoverage(1, 1, 7, 1))) {
      assertThat(registry.route("t", new RoutePredicate.Element(other, ABSENT)).candidates())
          .singleElement()
          .satisfies(one -> assertThat(one.open()).isEqualTo(OpenReason.NOT_COVERED));
    }
  }

  @Test
  void route_trees_followTheirLogic() {
    publish(S1, R, all(1));
    RoutePredicate present = new RoutePredicate.Element(INDEX, PRESENT);
    RoutePredicate absent = new RoutePredicate.Element(INDEX, ABSENT);
    RoutePredicate unknown = new RoutePredicate.Element(new IndexCoverage(2, 1, 7, 0), ABSENT);
    assertThat(excludes(new RoutePredicate.AllOf(List.of(present, absent)))).isTrue();
    assertThat(excludes(new RoutePredicate.AllOf(List.of(unknown, absent)))).isTrue();
    assertThat(excludes(new RoutePredicate.AnyOf(List.of(present, absent)))).isFalse();
    assertThat(excludes(new RoutePredicate.AnyOf(List.of(unknown, absent)))).isFalse();
    assertThat(excludes(new RoutePredicate.AnyOf(List.of(absent, absent)))).isTrue();
  }

  private boolean excludes(RoutePredicate predicate) {
    return registry.route("t", predicate).excluded() == 1;
  }

  // ---- bounds and nonsense ----

  @Test
  void overBudget_isOpenAndSaysSo() {
    registry = registry(32);
    clock.passNanos(TERMS.seniorityNanos());
    push(S1, null, new OpenRegion(R, all(1), 0));
    assertThat(send(S1, whole(R, 1, PRESENT)))
        .isEqualTo(new RegionReply(R, Verdict.UNSTAGED, 1, 0, OpenReason.OVER_BUDGET));
    send(S1, new StayOpen(R, 1, OpenReason.OVER_BUDGET));
    assertOpen(OpenReason.OVER_BUDGET);
  }

  @Test
  void unstagedFilter_givesItsBytesBack() {
    push(S1, null, new OpenRegion(R, all(1), 0));
    send(S1, whole(R, 1, PRESENT));
    assertThat(registry.filterBytes()).isPositive();
    send(S1, new StayOpen(R, 1, OpenReason.SLOW_MASTER));
    assertThat(registry.filterBytes()).isZero();
  }

  @Test
  void malformedMessages_harmNobodyElse() {
    publish(S1, R, region("a", 1, 1, "", "m"));
    publish(S1, 2, region("b", 1, 1, "m", ""));
    List<RegionMessage> nonsense = new ArrayList<>();
    nonsense.add(new StageChunk(2, 2, 3, true, List.of(INDEX), List.of()));
    nonsense.add(
        new StageChunk(
            2,
            3,
            0,
            true,
            List.of(INDEX),
            List.of(new SegmentPiece(0, new SizeClass(2, 10), 5, new long[] {1}))));
    nonsense.add(
        new StageChunk(
            2,
            4,
            0,
            true,
            List.of(INDEX),
            List.of(new SegmentPiece(0, new SizeClass(2, 10), 0, new long[] {-1}))));
    FilterChanges unknownSegment = new FilterChanges();
    unknownSegment.bitSet(77, 1);
    nonsense.add(new ApplyPage(2, 1, 1, unknownSegment));
    nonsense.add(new RenewTrust(2, 1_000, 5));
    nonsense.add(new ApplyPage(12_345, 1, 1, unknownSegment));
    PushReply reply = push(S1, token(), nonsense.toArray(RegionMessage[]::new));
    assertThat(reply.replies())
        .extracting(RegionReply::verdict)
        .containsExactly(
            Verdict.UNSTAGED,
            Verdict.UNSTAGED,
            Verdict.UNSTAGED,
            Verdict.OPEN,
            Verdict.OPEN,
            Verdict.UNKNOWN);
    assertThat(registry.answered()).containsEntry(Verdict.UNSTAGED, 3L);
    assertThat(route(ABSENT).candidates())
        .singleElement()
        .satisfies(
            one -> assertThat(one.range()).isEqualTo(new RowRange("m".getBytes(), "".getBytes())));
  }

  @Test
  void page_thatAddsAHugeSegment_allocatesNothing() {
    push(S1, null, new OpenRegion(R, all(1), 0));
    FilterChanges huge = new FilterChanges();
    huge.segmentAdded(1, new SizeClass(1, SizeClass.MAX_CELLS));
    send(S1, whole(R, 1, PRESENT));
    assertThat(send(S1, new ApplyPage(R, 1, 1, huge)).reason()).isEqualTo(OpenReason.OVER_BUDGET);
    send(S1, whole(R, 2, PRESENT));
    send(S1, new RenewTrust(R, 2, 0));
    assertThat(send(S1, new ApplyPage(R, 2, 1, huge)).reason()).isEqualTo(OpenReason.OVER_BUDGET);
    assertOpen(OpenReason.OVER_BUDGET);
  }

  @Test
  void push_withTooManyMessages_isCutOff() {
    RegionMessage[] many = new RegionMessage[101];
    Arrays.fill(many, new ReleaseRegion(R));
    assertThat(push(S1, null, many).replies()).hasSize(100);
  }

  // ---- views ----

  @Test
  void server_mayHoldWhatAnyOfItsRegionsMay() {
    publish(S1, R, region("a", 1, 1, "", "m"));
    publish(S2, R, region("b", 1, 1, "m", "t"));
    send(S2, new OpenRegion(2, region("c", 1, 1, "t", ""), 0));
    List<RegionView> regions = registry.regions("t");
    assertThat(regions).extracting(RegionView::server).containsExactly(S1, S2, S2);
    assertThat(regions).extracting(RegionView::isPrecise).containsExactly(true, true, false);
    FilterSize size = regions.get(0).size();
    assertThat(size.segments()).isEqualTo(1);
    assertThat(size.bits()).isEqualTo(FilterGeometry.doubling(16, 1e-4).sizeClass(0, 0).slices());
    assertThat(size.error()).isBetween(0.0, 1e-4);
    assertThat(route(ABSENT).mayHold(S1)).isFalse();
    assertThat(route(ABSENT).mayHold(S2)).isTrue();
    assertThat(route(PRESENT).mayHold(S1)).isTrue();
  }

  @Test
  void holdingServers_nameThoseThatMayAndThoseThatCannot() {
    publish(S1, R, region("a", 1, 1, "", "m"));
    publish(S2, R, region("b", 1, 1, "m", "t"));
    publish(S1, 2, region("c", 1, 1, "t", ""));
    assertThat(holding(ABSENT).negative()).containsExactly(S1, S2);
    assertThat(holding(ABSENT).mayHold(S1)).isFalse();
    send(S2, new ApplyPage(R, 1, 1, sets(ABSENT)));
    assertThat(holding(ABSENT))
        .isEqualTo(
            new HoldingServers(
                List.of(
                    new HoldingServers.ServerAnswer(S1, 2, 0, 0),
                    new HoldingServers.ServerAnswer(S2, 0, 1, 0)),
                0));
    assertThat(holding(ABSENT).positive()).containsExactly(S2);
    assertThat(holding(ABSENT).negative()).containsExactly(S1);
    send(S1, new StayOpen(2, 1, OpenReason.SUSPENDED));
    assertThat(holding(ABSENT).mayHold(S1)).as("an open region may hold anything").isTrue();
  }

  @Test
  void holdingServers_someKeysUnannounced_areAllOfThem() {
    publish(S1, R, region("a", 1, 1, "", "m"));
    publish(S2, R, region("c", 1, 1, "t", "w"));
    HoldingServers servers = holding(ABSENT);
    assertThat(servers.unannounced()).isEqualTo(2);
    assertThat(servers.negative()).isEmpty();
    assertThat(servers.mayHold(S1)).isTrue();
    assertThat(registry.servers("other", new RoutePredicate.Element(INDEX, ABSENT)).mayHold(S1))
        .isTrue();
  }

  private HoldingServers holding(long element) {
    return registry.servers("t", new RoutePredicate.Element(INDEX, element));
  }

  @Test
  void views_tellTheReasonTheCoverageAndTheLag() {
    publish(S1, R, all(3));
    RegionView precise = registry.regions("t").get(0);
    assertThat(precise.isPrecise()).isTrue();
    assertThat(precise.coverage()).containsExactly(INDEX);
    assertThat(precise.generation()).isEqualTo(1);
    assertThat(precise.lagNanos()).hasValue(0);
    clock.passNanos(TERMS.trustNanos());
    RegionView lapsed = registry.regions("t").get(0);
    assertThat(lapsed.open()).isEqualTo(OpenReason.LAPSED);
    assertThat(lapsed.lagNanos()).hasValue(TERMS.trustNanos());
    send(S1, new StayOpen(R, 1, OpenReason.SUSPENDED));
    RegionView open = registry.regions("t").get(0);
    assertThat(open.open()).isEqualTo(OpenReason.SUSPENDED);
    assertThat(open.lagNanos()).isEmpty();
  }

  @Test
  void regions_fromAKeyOn_areLimited() {
    publish(S1, 1, region("a", 1, 1, "", "m"));
    publish(S1, 2, region("b", 1, 1, "m", "t"));
    publish(S1, 3, region("c", 1, 1, "t", ""));
    assertThat(registry.regions("t", "b".getBytes(), 1))
        .extracting(view -> view.region().encodedName())
        .containsExactly("b");
    assertThat(registry.tableNames()).containsExactly("t");
  }

  @Test
  void view_youngMaster_isNotTrusting() {
    assertThat(registry.view().trusting()).isTrue();
    assertThat(registry(1 << 20).view().trusting()).isFalse();
    assertThat(registry.view().filterByteLimit()).isEqualTo(1 << 20);
  }

  @Test
  void views_countTheBitsThatPagesChange() {
    publish(S1, R, all(1));
    long before = registry.regions("t").get(0).size().bits();
    send(S1, new ApplyPage(R, 1, 1, sets(ABSENT)));
    assertThat(registry.regions("t").get(0).size().bits()).isGreaterThan(before);
  }
}
