/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Asks the shards that a predicate concerns, side by side, and combines what they answer.
 *
 * <p>The moments matter for an "any of" all the same. A row may go from one value to another that
 * are both asked for, out of the shard that is asked last into the one that was asked first: it
 * would be left out, although it was a match all the time. So the whole is asked once more when all
 * have answered, and keys are left out that both rounds leave out. What is left is a row that goes
 * there and back while one route is asked for.
 *
 * <p>Whatever concerns one shard alone is one question to it. Where several shards have bounds,
 * each of some regions, whatever consists of ranges alone is one question to each of them, and
 * leaves the keys that none excludes. An "all of" leaves the keys that no part excludes, an "any
 * of" those that some part does not exclude. Each answer is right for every write that was
 * acknowledged before it was asked for, so the combined one is, too, although the shards answer at
 * different moments.
 */
@InterfaceAudience.Private
public final class ShardedRoute {
  /** Asks one shard. */
  public interface Asking {
    CompletableFuture<RouteAnswer> ask(int shard, RoutePredicate predicate);
  }

  private static final int SEVERAL = -1;
  private static final int BOUNDS = -2;

  private final int shards;
  private final Asking asking;

  private ShardedRoute(int shards, Asking asking) {
    this.shards = shards;
    this.asking = asking;
  }

  /** Asks for a predicate on a table that has so many shards. */
  public static CompletableFuture<RouteAnswer> ask(
      RoutePredicate predicate, int shards, Asking asking) {
    ShardedRoute route = new ShardedRoute(shards, asking);
    CompletableFuture<RouteAnswer> first = route.ask(predicate);
    return route.hasAnyOfSeveral(predicate)
        ? first.thenCompose(
            one -> route.ask(predicate).thenApply(again -> AnswerSets.union(one, again)))
        : first;
  }

  private boolean hasAnyOfSeveral(RoutePredicate predicate) {
    return predicate instanceof RoutePredicate.AnyOf && shardOf(predicate) == SEVERAL
        || partsOf(predicate).stream().anyMatch(this::hasAnyOfSeveral);
  }

  private CompletableFuture<RouteAnswer> ask(RoutePredicate predicate) {
    int shard = shardOf(predicate);
    if (shard == BOUNDS) {
      return IntStream.range(0, Shards.withBounds(shards))
          .mapToObj(each -> asking.ask(each, predicate))
          .reduce((one, other) -> one.thenCombine(other, AnswerSets::intersection))
          .orElseThrow();
    }
    if (shard != SEVERAL) {
      return asking.ask(shard, predicate);
    }
    if (predicate instanceof RoutePredicate.AllOf all) {
      return combine(all.parts(), RoutePredicate.AllOf::new, AnswerSets::intersection);
    }
    return combine(partsOf(predicate), RoutePredicate.AnyOf::new, AnswerSets::union);
  }

  /** The one shard that a predicate concerns, if it is one, or that it consists of ranges alone. */
  private int shardOf(RoutePredicate predicate) {
    if (predicate instanceof RoutePredicate.Element element) {
      return Shards.of(element.hash(), shards);
    }
    if (predicate instanceof RoutePredicate.Range) {
      return Shards.withBounds(shards) == 1 ? 0 : BOUNDS;
    }
    int[] concerned = partsOf(predicate).stream().mapToInt(this::shardOf).distinct().toArray();
    return concerned.length == 1 ? concerned[0] : SEVERAL;
  }

  private static List<RoutePredicate> partsOf(RoutePredicate predicate) {
    if (predicate instanceof RoutePredicate.AllOf all) {
      return all.parts();
    }
    return predicate instanceof RoutePredicate.AnyOf any ? any.parts() : List.of();
  }

  private interface Join {
    RoutePredicate of(List<RoutePredicate> parts);
  }

  private CompletableFuture<RouteAnswer> combine(
      List<RoutePredicate> parts, Join join, BinaryOperator<RouteAnswer> both) {
    Map<Integer, List<RoutePredicate>> byShard = new TreeMap<>();
    List<CompletableFuture<RouteAnswer>> answers = new ArrayList<>();
    for (RoutePredicate part : parts) {
      int shard = shardOf(part);
      if (shard == SEVERAL) {
        answers.add(ask(part));
      } else {
        byShard.computeIfAbsent(shard, key -> new ArrayList<>()).add(part);
      }
    }
    byShard.values().stream()
        .map(theirs -> theirs.size() == 1 ? theirs.get(0) : join.of(theirs))
        .forEach(theirs -> answers.add(ask(theirs)));
    return answers.stream().reduce((one, other) -> one.thenCombine(other, both)).orElseThrow();
  }
}
