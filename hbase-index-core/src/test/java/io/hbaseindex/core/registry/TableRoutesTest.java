/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.push.FilterChunks;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.push.SegmentPiece;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionJudge;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteCollector;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What happens between the steps of a route must not make it exclude too much. */
class TableRoutesTest {
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final IndexCoverage OTHER = new IndexCoverage(2, 1, 7, 0);
  private static final Trust NOW =
      new Trust(new Moment(0, 0), LeaseTerms.standard().trustNanos(), 0, true, null);
  private static final long ELEMENT = 1_234;

  /** Lets something happen just before or just after the matrix is asked. */
  private static final class Interrupted extends TableRoutes {
    private Runnable before = () -> {};
    private Runnable after = () -> {};
    private Runnable removing = () -> {};
    private int removed = -1;
    private int settled;

    Interrupted() {
      super(new MatrixBudget(1 << 20));
    }

    @Override
    RegionJudge<TrustedFilter> ask(RoutePredicate predicate) {
      before.run();
      RegionJudge<TrustedFilter> proof = super.ask(predicate);
      after.run();
      return proof;
    }

    @Override
    SettledTable.Verdict ask(SettledTable table, RoutePredicate predicate) {
      settled++;
      before.run();
      SettledTable.Verdict verdict = super.ask(table, predicate);
      after.run();
      return verdict;
    }

    @Override
    void takeOutOfMatrix(TrustedFilter filter) {
      removing.run();
      super.takeOutOfMatrix(filter);
      removed = filter.owner();
    }
  }

  private final Interrupted routes = new Interrupted();

  private RegionEntry announce(int number, String from, String to) {
    RowRange range = new RowRange(from.getBytes(), to.getBytes());
    RegionEntry entry =
        new RegionEntry(
            new RegionEntry.Key("s", number),
            new RegionIncarnation("t", "r" + number, 1, 1, range),
            routes);
    routes.add(entry);
    routes.refresh();
    return entry;
  }

  private void publish(RegionEntry entry, long... elements) {
    publish(entry, List.of(INDEX), elements);
  }

