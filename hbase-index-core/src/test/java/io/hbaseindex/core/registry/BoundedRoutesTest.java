/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.predicate.ValueRange;
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
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.FilterCopy;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RoutePredicate.AllOf;
import io.hbaseindex.core.route.RoutePredicate.AnyOf;
import io.hbaseindex.core.route.RoutePredicate.Range;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Routes by bounds: of one region, which has an empty filter and the values 5 and 9. */
class BoundedRoutesTest {
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final IndexCoverage SECOND = new IndexCoverage(2, 1, 7, 0);
  private static final int R = 1;

  private final ManualClock clock = new ManualClock();
  private FilterRegistry registry;

  @BeforeEach
  void publish() {
    LeaseTerms terms = LeaseTerms.standard();
    registry =
        new FilterRegistry(
            99, clock, terms, RegistryLimits.ofBytes(1 << 20), server -> true, at -> true);
    clock.passNanos(terms.seniorityNanos());
    RegionIncarnation region =
        new RegionIncarnation("t", "r", 1, 1, new RowRange(new byte[0], new byte[0]));
    send(new OpenRegion(R, region, 0));
    assertThat(stage(1, values(5, 9).ofAll(List.of(1)))).isEqualTo(Verdict.TRUSTED);
  }

  private static ValueRange range(int from, int to) {
    return ValueRange.from(new byte[] {(byte) from}, Optional.of(new byte[] {(byte) to, 0}));
  }

  private static RegionBounds values(int... values) {
    return RegionBounds.ofValues(
        Map.of(
            1,
            IntStream.of(values)
                .mapToObj(value -> IndexRowKeys.encoded(new byte[] {(byte) value}))
                .toList()));
  }

  private PushReply send(RegionMessage... messages) {
    LeaseToken token = registry.apply(new Push("s", 1, null, 0, List.of())).token();
    return registry.apply(new Push("s", 2, token, 0, List.of(messages)));
  }

  private Verdict stage(long generation, RegionBounds bounds) {
    PushReply reply =
        send(
            new StageChunk(R, generation, 0, true, List.of(INDEX, SECOND), bounds, List.of()),
            new RenewTrust(R, generation, 0));
    return reply.replies().get(1).verdict();
  }

  private RouteAnswer route(RoutePredicate predicate) {
    return registry.route("t", predicate);
  }

  private boolean excludes(IndexCoverage index, int from, int to) {
    return excludes(new Range(index, range(from, to)));
  }

  private boolean excludes(RoutePredicate predicate) {
    return route(predicate).excluded() == 1;
  }

  @Test
  void range_thatBoundsDoNotMeet_isExcluded() {
    assertThat(excludes(INDEX, 1, 4)).isTrue();
    assertThat(excludes(INDEX, 10, 20)).isTrue();
    assertThat(excludes(INDEX, 1, 5)).isFalse();
    assertThat(excludes(INDEX, 9, 20)).isFalse();
    assertThat(excludes(INDEX, 6, 8)).as("between two values").isTrue();
    assertThat(excludes(INDEX, 1, 20)).isFalse();
    assertThat(route(new Range(INDEX, range(5, 7))).positive()).isOne();
  }

  @Test
  void indexWithoutBounds_excludesNothing() {
    assertThat(excludes(SECOND, 1, 4)).isFalse();
    assertThat(stage(2, RegionBounds.EVERYTHING)).isEqualTo(Verdict.TRUSTED);
    assertThat(excludes(INDEX, 1, 4)).isFalse();
  }

  /**
   * As a shard that has the bounds of one region in eight: the answer is to name those, and of a
   * large table not the others.
   */
  @Test
  void veryManyRegionsWithoutBounds_areToldOfTogether() {
    int last = 4_000;
    List<RegionMessage> messages = new ArrayList<>();
    for (int number = 0; number <= last; number++) {
      RowRange keys = new RowRange(key(number, 0, last), key(number + 1, 0, last));
      messages.add(
          new OpenRegion(100 + number, new RegionIncarnation("many", "r" + number, 1, 1, keys), 0));
      RegionBounds bounds =
          number % 8 == 5 ? values(number % 24).ofAll(List.of(1)) : RegionBounds.EVERYTHING;
      messages.add(new StageChunk(100 + number, 1, 0, true, List.of(INDEX), bounds, List.of()));
      messages.add(new RenewTrust(100 + number, 1, 0));
    }
    send(messages.toArray(RegionMessage[]::new));

    RouteAnswer answer = registry.route("many", new Range(INDEX, range(5, 6)));
    List<RouteAnswer.Candidate> named =
        answer.candidates().stream().filter(one -> one.server() != null).toList();
    assertThat(named).hasSize(167).allMatch(one -> one.open() == null);
    assertThat(answer.candidates()).hasSize(named.size() + 501);
    assertThat(answer.excluded()).isEqualTo(500 - 167);
    assertThat(answer.positive()).isEqualTo(last + 1 - answer.excluded());
    for (int number = 0; number <= last; number++) {
      boolean excluded = number % 8 == 5 && number % 24 != 5;
      assertThat(answer.mayHold(key(number, 1, last))).as("%s", number).isEqualTo(!excluded);
    }
    assertThat(registry.servers("many", new Range(INDEX, range(5, 6))).servers())
        .singleElement()
        .satisfies(server -> assertThat(server.positive()).isEqualTo(answer.positive()));
  }

