/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.shard.HolderLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

/** Copies of filters that several holders have. */
class HolderRoutesTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private HolderLayout inForce = HolderLayout.MASTER.next(5, 3, Map.of());
  private final List<RouteQuestion.Filters> asked = new ArrayList<>();
  private final Map<Integer, Long> shapes = new HashMap<>();
  private boolean moving;
  private boolean holdersGone;

  private final HolderRoutes routes =
      new HolderRoutes(
          new RouteSource() {
            @Override
            @SuppressWarnings("unchecked") // the answer to the only question there is
            public <T> CompletableFuture<T> ask(RouteQuestion<T> question) {
              return (CompletableFuture<T>) answer((RouteQuestion.Filters) question);
            }
          });

  private CompletableFuture<FiltersReply> answer(RouteQuestion.Filters question) {
    asked.add(question);
    if (holdersGone && !question.layout().isMaster()) {
      return CompletableFuture.failedFuture(new IOException("no such region"));
    }
    if (question.layout().version() != inForce.version()) {
      HolderLayout told = inForce;
      inForce = moving ? inForce.next(5, 2, Map.of()) : inForce;
      return CompletableFuture.completedFuture(FiltersReply.elsewhere(told));
    }
    RegionCopy region =
        RegionCopy.open(RowRange.ALL, "server of shard " + question.shard(), OpenReason.ABSENT);
    return CompletableFuture.completedFuture(
        FiltersReply.of(
            List.of(region),
            true,
            OptionalLong.of(shapes.getOrDefault(question.shard(), 7L)),
            false));
  }

  private FiltersReply copy() {
    return routes.ask(new RouteQuestion.Filters(TABLE, Set.of(), 900)).join();
  }

  @Test
  void filters_areAskedOfAllShards_byTheLayoutThatIsInForce() {
    FiltersReply copy = copy();

    assertThat(copy.complete()).isTrue();
    assertThat(copy.shape()).hasValue(7);
    assertThat(copy.shards().stream().map(shard -> shard.get(0).server()))
        .containsExactly("server of shard 0", "server of shard 1", "server of shard 2");
    asked.remove(0);
    assertThat(asked).extracting(RouteQuestion.Filters::shard).containsExactly(0, 1, 2);
    assertThat(asked).extracting(RouteQuestion.Filters::maxBytes).containsOnly(300L);
    assertThat(asked).extracting(RouteQuestion.Filters::holder).doesNotHaveDuplicates();
  }

  /** They cannot say who holds filters instead of them. */
  @Test
  void filters_ofHoldersThatAreGone_areAskedOfTheMasterNext() {
    copy();
    holdersGone = true;
    inForce = inForce.next(0, 1, Map.of());
    assertThatThrownBy(this::copy).hasCauseInstanceOf(IOException.class);

    assertThat(copy().shards()).hasSize(1);
  }

  @Test
  void filters_ofShardsThatKnowDifferentDescriptors_fitNone() {
    shapes.put(1, 8L);

    assertThat(copy().shape()).isEmpty();
  }

  @Test
  void filters_thatMoveAgainMeanwhile_areNotCopied() {
    moving = true;

    assertThatThrownBy(this::copy).hasMessageContaining("they moved meanwhile; ask again later");
    moving = false;
    assertThat(copy().shards()).hasSize(2);
  }
}