  private void publish(RegionEntry entry, List<IndexCoverage> coverage, long... elements) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(16, 1e-4), FilterChangeListener.NONE);
    for (long element : elements) {
      filter.insert(element);
    }
    StagedFilter staged =
        new StagedFilter(entry.newestGeneration() + 1, coverage, 8, new MatrixBudget(1 << 20));
    List<SegmentPiece> pieces = new FilterChunks(filter.snapshot(), 1 << 20).part(0);
    staged.add(new StageChunk(1, staged.generation(), 0, true, coverage, pieces));
    entry.setStaged(staged);
    routes.promote(entry);
    entry.filter().trust(new LeaseToken(1, 0, 0));
    routes.refresh();
  }

  private static boolean isOwner(RegionEntry entry, int id) {
    return entry.filter() != null && entry.filter().owner() == id;
  }

  private RouteAnswer route() {
    return route(new RoutePredicate.Element(INDEX, ELEMENT), NOW);
  }

  private RouteAnswer route(RoutePredicate predicate, Trust trust) {
    RouteCollector answer = new RouteCollector();
    routes.route(predicate, trust, answer);
    return answer.finish();
  }

  /** Two regions, of which the first holds the element; routes need not walk any more. */
  private List<RegionEntry> settle() {
    List<RegionEntry> regions = List.of(announce(1, "", "m"), announce(2, "m", ""));
    publish(regions.get(0), ELEMENT);
    publish(regions.get(1), 5);
    RouteAnswer walked = route();
    assertThat(routes.settled).isZero();
    assertThat(route()).isEqualTo(walked);
    assertThat(routes.settled).as("routes by sets of owners").isEqualTo(1);
    assertThat(walked.excluded()).isEqualTo(1);
    return regions;
  }

  private boolean namesTheFirst(RouteAnswer answer) {
    return answer.mayHold("a".getBytes());
  }

  @Test
  void filterPublishedAfterTheMatrixWasAsked_isNotTakenForNegative() {
    RegionEntry late = announce(1, "", "");
    routes.after = () -> publish(late, ELEMENT);
    assertThat(route().excluded()).isZero();
    routes.after = () -> {};
    assertThat(route().positive()).isEqualTo(1);
  }

  @Test
  void idThatGoesToAnotherRegion_isNotTakenForTheFirst() {
    RegionEntry holder = announce(1, "", "m");
    RegionEntry other = announce(2, "m", "");
    publish(holder, ELEMENT);
    int id = holder.filter().owner();
    routes.before =
        () -> {
          routes.dropFilter(holder);
          // The matrix gives an id out again only after its next grace period.
          for (int tries = 0; tries < 10 && !isOwner(other, id); tries++) {
            routes.dropFilter(other);
            publish(other);
          }
        };
    assertThat(route().mayHold("a".getBytes())).isTrue();
    assertThat(isOwner(other, id)).as("the id was given out again").isTrue();
  }

  @Test
  void filterTakenOutOfTheMatrix_isOutOfForceBefore() {
    RegionEntry entry = announce(1, "", "");
    publish(entry, ELEMENT);
    TrustedFilter filter = entry.filter();
    routes.removing = () -> assertThat(filter.isTrusted(NOW)).isFalse();
    routes.dropFilter(entry);
    assertThat(routes.removed).isEqualTo(filter.owner());
    assertThat(route().mayHold("a".getBytes())).as("the layout still shows the filter").isTrue();
  }

  @Test
  void filterReplacedBeforeTheMatrixIsAsked_isNotTakenForNegative() {
    RegionEntry entry = announce(1, "", "");
    publish(entry, ELEMENT);
    routes.before = () -> publish(entry, ELEMENT, 5);
    assertThat(route().mayHold("a".getBytes())).isTrue();
  }

  /** A route that is under way must not judge the new bits by what the former filter covered. */
  @Test
  void filterReplaced_isOutOfForce() {
    RegionEntry entry = announce(1, "", "");
    publish(entry, ELEMENT);
    TrustedFilter former = entry.filter();
    assertThat(former.isTrusted(NOW)).isTrue();
    publish(entry, ELEMENT, 5);
    assertThat(former.isTrusted(NOW)).isFalse();
    assertThat(entry.filter().isTrusted(NOW)).isTrue();
  }

  @Test
  void copyOfARegionThatIsOver_hasNoFilter_thoughItsFilterIsStillTrusted() {
    RegionEntry entry = announce(1, "", "");
    publish(entry, ELEMENT);
    assertThat(routes.copy(new byte[0], Set.of(), () -> NOW).open()).isNull();
    assertThat(routes.views(new byte[0], 1, NOW).get(0).open()).isNull();
    entry.end(Verdict.FENCED);
    assertThat(entry.filter().isTrusted(NOW)).isTrue();
    assertThat(routes.copy(new byte[0], Set.of(), () -> NOW).open()).isEqualTo(OpenReason.LAPSED);
    assertThat(routes.views(new byte[0], 1, NOW).get(0).open()).isEqualTo(OpenReason.LAPSED);
  }

  @Test
  void settled_whileTheMatrixIsAskedAnIdGoesToAnotherRegion_isNotTakenForTheFirst() {
    List<RegionEntry> regions = settle();
    int id = regions.get(0).filter().owner();
    RegionEntry other = regions.get(1);
    routes.before =
        () -> {
          routes.before = () -> {};
          routes.dropFilter(regions.get(0));
          for (int tries = 0; tries < 10 && !isOwner(other, id); tries++) {
            routes.dropFilter(other);
            publish(other);
          }
        };
    assertThat(namesTheFirst(route())).isTrue();
    assertThat(routes.settled).isEqualTo(2);
    assertThat(isOwner(other, id)).as("the id was given out again").isTrue();
  }

  @Test
  void settled_filterGoesOrAnEntryEnds_isNotTakenForNegative() {
    List<Consumer<RegionEntry>> ends =
        List.of(
            entry -> entry.end(Verdict.FENCED),
            routes::dropFilter,
            entry -> publish(entry, 6),
            entry -> entry.setFilter(null));
    for (Consumer<RegionEntry> end : ends) {
      RegionEntry entry = announce(1, "", "");
      publish(entry, 5);
      route();
      int before = routes.settled;
      assertThat(route().excluded()).isEqualTo(1);
      assertThat(routes.settled).isEqualTo(before + 1);
      routes.before =
          () -> {
            routes.before = () -> {};
            end.accept(entry);
          };
      RouteAnswer answer = route();
      assertThat(routes.settled).isEqualTo(before + 2);
      boolean replaced = entry.filter() != null && entry.over() == null;
      assertThat(answer.excluded()).isEqualTo(replaced ? 1 : 0);
      assertThat(route().excluded()).isEqualTo(replaced ? 1 : 0);
    }
  }

  @Test
  void settled_regionComes_isLookedAt() {
    RegionEntry first = announce(1, "", "m");
    publish(first, 5);
    route();
    route();
    assertThat(routes.settled).isEqualTo(1);
    announce(2, "m", "");
    assertThat(route().open()).isEqualTo(1);
    assertThat(routes.settled).isEqualTo(1);
  }

  @Test
  void settled_trustOfTheOldestTokenIsOver_isWalkedAndSettledByNewerOnes() {
    List<RegionEntry> regions = settle();
    long trust = LeaseTerms.standard().trustNanos();
    RoutePredicate absent = new RoutePredicate.Element(INDEX, 77);
    regions.get(0).filter().trust(new LeaseToken(1, trust, trust / 1_000_000));
    assertThat(route(absent, at(trust - 1)).excluded()).isEqualTo(2);
    assertThat(routes.settled).isEqualTo(2);
    RouteAnswer lapsed = route(absent, at(trust));
    assertThat(lapsed.excluded()).isEqualTo(1);
    assertThat(lapsed.open()).isEqualTo(1);
    regions.get(1).filter().trust(new LeaseToken(1, trust, trust / 1_000_000));
    assertThat(route(absent, at(trust)).excluded()).isEqualTo(2);
    assertThat(routes.settled).isEqualTo(2);
    assertThat(route(absent, at(trust)).excluded()).isEqualTo(2);
    assertThat(routes.settled).isEqualTo(3);
  }

  @Test
  void settled_oldestTokenByEitherClock_counts() {
    List<RegionEntry> regions = settle();
    long trust = LeaseTerms.standard().trustNanos();
    long millis = trust / 1_000_000;
    // One is older by the monotonic clock, the other by a wall clock that was set back since.
    regions.get(0).filter().trust(new LeaseToken(1, 10, millis));
    regions.get(1).filter().trust(new LeaseToken(1, trust, 10));
    route(new RoutePredicate.Element(INDEX, 77), at(trust));
    int before = routes.settled;
    Trust late = new Trust(new Moment(trust + 10, millis + 9), trust, 0, true, null);
    assertThat(route(new RoutePredicate.Element(INDEX, 77), late).open()).isEqualTo(1);
    late = new Trust(new Moment(trust + 9, millis + 10), trust, 0, true, null);
    assertThat(route(new RoutePredicate.Element(INDEX, 77), late).open()).isEqualTo(1);
    assertThat(routes.settled).isEqualTo(before);
  }

  private static Trust at(long nanos) {
    return new Trust(
        new Moment(nanos, nanos / 1_000_000), LeaseTerms.standard().trustNanos(), 0, true, null);
  }

  @Test
  void settled_nobodyIsTrustedAnyMore_isOpen() {
    settle();
    Moment now = new Moment(0, 0);
    long trust = LeaseTerms.standard().trustNanos();
    for (Trust none :
        List.of(
            new Trust(now, trust, 0, true, OpenReason.YOUNG_MASTER),
            new Trust(now, trust, 0, false, null),
            new Trust(now, trust, 1, true, null))) {
      assertThat(route(new RoutePredicate.Element(INDEX, 77), none).open()).isEqualTo(2);
    }
    assertThat(routes.settled).isEqualTo(1);
  }

  @Test
  void settled_anyPredicate_isAnsweredAsByAWalk() {
    SplittableRandom random = new SplittableRandom(12);
    int number = 0;
    for (int from = 0; from < 90; from += 1 + random.nextInt(2)) {
      RegionEntry entry = announce(++number, from == 0 ? "" : key(from), key(from + 1));
      publish(entry, random.longs(random.nextInt(6), 0, 8).toArray());
    }
    for (int question = 0; question < 1_000; question++) {
      RoutePredicate predicate = predicate(random, 3);
      routes.forceChanged();
      int before = routes.settled;
      RouteAnswer walked = route(predicate, NOW);
      assertThat(routes.settled).isEqualTo(before);
      assertThat(route(predicate, NOW)).as("%s", predicate).isEqualTo(walked);
      assertThat(routes.settled).isEqualTo(before + 1);
    }
  }

  @Test
  void settledButForAFew_anyPredicate_isAnsweredAsByAWalk() {
    SplittableRandom random = new SplittableRandom(13);
    List<RegionEntry> regions = new ArrayList<>();
    for (int from = 0; from < 90; from += 1 + random.nextInt(2)) {
      RegionEntry entry = announce(from + 1, from == 0 ? "" : key(from), key(from + 1));
      regions.add(entry);
      publish(entry, random.longs(random.nextInt(6), 0, 8).toArray());
    }
    routes.dropFilter(regions.get(0));
    publish(regions.get(7), List.of(OTHER), 1, 2, 3);
    routes.dropFilter(regions.get(8));
    publish(regions.get(31), List.of(INDEX, OTHER), 4, 5);
    regions.get(regions.size() - 1).end(Verdict.FENCED);
    for (int question = 0; question < 1_000; question++) {
      RoutePredicate predicate = predicate(random, 3);
      routes.forceChanged();
      int before = routes.settled;
      RouteAnswer walked = route(predicate, NOW);
      assertThat(routes.settled).isEqualTo(before);
      assertThat(route(predicate, NOW)).as("%s", predicate).isEqualTo(walked);
      assertThat(routes.settled).isEqualTo(before + 1);
    }
  }

  @Test
  void tooFewAreTrusted_isNotSettled() {
    for (int number = 0; number < 16; number++) {
      RegionEntry entry = announce(number, number == 0 ? "" : key(number), key(number + 1));
      if (number > 2) {
        publish(entry, 5);
      }
    }
    route();
    assertThat(route().open()).isEqualTo(3);
    assertThat(routes.settled).isZero();
  }

  /** Eight regions, the first of which is not trusted, and routes that need not walk any more. */
  private RegionEntry settleButForTheFirst() {
    RegionEntry first = announce(1, "", key(1));
    for (int number = 1; number < 8; number++) {
      publish(announce(number + 1, key(number), number == 7 ? "" : key(number + 1)), 5);
    }
    route();
    assertThat(route().open()).isEqualTo(1);
    assertThat(routes.settled).isEqualTo(1);
    return first;
  }

  @Test
  void settledButForOne_whoseFilterComesAfterTheMatrixWasAsked_isNotTakenForNegative() {
    RegionEntry first = settleButForTheFirst();
    routes.after =
        () -> {
          routes.after = () -> {};
          publish(first, ELEMENT);
        };
    assertThat(route().mayHold("0".getBytes())).isTrue();
    assertThat(routes.settled).isEqualTo(2);
    assertThat(route().positive()).isEqualTo(1);
  }

  @Test
  void settledButForOne_thatIsTrustedLater_isJudgedByItsFilter() {
    RegionEntry first = announce(1, "", key(1));
    publish(first, 6);
    TrustedFilter lapsed = first.filter();
    long trust = LeaseTerms.standard().trustNanos();
    for (int number = 1; number < 8; number++) {
      RegionEntry entry = announce(number + 1, key(number), number == 7 ? "" : key(number + 1));
      publish(entry, 5);
      entry.filter().trust(new LeaseToken(1, trust, trust / 1_000_000));
    }
    RoutePredicate absent = new RoutePredicate.Element(INDEX, 77);
    route(absent, at(trust));
    assertThat(route(absent, at(trust)).open()).isEqualTo(1);
    assertThat(routes.settled).isEqualTo(1);
    lapsed.trust(new LeaseToken(1, trust, trust / 1_000_000));
    assertThat(route(absent, at(trust)).excluded()).isEqualTo(8);
    assertThat(route(new RoutePredicate.Element(INDEX, 6), at(trust)).positive()).isEqualTo(1);
    assertThat(routes.settled).isEqualTo(3);
  }

  @Test
  void veryManyRegions_areShownOnceInAWhile_fewAtOnce() {
    int many = TableRoutes.MANY_REGIONS;
    long began = Long.MIN_VALUE + 5; // a monotonic clock may begin anywhere
    for (int number = 0; number < many - 1; number++) {
      add(number);
      if (number % 512 == 0) {
        routes.refresh(began);
        assertThat(routes.views(new byte[0], many, NOW)).hasSize(number + 1);
      }
    }
    routes.refresh(began);
    assertThat(routes.views(new byte[0], many, NOW)).hasSize(many - 1);
    add(many);
    routes.refresh(began);
    assertThat(routes.views(new byte[0], many, NOW)).hasSize(many - 1);
    assertThat(routes.isStale()).isTrue();
    assertThat(route().mayHold("%05d".formatted(many).getBytes()))
        .as("keys of a region to come")
        .isTrue();
    long rest = many * TableRoutes.REST_NANOS_PER_REGION;
    routes.refresh(began + rest - 1);
    assertThat(routes.isStale()).isTrue();
    routes.refresh(began + rest);
    assertThat(routes.views(new byte[0], many, NOW)).hasSize(many);
  }

  private void add(int number) {
    RowRange range =
        new RowRange("%05d".formatted(number).getBytes(), "%05d".formatted(number + 1).getBytes());
    routes.add(
        new RegionEntry(
            new RegionEntry.Key("s", number),
            new RegionIncarnation("t", "r" + number, 1, 1, range),
            routes));
  }

  private static String key(int number) {
    return "%03d".formatted(number);
  }

  private static RoutePredicate predicate(SplittableRandom random, int depth) {
    int kind = random.nextInt(depth == 0 ? 2 : 6);
    if (kind < 2) {
      boolean known = random.nextInt(5) > 0;
      return new RoutePredicate.Element(known ? INDEX : OTHER, random.nextInt(12));
    }
    List<RoutePredicate> parts =
        IntStream.rangeClosed(0, random.nextInt(3))
            .mapToObj(part -> predicate(random, depth - 1))
            .toList();
    return kind < 4 ? new RoutePredicate.AllOf(parts) : new RoutePredicate.AnyOf(parts);
  }

  @Test
  void settled_range_isJudgedRegionByRegion() {
    settle();
    RoutePredicate range = new RoutePredicate.Range(INDEX, ValueRange.everything());
    assertThat(route(range, NOW).positive()).isEqualTo(2);
    assertThat(routes.settled).isEqualTo(1);
  }

  @Test
  void filtersThatCoverDifferentIndexes_areNotSettled() {
    RegionEntry first = announce(1, "", "m");
    RegionEntry second = announce(2, "m", "");
    publish(first, 5);
    publish(second, List.of(INDEX, OTHER), 5);
    for (int i = 0; i < 3; i++) {
      RouteAnswer answer = route(new RoutePredicate.Element(OTHER, 77), NOW);
      assertThat(answer.excluded()).isEqualTo(1);
      assertThat(namesTheFirst(answer)).isTrue();
    }
    assertThat(routes.settled).isZero();
  }
}