  /**
   * Routes of a very large table are shown late that a region has moved; servers are told of at
   * once.
   */
  @Test
  void servers_regionOfAVeryLargeTableThatHasMoved_isThatOfItsNewServer() {
    int last = TableRoutes.MANY_REGIONS;
    List<RegionMessage> messages = new ArrayList<>();
    for (int number = 0; number <= last; number++) {
      messages.add(new OpenRegion(100 + number, incarnation(number, 1, last), 0));
    }
    send(messages.toArray(RegionMessage[]::new));

    LeaseToken token = registry.apply(new Push("t", 1, null, 0, List.of())).token();
    registry.apply(
        new Push("t", 2, token, 0, List.of(new OpenRegion(1, incarnation(7, 2, last), 0))));

    assertThat(registry.servers("many", new Range(INDEX, range(5, 6))).mayHold("t")).isTrue();
  }

  private static RegionIncarnation incarnation(int number, long epoch, int last) {
    RowRange keys = new RowRange(key(number, 0, last), key(number + 1, 0, last));
    return new RegionIncarnation("many", "r" + number, epoch, epoch, keys);
  }

  private static byte[] key(int number, int behind, int last) {
    boolean isEnd = behind == 0 && (number == 0 || number == last + 1);
    return isEnd ? new byte[0] : ByteBuffer.allocate(8).putInt(number).putInt(behind).array();
  }

  @Test
  void otherVersionSeedOrShape_isOpen() {
    for (IndexCoverage other :
        List.of(
            new IndexCoverage(1, 2, 7, 0),
            new IndexCoverage(1, 1, 8, 0),
            new IndexCoverage(1, 1, 7, 1))) {
      assertThat(route(new Range(other, range(1, 4))).candidates())
          .singleElement()
          .satisfies(one -> assertThat(one.open()).isEqualTo(OpenReason.NOT_COVERED));
    }
  }

  private Optional<List<byte[]>> edges(IndexCoverage index) {
    List<RegionEdge> lower = registry.edges("t", new RegionEdge.Question(index, false));
    List<RegionEdge> upper = registry.edges("t", new RegionEdge.Question(index, true));
    assertThat(lower).hasSameSizeAs(upper);
    return lower.isEmpty()
        ? Optional.empty()
        : Optional.of(
            List.of(lower.get(0).prefix().orElseThrow(), upper.get(0).prefix().orElseThrow()));
  }

  private static List<byte[]> encoded(int lower, int upper) {
    return List.of(
        IndexRowKeys.encoded(new byte[] {(byte) lower}),
        IndexRowKeys.encoded(new byte[] {(byte) upper}));
  }

  @Test
  void e4_edges_areThoseOfTheBounds_whileTheFilterIsTrusted() {
    assertThat(edges(INDEX).orElseThrow()).usingRecursiveComparison().isEqualTo(encoded(5, 9));
    send(new ApplyPage(R, 1, 1, new FilterChanges(), values(12)));
    assertThat(edges(INDEX).orElseThrow()).usingRecursiveComparison().isEqualTo(encoded(5, 12));

    assertThat(edges(SECOND)).as("of any value").isEmpty();
    assertThat(edges(new IndexCoverage(1, 1, 7, 1))).as("of another shape").isEmpty();
    assertThat(registry.edges("other", new RegionEdge.Question(INDEX, true))).isEmpty();
    clock.passNanos(LeaseTerms.standard().seniorityNanos() * 2);
    assertThat(edges(INDEX)).as("not trusted any more").isEmpty();
  }

