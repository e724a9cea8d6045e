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
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What happens between the steps of a route must not make it exclude too much. */
class TableRoutesTest {
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final Trust NOW =
      new Trust(new Moment(0, 0), LeaseTerms.standard().trustNanos(), 0, true, null);
  private static final long ELEMENT = 1_234;

  /** Lets something happen just before or just after the matrix is asked. */
  private static final class Interrupted extends TableRoutes {
    private Runnable before = () -> {};
    private Runnable after = () -> {};
    private Runnable removing = () -> {};
    private int removed = -1;

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
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(16, 1e-4), FilterChangeListener.NONE);
    for (long element : elements) {
      filter.insert(element);
    }
    StagedFilter staged =
        new StagedFilter(
            entry.newestGeneration() + 1, List.of(INDEX), 8, new MatrixBudget(1 << 20));
    List<SegmentPiece> pieces = new FilterChunks(filter.snapshot(), 1 << 20).part(0);
    staged.add(new StageChunk(1, staged.generation(), 0, true, List.of(INDEX), pieces));
    entry.setStaged(staged);
    routes.promote(entry);
    entry.filter().trust(new LeaseToken(1, 0, 0));
    routes.refresh();
  }

  private static boolean isOwner(RegionEntry entry, int id) {
    return entry.filter() != null && entry.filter().owner() == id;
  }

  private RouteAnswer route() {
    RouteCollector answer = new RouteCollector();
    routes.route(new RoutePredicate.Element(INDEX, ELEMENT), NOW, answer);
    return answer.finish();
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
}
