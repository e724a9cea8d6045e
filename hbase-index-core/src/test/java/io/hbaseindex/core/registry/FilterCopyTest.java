/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.push.FilterChunks;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.SegmentPiece;
import io.hbaseindex.core.route.FilterCopy;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteCollector;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A copy of a table's filters answers as the master did when it was made. */
class FilterCopyTest {
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final IndexCoverage OTHER = new IndexCoverage(2, 1, 7, 0);
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final Trust NOW = new Trust(new Moment(0, 0), TERMS.trustNanos(), 0, true, null);
  private static final String[] KEYS = {"", "d", "h", "m", "r", "w"};

  private final TableRoutes routes = new TableRoutes(new MatrixBudget(1 << 24));

  private RegionEntry announce(int number) {
    return announce(number, number);
  }

  private RegionEntry announce(int number, int numberAtServer) {
    String end = number + 1 < KEYS.length ? KEYS[number + 1] : "";
    RowRange range = new RowRange(KEYS[number].getBytes(), end.getBytes());
    RegionEntry entry =
        new RegionEntry(
            new RegionEntry.Key("s", numberAtServer),
            new RegionIncarnation("t", "r" + number, 1, 1, range),
            routes);
    routes.add(entry);
    routes.refresh();
    return entry;
  }

  private void publish(RegionEntry entry, Iterable<Long> elements) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(16, 1e-4), FilterChangeListener.NONE);
    elements.forEach(filter::insert);
    StagedFilter staged =
        new StagedFilter(
            entry.newestGeneration() + 1, List.of(INDEX), 64, new MatrixBudget(1 << 24));
    List<SegmentPiece> pieces = new FilterChunks(filter.snapshot(), 1 << 20).part(0);
    staged.add(new StageChunk(1, staged.generation(), 0, true, List.of(INDEX), pieces));
    entry.setStaged(staged);
    routes.promote(entry);
    entry.filter().trust(new LeaseToken(1, 0, 0));
  }

  private FilterCopy copy(Set<RegionCopy.Version> known) {
    routes.refresh();
    List<RegionCopy> regions = new ArrayList<>();
    byte[] from = {};
    while (true) {
      RegionCopy next = routes.copy(from, known, () -> NOW);
      if (next == null) {
        return new FilterCopy(regions);
      }
      regions.add(next);
      if (next.range().end().length == 0) {
        return new FilterCopy(regions);
      }
      from = next.range().end();
    }
  }

  private RouteAnswer master(RoutePredicate predicate) {
    RouteCollector answer = new RouteCollector();
    routes.route(predicate, NOW, answer);
    return answer.finish();
  }

  private static RoutePredicate element(long hash) {
    return new RoutePredicate.Element(INDEX, hash);
  }

  @Test
  void anyPredicate_isAnsweredAsByTheMaster() {
    SplittableRandom random = new SplittableRandom(7);
    for (int region = 0; region < KEYS.length; region++) {
      // One region in six has no filter, and one is not announced at all.
      if (region != 2) {
        RegionEntry entry = announce(region);
        if (region != 4) {
          publish(entry, random.longs(40, 0, 200).boxed().toList());
        }
      }
    }
    FilterCopy copy = copy(Set.of());
    assertThat(copy.regions()).hasSize(5);
    assertThat(copy.bytes()).isPositive();
    for (int i = 0; i < 2_000; i++) {
      RoutePredicate a = element(random.nextLong(300));
      RoutePredicate b = element(random.nextLong(300));
      RoutePredicate c = new RoutePredicate.Element(OTHER, random.nextLong(300));
      RoutePredicate asked =
          switch (i % 5) {
            case 0 -> a;
            case 1 -> new RoutePredicate.AllOf(List.of(a, b));
            case 2 -> new RoutePredicate.AnyOf(List.of(a, b));
            case 3 -> new RoutePredicate.AllOf(List.of(a, new RoutePredicate.AnyOf(List.of(b, c))));
            default -> c;
          };
      assertThat(copy.route(asked)).as("%s", asked).isEqualTo(master(asked));
    }
  }

  @Test
  void copy_isNotChangedByWhatFollows() {
    RegionEntry entry = announce(0);
    publish(entry, List.of(1L));
    FilterCopy copy = copy(Set.of());
    publish(entry, List.of(2L));

    assertThat(copy.route(element(1)).positive()).isEqualTo(1);
    assertThat(copy.route(element(2)).excluded()).isEqualTo(1);
  }

  @Test
  void knownVersion_comesWithoutItsBits_anotherOneWith() {
    RegionEntry first = announce(0);
    RegionEntry second = announce(1);
    publish(first, List.of(1L));
    publish(second, List.of(1L));
    Set<RegionCopy.Version> known =
        Set.of(
            copy(Set.of()).regions().get(0).version(), copy(Set.of()).regions().get(1).version());
    publish(second, List.of(2L));

    List<RegionCopy> regions = copy(known).regions();
    assertThat(regions.get(0).filter()).isNull();
    assertThat(known).contains(regions.get(0).version());
    assertThat(regions.get(1).filter()).isNotNull();
    assertThat(known).doesNotContain(regions.get(1).version());
  }

  @Test
  void knownVersion_ofARegionOpenedAgainWithTheSameNameAndEpoch_comesWithItsBits() {
    RegionEntry dropped = announce(0, 1);
    publish(dropped, List.of(1L));
    RegionCopy before = copy(Set.of()).regions().get(0);
    routes.remove(dropped);
    publish(announce(0, 2), List.of(2L));

    RegionCopy after = copy(Set.of(before.version())).regions().get(0);
    assertThat(after.version().region()).isEqualTo(before.version().region());
    assertThat(after.version().generation()).isEqualTo(before.version().generation());
    assertThat(after.filter()).isNotNull();
    assertThat(after.version()).isNotEqualTo(before.version());
  }

  @Test
  void filterThatIsNotTrusted_isNotCopied() {
    RegionEntry entry = announce(0);
    publish(entry, List.of(1L));
    Trust late =
        new Trust(NOW.now().plus(2 * TERMS.leaseNanos()), TERMS.trustNanos(), 0, true, null);

    RegionCopy copy = routes.copy(new byte[0], Set.of(), () -> late);
    assertThat(copy.filter()).isNull();
    assertThat(copy.open()).isEqualTo(OpenReason.LAPSED);
    assertThat(new FilterCopy(List.of(copy)).route(element(5)).excluded()).isZero();
  }
}
