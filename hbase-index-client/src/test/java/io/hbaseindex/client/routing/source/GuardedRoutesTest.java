/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.core.route.RegionCopy;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

class GuardedRoutesTest {
  private static final TableName TABLE = TableName.valueOf("people");
  private static final RouteQuestion.Descriptor SMALL = new RouteQuestion.Descriptor(TABLE);
  private static final RouteQuestion.Filters LARGE =
      new RouteQuestion.Filters(TABLE, Set.of(), 1_000);
  private static final int FAILURES_THAT_BREAK = 3;

  private final Master master = new Master();
  private long now;
  private GuardedRoutes routes = guarded(600_000, 600_000);

  private GuardedRoutes guarded(long timeoutMillis, long filtersTimeoutMillis) {
    Configuration conf = new Configuration(false);
    conf.setLong(RoutingSettings.TIMEOUT_MS, timeoutMillis);
    conf.setLong(RoutingSettings.FILTERS_TIMEOUT_MS, filtersTimeoutMillis);
    conf.setLong(RoutingSettings.FIRST_TIMEOUT_MS, 0);
    return new GuardedRoutes(
        master,
        () -> new RouteBreaker(() -> now),
        new RouteTime(RoutingSettings.of(conf), () -> now));
  }

  private UnroutedReason reasonOf(RouteQuestion<?> question) {
    try {
      routes.ask(question).join();
      return null;
    } catch (CompletionException e) {
      return RouteFailure.reasonOf(e);
    }
  }

  private void fail(int times) {
    master.error = new IOException("gone");
    for (int i = 0; i < times; i++) {
      assertThat(reasonOf(SMALL)).isEqualTo(UnroutedReason.MASTER_UNREACHABLE);
    }
  }

  @Test
  void answers_arePassedOn() {
    assertThat(routes.ask(SMALL).join()).isSameAs(master.table);
    assertThat(routes.ask(LARGE).join()).isSameAs(master.filters);
  }

  @Test
  void masterThatKeepsFailing_isLeftAlone_thenTriedOnce_andUsedAgain() {
    fail(FAILURES_THAT_BREAK);
    int asked = master.asked;
    assertThat(reasonOf(SMALL)).isEqualTo(UnroutedReason.MASTER_LEFT_ALONE);
    assertThat(master.asked).isEqualTo(asked);

    now += TimeUnit.SECONDS.toNanos(1);
    master.error = null;
    assertThat(reasonOf(SMALL)).isNull();
    assertThat(reasonOf(SMALL)).isNull();
  }

  @Test
  void answerInBetween_forgetsTheFailures_andSoDoesADenial() {
    fail(FAILURES_THAT_BREAK - 1);
    master.error = null;
    assertThat(reasonOf(SMALL)).isNull();
    fail(FAILURES_THAT_BREAK - 1);
    master.error = new AccessDeniedException("no");
    assertThat(reasonOf(SMALL)).isEqualTo(UnroutedReason.ACCESS_DENIED);
    fail(FAILURES_THAT_BREAK - 1);
  }

  @Test
  void largeAnswersThatFail_areNoSignOfASickMaster() {
    master.error = new IOException("gone");
    for (int i = 0; i < 2 * FAILURES_THAT_BREAK; i++) {
      assertThat(reasonOf(LARGE)).isEqualTo(UnroutedReason.MASTER_UNREACHABLE);
    }

    master.error = null;
    assertThat(reasonOf(SMALL)).isNull();
  }

  @Test
  void largeAnswersThatCome_doNotEndTheRestOfASickMaster() {
    fail(FAILURES_THAT_BREAK);
    int asked = master.asked;
    assertThat(reasonOf(LARGE)).isEqualTo(UnroutedReason.MASTER_LEFT_ALONE);
    assertThat(master.asked).isEqualTo(asked);

    now += TimeUnit.SECONDS.toNanos(1);
    master.error = null;
    assertThat(reasonOf(LARGE)).isNull();
    assertThat(reasonOf(LARGE)).as("asking for it takes nobody's trial").isNull();
    master.error = new IOException("gone");
    assertThat(reasonOf(SMALL)).isEqualTo(UnroutedReason.MASTER_UNREACHABLE);
    assertThat(reasonOf(SMALL)).as("one trial").isEqualTo(UnroutedReason.MASTER_LEFT_ALONE);
  }

  @Test
  void silence_isBoundedByEachQuestionsOwnTime_andCounts() {
    master.silent = true;
    routes = guarded(1, 600_000);
    CompletableFuture<FiltersReply> large = routes.ask(LARGE);
    for (int i = 0; i < FAILURES_THAT_BREAK; i++) {
      assertThat(reasonOf(SMALL)).isEqualTo(UnroutedReason.MASTER_SLOW);
    }
    assertThat(reasonOf(SMALL)).isEqualTo(UnroutedReason.MASTER_LEFT_ALONE);
    assertThat(large).isNotDone();

    routes = guarded(600_000, 1);
    CompletableFuture<TableDescriptor> small = routes.ask(SMALL);
    assertThat(reasonOf(LARGE)).isEqualTo(UnroutedReason.MASTER_SLOW);
    assertThat(small).isNotDone();
  }

  @Test
  void callThatCannotBeBegun_failsLikeAnyOther() {
    master.thrown = new IllegalStateException("closed");
    for (int i = 0; i < FAILURES_THAT_BREAK; i++) {
      assertThat(reasonOf(SMALL)).isEqualTo(UnroutedReason.MASTER_UNREACHABLE);
    }
    assertThat(reasonOf(SMALL)).isEqualTo(UnroutedReason.MASTER_LEFT_ALONE);
  }

  /** Answers, fails, throws or says nothing. */
  private static final class Master extends FakeRoutes {
    private final TableDescriptor table = TableDescriptorBuilder.newBuilder(TABLE).build();
    private final FiltersReply filters =
        FiltersReply.of(List.of(), true, OptionalLong.empty(), false);
    private Exception error;
    private RuntimeException thrown;
    private boolean silent;
    private int asked;

    private <T> CompletableFuture<T> answer(T value) {
      asked++;
      if (thrown != null) {
        throw thrown;
      }
      if (silent) {
        return new CompletableFuture<>();
      }
      return error == null
          ? CompletableFuture.completedFuture(value)
          : CompletableFuture.failedFuture(error);
    }

    @Override
    protected CompletableFuture<TableDescriptor> descriptor(TableName name) {
      return answer(table);
    }

    @Override
    protected CompletableFuture<FiltersReply> filters(
        TableName name, Set<RegionCopy.Version> known, long maxBytes) {
      return answer(filters);
    }
  }
}
