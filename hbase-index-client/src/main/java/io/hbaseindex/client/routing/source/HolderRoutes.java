/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardedRoute;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Asks for routes whoever holds the filters: the master, or the holders of the shards that a
 * question concerns, side by side.
 *
 * <p>Where filters are kept is learnt from the answers: whoever is asked by another layout than the
 * one in force says which that is, and the question is asked once more. An answer by a former
 * layout is never used, so it does not matter how old the layout is that is known here.
 */
@InterfaceAudience.Private
public final class HolderRoutes implements RouteSource {
  private final RouteSource source;
  private volatile HolderLayout layout = HolderLayout.MASTER;

  public HolderRoutes(RouteSource source) {
    this.source = source;
  }

  @Override
  public <T> CompletableFuture<T> ask(RouteQuestion<T> question) {
    if (question instanceof RouteQuestion.Route route) {
      @SuppressWarnings("unchecked") // the answer to a route is a RouteReply
      CompletableFuture<T> reply = (CompletableFuture<T>) route(route);
      return reply;
    }
    if (question instanceof RouteQuestion.Filters filters) {
      @SuppressWarnings("unchecked") // the answer to it is a FiltersReply
      CompletableFuture<T> reply = (CompletableFuture<T>) filters(filters);
      return reply;
    }
    return source.ask(question);
  }

  private CompletableFuture<FiltersReply> filters(RouteQuestion.Filters question) {
    return inForce(by -> askBy(by, question), FiltersReply::elsewhere)
        .thenApply(
            reply -> {
              requireFilters(reply, question);
              return reply;
            });
  }

  private CompletableFuture<RouteReply> route(RouteQuestion.Route question) {
    return inForce(by -> askBy(by, question), RouteReply::elsewhere);
  }

  /** Asks by the layout that is known, and once more by the one that is in force. */
  private <T> CompletableFuture<T> inForce(
      Function<HolderLayout, CompletableFuture<T>> ask,
      Function<T, Optional<HolderLayout>> elsewhere) {
    HolderLayout known = layout;
    return ask.apply(known)
        .whenComplete((reply, error) -> doubtIf(error != null, known))
        .thenCompose(
            reply -> {
              Optional<HolderLayout> other = elsewhere.apply(reply);
              if (other.isEmpty()) {
                return CompletableFuture.completedFuture(reply);
              }
              layout = other.get();
              return ask.apply(other.get());
            });
  }

  /** Holders that do not answer cannot say who holds filters instead of them; the master can. */
  private void doubtIf(boolean failed, HolderLayout by) {
    if (failed && !by.isMaster()) {
      layout = HolderLayout.MASTER;
    }
  }

  private static void requireFilters(FiltersReply reply, RouteQuestion.Filters question) {
    if (reply.elsewhere().isPresent()) {
      throw new CompletionException(
          new DoNotRetryIOException(
              "Cannot copy the filters of %s: they moved meanwhile; ask again later"
                  .formatted(question.table())));
    }
  }

  /** All shards send their filters side by side; each has its share of the bytes. */
  private CompletableFuture<FiltersReply> askBy(HolderLayout by, RouteQuestion.Filters question) {
    int shards = by.shardsOf(question.table().getNameAsString());
    CompletableFuture<List<FiltersReply>> replies = CompletableFuture.completedFuture(List.of());
    for (int shard = 0; shard < shards; shard++) {
      CompletableFuture<FiltersReply> next =
          source.ask(
              new RouteQuestion.Filters(
                  question.table(), question.known(), question.maxBytes() / shards, by, shard));
      replies = replies.thenCombine(next, HolderRoutes::with);
    }
    return replies.thenApply(FiltersReply::of);
  }

  private static List<FiltersReply> with(List<FiltersReply> some, FiltersReply next) {
    List<FiltersReply> more = new ArrayList<>(some);
    more.add(next);
    return more;
  }

  private CompletableFuture<RouteReply> askBy(HolderLayout by, RouteQuestion.Route question) {
    int shards = by.shardsOf(question.table().getNameAsString());
    if (shards == 1) {
      return source.ask(question.to(by, 0, question.predicate()));
    }
    Replies replies = new Replies(by, question);
    return ShardedRoute.ask(question.predicate(), shards, replies::ask).thenApply(replies::sum);
  }

  /** What several shards say to one question. */
  private final class Replies {
    private final HolderLayout by;
    private final RouteQuestion.Route question;
    private final List<RouteReply> all = new CopyOnWriteArrayList<>();
    private volatile Throwable failure;

    Replies(HolderLayout by, RouteQuestion.Route question) {
      this.by = by;
      this.question = question;
    }

    CompletableFuture<RouteAnswer> ask(int shard, RoutePredicate predicate) {
      return source
          .ask(question.to(by, shard, predicate))
          .thenApply(
              reply -> {
                all.add(reply);
                return reply.route();
              })
          .exceptionally(this::open);
    }

    /** A shard that does not answer excludes nothing; the others may. */
    private RouteAnswer open(Throwable error) {
      failure = error;
      return RouteAnswer.unknownTable();
    }

    RouteReply sum(RouteAnswer route) {
      if (all.isEmpty()) {
        throw new CompletionException(RouteFailure.causeOf(failure));
      }
      OptionalLong shape = all.get(0).shape();
      return new RouteReply(
          route,
          all.stream().allMatch(reply -> reply.shape().equals(shape))
              ? shape
              : OptionalLong.empty(),
          all.stream().anyMatch(RouteReply::cellsMayHide),
          all.stream().map(RouteReply::elsewhere).flatMap(Optional::stream).findFirst(),
          // Each of them is right by itself: it is as wide as its region was at least.
          all.stream().flatMap(reply -> reply.edges().stream()).toList());
    }
  }
}
