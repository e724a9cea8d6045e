/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteCollector;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Answers of shards that cut the keys differently, against one set of keys for each element. */
class ShardedRouteTest {
  private static final int FEW = 3;
  private static final int MANY = 17;

  /** Of many. */
  private static final int WITH_BOUNDS = 3;

  private static final int KEYS = 40;
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 1, 0);

  private final RandomGenerator random = new SplittableRandom(7);
  private final List<Set<Integer>> rows = new ArrayList<>();
  private final List<List<Integer>> cuts = new ArrayList<>();
  private int questions;
  private int shards = FEW;

  @Test
  void anyPredicate_overShardsThatKnowOtherRegions_excludesNoRow() {
    int excluded = 0;
    for (int run = 0; run < 3_000; run++) {
      shards = run % 2 == 0 ? FEW : MANY;
      fill();
      RoutePredicate predicate = predicate(3);
      RouteAnswer answer = ShardedRoute.ask(predicate, shards, this::ask).join();
      for (int key = 0; key < KEYS; key++) {
        if (satisfies(predicate, key)) {
          assertThat(answer.mayHold(new byte[] {(byte) key})).as("%s of %s", key, answer).isTrue();
        } else if (!answer.mayHold(new byte[] {(byte) key})) {
          excluded++;
        }
      }
      assertThat(answer.candidates().stream().filter(one -> one.open() == null).count())
          .isEqualTo(answer.positive());
    }
    assertThat(excluded).as("keys excluded").isGreaterThan(10_000);
  }

  @Test
  void elementsOfOneShard_areOneQuestion() {
    fill();
    RoutePredicate one = element(0);
    RoutePredicate all =
        new RoutePredicate.AnyOf(List.of(one, new RoutePredicate.AllOf(List.of(one, one)), one));
    ShardedRoute.ask(all, shards, this::ask).join();
    assertThat(questions).isOne();
  }

  @Test
  void rangesAlone_areOneQuestionToEachShardThatHasBounds() {
    shards = MANY;
    fill();
    RoutePredicate all =
        new RoutePredicate.AnyOf(
            List.of(range(0), new RoutePredicate.AllOf(List.of(range(1), range(2)))));
    ShardedRoute.ask(all, shards, this::ask).join();
    assertThat(questions).isEqualTo(WITH_BOUNDS);
    shards = FEW;
    fill();
    ShardedRoute.ask(all, shards, this::ask).join();
    assertThat(questions).as("of few shards one has all bounds").isEqualTo(WITH_BOUNDS + 1);
  }

  @Test
  void manyElements_areOneQuestionToEachShard_inEachOfTwoRounds() {
    fill();
    List<RoutePredicate> many = new ArrayList<>();
    for (int element = 0; element < 12; element++) {
      many.add(element(element));
    }
    ShardedRoute.ask(new RoutePredicate.AnyOf(many), shards, this::ask).join();
    long concerned = IntStream.range(0, 12).map(e -> Shards.of(e, shards)).distinct().count();
    assertThat(questions).isEqualTo((int) (2 * concerned));
  }

  @Test
  void anyOfWithinAnyOf_isAskedTwice_howeverDeepItLies() {
    fill();
    RoutePredicate deep = element(0);
    int elements = 1;
    for (int depth = 0; depth < 12; depth++) {
      deep =
          new RoutePredicate.AnyOf(
              List.of(new RoutePredicate.AllOf(List.of(deep, element(depth % 12))), element(1)));
      elements += 2;
    }
    ShardedRoute.ask(deep, shards, this::ask).join();
    assertThat(questions).isLessThanOrEqualTo(2 * elements);
  }

  /**
   * A row has one of the values asked for at every moment. In one registry it cannot fall between
   * two readings, since a question is one; here the write is done between the answers of two
   * shards: confirmed where the new value belongs, then taken out where the old one did.
   */
  @Test
  void rowThatChangesFromOneOfTheValuesToAnother_betweenTheAnswersOfTheirShards_isNotExcluded() {
    int after =
        IntStream.range(0, 100).filter(e -> Shards.of(e, shards) == 0).findFirst().orElse(0);
    int before =
        IntStream.range(0, 100).filter(e -> Shards.of(e, shards) == 1).findFirst().orElse(0);
    int[] held = {before};
    RouteAnswer answer =
        ShardedRoute.ask(
                new RoutePredicate.AnyOf(List.of(element(before), element(after))),
                shards,
                (shard, part) -> {
                  boolean holds = part.equals(element(held[0]));
                  held[0] = after;
                  RouteCollector said = new RouteCollector();
                  if (holds) {
                    said.candidate(RowRange.ALL, "s", null);
                  } else {
                    said.excluded(RowRange.ALL, List.of("s"));
                  }
                  return CompletableFuture.completedFuture(said.finish());
                })
            .join();
    assertThat(answer.mayHold(new byte[] {1})).isTrue();
  }

  private void fill() {
    rows.clear();
    cuts.clear();
    for (int element = 0; element < 12; element++) {
      Set<Integer> keys = new TreeSet<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        keys.add(random.nextInt(KEYS));
      }
      rows.add(keys);
    }
    for (int shard = 0; shard < shards; shard++) {
      Set<Integer> cut = new TreeSet<>(Set.of(0, KEYS));
      for (int i = random.nextInt(8); i > 0; i--) {
        cut.add(1 + random.nextInt(KEYS - 1));
      }
      cuts.add(List.copyOf(cut));
    }
  }

  private RoutePredicate predicate(int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      int element = random.nextInt(12);
      return random.nextInt(4) == 0 ? range(element) : element(element);
    }
    List<RoutePredicate> parts = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      parts.add(predicate(depth - 1));
    }
    return random.nextBoolean() ? new RoutePredicate.AllOf(parts) : new RoutePredicate.AnyOf(parts);
  }

  private static RoutePredicate element(int element) {
    return new RoutePredicate.Element(INDEX, element);
  }

  /** The range that nothing but the value of an element lies in. */
  private static RoutePredicate range(int element) {
    return new RoutePredicate.Range(INDEX, ValueRange.startingWith(new byte[] {(byte) element}));
  }

  private static int elementOf(RoutePredicate.Range range) {
    return range.values().lower()[0];
  }

  private boolean satisfies(RoutePredicate predicate, int key) {
    if (predicate instanceof RoutePredicate.Element element) {
      return rows.get((int) element.hash()).contains(key);
    }
    if (predicate instanceof RoutePredicate.Range range) {
      return rows.get(elementOf(range)).contains(key);
    }
    return predicate instanceof RoutePredicate.AllOf all
        ? all.parts().stream().allMatch(part -> satisfies(part, key))
        : ((RoutePredicate.AnyOf) predicate)
            .parts().stream().anyMatch(part -> satisfies(part, key));
  }

  /** A shard whose regions are its own, of which some are open. */
  private CompletableFuture<RouteAnswer> ask(int shard, RoutePredicate predicate) {
    questions++;
    requireOwn(shard, predicate);
    RouteCollector answer = new RouteCollector();
    List<Integer> cut = cuts.get(shard);
    for (int i = 0; i + 1 < cut.size(); i++) {
      int low = cut.get(i);
      int high = cut.get(i + 1);
      RowRange range =
          new RowRange(
              low == 0 ? new byte[0] : new byte[] {(byte) low},
              high == KEYS ? new byte[0] : new byte[] {(byte) high});
      if (random.nextInt(5) == 0) {
        answer.candidate(range, "s" + i, OpenReason.PUBLISHING);
      } else if (mayHold(predicate, low, high, hasBounds(shard, low))) {
        if (isRange(predicate) && !hasBounds(shard, low)) {
          answer.undecided(range, "s" + i);
        } else {
          answer.candidate(range, "s" + i, null);
        }
      } else {
        answer.excluded(range, List.of("s" + i));
      }
    }
    return CompletableFuture.completedFuture(answer.finish());
  }

  private boolean hasBounds(int shard, int low) {
    return shard == low % (shards == FEW ? 1 : WITH_BOUNDS);
  }

  private static boolean isRange(RoutePredicate predicate) {
    return predicate instanceof RoutePredicate.Range;
  }

  private boolean mayHold(RoutePredicate predicate, int low, int high, boolean bounded) {
    if (predicate instanceof RoutePredicate.Element element) {
      return has((int) element.hash(), low, high);
    }
    if (predicate instanceof RoutePredicate.Range range) {
      return !bounded || has(elementOf(range), low, high);
    }
    return predicate instanceof RoutePredicate.AllOf all
        ? all.parts().stream().allMatch(part -> mayHold(part, low, high, bounded))
        : ((RoutePredicate.AnyOf) predicate)
            .parts().stream().anyMatch(part -> mayHold(part, low, high, bounded));
  }

  private boolean has(int element, int low, int high) {
    return rows.get(element).stream().anyMatch(key -> key >= low && key < high);
  }

  private void requireOwn(int shard, RoutePredicate predicate) {
    if (predicate instanceof RoutePredicate.Element element) {
      assertThat(Shards.of(element.hash(), shards)).isEqualTo(shard);
    } else if (predicate instanceof RoutePredicate.AllOf all) {
      all.parts().forEach(part -> requireOwn(shard, part));
    } else if (predicate instanceof RoutePredicate.AnyOf any) {
      any.parts().forEach(part -> requireOwn(shard, part));
    }
  }
}