  @Test
  void e4_page_widensBounds_andNeverNarrowsThem() {
    send(new ApplyPage(R, 1, 1, new FilterChanges(), values(12)));
    assertThat(excludes(INDEX, 11, 12)).isFalse();
    assertThat(excludes(INDEX, 13, 20)).isTrue();

    send(new ApplyPage(R, 1, 2, new FilterChanges(), values(7)));
    assertThat(excludes(INDEX, 11, 12)).isFalse();
    assertThat(excludes(INDEX, 5, 5)).isFalse();
  }

  @Test
  void e4_generationThatIsStaged_bringsItsOwnBounds_andThoseOfItsPages() {
    send(
        new StageChunk(
            R, 2, 0, true, List.of(INDEX, SECOND), values(20, 30).ofAll(List.of(1)), List.of()));
    send(new ApplyPage(R, 2, 1, new FilterChanges(), values(40)));
    assertThat(excludes(INDEX, 20, 30)).as("not in use yet").isTrue();

    send(new RenewTrust(R, 2, 1));
    assertThat(excludes(INDEX, 20, 20)).isFalse();
    assertThat(excludes(INDEX, 35, 40)).isFalse();
    assertThat(excludes(INDEX, 5, 9)).isTrue();
    assertThat(excludes(INDEX, 41, 50)).isTrue();
  }

  /** What does not fit is kept coarsely: it excludes less, and nothing that is there. */
  @Test
  void e4_boundsThatDoNotFit_areMadeCoarse_andMissNothing() {
    Random random = new Random(7);
    int[] many = random.ints(200_000, 0, 1 << 30).toArray();
    List<byte[]> all =
        IntStream.of(many)
            .mapToObj(value -> ByteBuffer.allocate(4).putInt(value).array())
            .map(IndexRowKeys::encoded)
            .toList();
    RegionBounds large = RegionBounds.ofValues(Map.of(1, all));
    assertThat(large.bytes()).isGreaterThan(1 << 20);
    assertThat(stage(2, large.ofAll(List.of(1)))).isEqualTo(Verdict.TRUSTED);
    assertThat(registry.copy("t", new byte[0], Set.of()).orElseThrow().bounds().bytes())
        .isLessThan(1 << 10);
    for (int at = 0; at < 1_000; at++) {
      byte[] value = ByteBuffer.allocate(4).putInt(many[at]).array();
      assertThat(excludes(new Range(INDEX, ValueRange.equalTo(value)))).isFalse();
    }
    assertThat(excludes(INDEX, 0x7F, 0xFF)).as("beyond the largest").isTrue();
  }

  /** Bounds of regions that are not written to would otherwise take what nobody has counted. */
  @Test
  void boundsOfAFilterInUse_countTowardsTheMemoryForFilters_untilAnotherTakesItsPlace() {
    RegionBounds large =
        RegionBounds.ofValues(
            Map.of(
                1,
                IntStream.range(0, 2_000)
                    .mapToObj(value -> ByteBuffer.allocate(4).putInt(31 * value).array())
                    .map(IndexRowKeys::encoded)
                    .toList()));
    long before = registry.filterBytes();

    assertThat(stage(2, large.ofAll(List.of(1)))).isEqualTo(Verdict.TRUSTED);
    assertThat(registry.copy("t", new byte[0], Set.of()).orElseThrow().bounds().bytes())
        .isEqualTo(large.bytes());
    assertThat(registry.filterBytes() - before).isEqualTo(large.bytes());

    assertThat(stage(3, values(5, 9).ofAll(List.of(1)))).isEqualTo(Verdict.TRUSTED);
    assertThat(registry.filterBytes()).isEqualTo(before);
  }

  @Test
  void trees_followTheirLogic() {
    Range met = new Range(INDEX, range(6, 9));
    Range missed = new Range(INDEX, range(1, 2));
    RoutePredicate absent = new RoutePredicate.Element(INDEX, 1234);
    assertThat(excludes(new AllOf(List.of(met, missed)))).isTrue();
    assertThat(excludes(new AllOf(List.of(met, absent)))).as("by the element").isTrue();
    assertThat(excludes(new AnyOf(List.of(met, missed)))).isFalse();
    assertThat(excludes(new AnyOf(List.of(absent, missed)))).isTrue();
    assertThat(excludes(new Range(INDEX, ValueRange.nothing()))).isTrue();
  }

  @Test
  void copy_hasTheBounds() {
    FilterCopy copy =
        new FilterCopy(List.of(registry.copy("t", new byte[0], Set.of()).orElseThrow()));
    assertThat(copy.route(new Range(INDEX, range(1, 4))).excluded()).isOne();
    assertThat(copy.route(new Range(INDEX, range(4, 5))).positive()).isOne();
    assertThat(copy.route(new Range(SECOND, range(1, 4))).positive()).isOne();
  }
}
