/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.RoutingTally;
import io.hbaseindex.client.routing.UnroutedReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class PatientRoutesTest {
  private static final TableName TABLE = TableName.valueOf("people");
  private static final RouteQuestion.Descriptor QUESTION = new RouteQuestion.Descriptor(TABLE);
  private static final long TIMEOUT_MILLIS = 1_000;

  private final Master master = new Master();
  private final RoutingTally counters = new RoutingTally();
  private final List<Long> pauses = new ArrayList<>();
  private long now = Long.MAX_VALUE - 1;
  private final RouteTime time = new RouteTime(settings(), () -> now);
  private final PatientRoutes routes =
      new PatientRoutes(master, time, counters, () -> now, this::pass);

  private static RoutingSettings settings() {
    Configuration conf = new Configuration(false);
    conf.setLong(RoutingSettings.TIMEOUT_MS, TIMEOUT_MILLIS);
    conf.setLong(RoutingSettings.FIRST_TIMEOUT_MS, 0);
    return RoutingSettings.of(conf);
  }

  private void pass(long millis, Runnable next) {
    pauses.add(millis);
    now += TimeUnit.MILLISECONDS.toNanos(millis);
    next.run();
  }

  @Test
  void answer_needsNoPause() {
    assertThat(routes.ask(QUESTION).join()).isSameAs(master.table);
    assertThat(pauses).isEmpty();
  }

  @Test
  void busyMaster_isAskedAgainUntilItAnswers() {
    master.busyFor = 3;

    assertThat(routes.ask(QUESTION).join()).isSameAs(master.table);
    assertThat(master.asked).isEqualTo(4);
    assertThat(counters.get(RoutingCounter.ASKED_AGAIN)).isEqualTo(3);
    assertThat(pauses).hasSize(3);
    assertThat(pauses.get(0)).isBetween(10L, 20L);
    assertThat(pauses.get(1)).isBetween(20L, 40L);
    assertThat(pauses.get(2)).isBetween(40L, 80L);
  }

  @Test
  void masterThatStaysBusy_isAskedWithinTheRoutesTimeOnly() {
    master.busyFor = Integer.MAX_VALUE;

    assertThatThrownBy(() -> routes.ask(QUESTION).join())
        .isInstanceOf(CompletionException.class)
        .satisfies(e -> assertThat(RouteFailure.reasonOf(e)).isEqualTo(UnroutedReason.MASTER_BUSY));
    assertThat(pauses.stream().mapToLong(Long::longValue).sum()).isLessThan(TIMEOUT_MILLIS);
    assertThat(master.asked).isGreaterThan(4);
  }

  @Test
  void otherFailures_areNotRepeated() {
    master.error = new IOException("gone");

    assertThatThrownBy(() -> routes.ask(QUESTION).join()).hasRootCauseMessage("gone");
    assertThat(master.asked).isOne();
  }

  @Test
  void pauses_ofManyClients_differ() {
    Set<List<Long>> seen = new HashSet<>();
    for (int client = 0; client < 20; client++) {
      pauses.clear();
      master.busyFor = 5;
      routes.ask(QUESTION).join();
      seen.add(List.copyOf(pauses));
    }

    assertThat(seen).hasSizeGreaterThan(15);
  }

  @Test
  void busyMaster_isNotTakenForASickOne() {
    GuardedRoutes guarded = new GuardedRoutes(routes, () -> new RouteBreaker(() -> now), time);
    for (int scan = 0; scan < 10; scan++) {
      master.busyFor = Integer.MAX_VALUE;
      CompletableFuture<TableDescriptor> refused = guarded.ask(QUESTION);
      assertThatThrownBy(refused::join)
          .satisfies(
              e -> assertThat(RouteFailure.reasonOf(e)).isEqualTo(UnroutedReason.MASTER_BUSY));
    }

    master.busyFor = 0;
    assertThat(guarded.ask(QUESTION).join()).isSameAs(master.table);
  }

  /** Is busy for some questions, as HBase's client tells it, and then answers or fails. */
  private static final class Master extends FakeRoutes {
    private final TableDescriptor table = TableDescriptorBuilder.newBuilder(TABLE).build();
    private int busyFor;
    private int asked;
    private Exception error;

    @Override
    protected CompletableFuture<TableDescriptor> descriptor(TableName name) {
      asked++;
      if (error != null) {
        return CompletableFuture.failedFuture(error);
      }
      if (busyFor > 0) {
        busyFor--;
        return CompletableFuture.failedFuture(
            new RetriesExhaustedException("twice", new CallQueueTooBigException("ask later")));
      }
      return CompletableFuture.completedFuture(table);
    }
  }
}
