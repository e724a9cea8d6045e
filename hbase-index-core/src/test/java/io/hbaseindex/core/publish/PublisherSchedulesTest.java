/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.testing.Schedules;
import io.hbaseindex.core.testing.Schedules.Call;
import io.hbaseindex.core.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Writers, the thread that pushes, and time, in every order in which their calls can come: what a
 * publisher lets be acknowledged is never excluded by the master. The publishers' methods are
 * monitors, so there are no other interleavings.
 */
class PublisherSchedulesTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final long ELEMENT = 5;
  private static final List<IndexCoverage> COVERAGE = List.of(new IndexCoverage(1, 1, 7, 0));

  private static final Call<World> WRITE = new Call<>("write", World::write);
  private static final Call<World> POLL = new Call<>("poll", World::poll);
  private static final Call<World> ARRIVE = new Call<>("arrive", World::arrive);
  private static final Call<World> ANSWER = new Call<>("answer", World::answer);
  private static final Call<World> FAIL = new Call<>("fail", World::fail);
  private static final Call<World> BEAT = new Call<>("beat", w -> w.pass(TERMS.heartbeatNanos()));
  private static final Call<World> LOSE_PATIENCE =
      new Call<>("lose patience", w -> w.pass(TERMS.patienceNanos()));
  private static final Call<World> OUTLAST_TRUST =
      new Call<>("outlast trust", w -> w.pass(TERMS.trustNanos()));

  @Test
  void M1_writersAndPushes_whatIsAcknowledgedIsNeverExcluded() {
    assertThat(writersAndPushes(ServerPublisher::new).tryAll(World::requireNothingExcluded))
        .isEqualTo(504);
  }

  @Test
  void M2_answersThatComeLate_whatIsAcknowledgedIsNeverExcluded() {
    assertThat(lateAnswers(ServerPublisher::new).tryAll(World::requireNothingExcluded))
        .isEqualTo(1_680);
  }

  @Test
  void M7_pushesThatFail_whatIsAcknowledgedIsNeverExcluded() {
    assertThat(failedPushes(ServerPublisher::new).tryAll(World::requireNothingExcluded))
        .isEqualTo(1_680);
  }

  @Test
  void writesAcknowledgedAtOnce_areCaught() {
    assertCaught(writersAndPushes(BrokenPublishers.thatAcknowledgeAtOnce()));
  }

  @Test
  void writesThatWaitForTheirOwnBitsOnly_areCaught() {
    assertCaught(writersAndPushes(BrokenPublishers.thatWaitForOwnBitsOnly()));
  }

  @Test
  void writesThatDoNotWaitForTheLease_areCaught() {
    assertCaught(lateAnswers(BrokenPublishers.withoutLeaseWait()));
    assertCaught(failedPushes(BrokenPublishers.withoutLeaseWait()));
  }

  private static Schedules<World> writersAndPushes(BrokenPublishers.Maker maker) {
    return new Schedules<>(() -> new World(maker))
        .thread(WRITE)
        .thread(WRITE)
        .thread(BEAT)
        .thread(POLL, ARRIVE, ANSWER, POLL, ARRIVE, ANSWER);
  }

  private static Schedules<World> lateAnswers(BrokenPublishers.Maker maker) {
    return new Schedules<>(() -> new World(maker))
        .thread(WRITE)
        .thread(LOSE_PATIENCE, OUTLAST_TRUST)
        .thread(POLL, ARRIVE, ANSWER)
        .thread(BEAT, POLL);
  }

  private static Schedules<World> failedPushes(BrokenPublishers.Maker maker) {
    return new Schedules<>(() -> new World(maker))
        .thread(WRITE)
        .thread(LOSE_PATIENCE, POLL)
        .thread(POLL, ARRIVE, FAIL)
        .thread(BEAT, POLL);
  }

  private static void assertCaught(Schedules<World> schedules) {
    assertThatThrownBy(() -> schedules.tryAll(World::requireNothingExcluded))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("acknowledged");
  }

  /** A server with one region that the master trusts, and what is between the two. */
  private static final class World {
    private final ManualClock clock = new ManualClock();
    private final ServerPublisher publisher;
    private final FilterRegistry master;
    private final PublishedRegion region;
    private final List<WriteTicket> tickets = new ArrayList<>();
    private boolean acknowledged;
    private Optional<Push> push = Optional.empty();
    private Optional<PushReply> reply = Optional.empty();

    World(BrokenPublishers.Maker maker) {
      publisher = maker.make("s1", new RegionNumbers(0), clock, TERMS, PublishLimits.standard());
      master =
          new FilterRegistry(
              1, clock, TERMS, RegistryLimits.ofBytes(1 << 20), server -> true, now -> true);
      clock.passNanos(TERMS.seniorityNanos());
      RowRange all = new RowRange(new byte[0], new byte[0]);
      region =
          publisher.open(
              new RegionIncarnation("t", "r", 1, 1, all), FilterGeometry.doubling(64, 1e-4));
      region.startRebuild(0);
      region.completeRebuild(COVERAGE);
      for (Optional<Push> next = publisher.poll(); next.isPresent(); next = publisher.poll()) {
        publisher.onReply(master.apply(next.get()));
      }
      assertThat(excludes()).as("the master trusts the region before anything happens").isTrue();
    }

    void write() {
      tickets.add(region.insert(ELEMENT));
    }

    void poll() {
      Optional<Push> next = publisher.poll();
      push = next.isPresent() ? next : push;
    }

    void arrive() {
      push.ifPresent(sent -> reply = Optional.of(master.apply(sent)));
    }

    void answer() {
      reply.ifPresent(publisher::onReply);
    }

    void fail() {
      push.ifPresent(sent -> publisher.onPushFailed(sent.number()));
    }

    void pass(long nanos) {
      clock.passNanos(nanos);
    }

    void requireNothingExcluded() {
      acknowledged |= tickets.stream().anyMatch(region::isSettled);
      if (acknowledged && excludes()) {
        throw new AssertionError("the master excludes a write that was acknowledged");
      }
    }

    /** Whether the master excludes the element; other servers go on confirming its clock. */
    private boolean excludes() {
      LeaseToken token = master.apply(new Push("s2", 1, null, 0, List.of())).token();
      master.apply(new Push("s2", 2, token, 0, List.of()));
      return master.route("t", new RoutePredicate.Element(COVERAGE.get(0), ELEMENT)).excluded()
          == 1;
    }
  }
}
