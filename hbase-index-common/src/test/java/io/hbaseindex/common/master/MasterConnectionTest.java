/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.junit.jupiter.api.Test;

class MasterConnectionTest {
  private static final long PAUSE_NANOS =
      TimeUnit.SECONDS.toNanos(MasterConnection.RENEWAL_PAUSE_SECONDS);

  private final List<AsyncConnection> made = new ArrayList<>();
  private final List<AsyncConnection> closed = new ArrayList<>();
  private long now = -5;
  private IOException makingFails;
  private final MasterConnection connection = new MasterConnection(this::make, () -> now);

  private CompletableFuture<AsyncConnection> make() {
    if (makingFails != null) {
      return CompletableFuture.failedFuture(makingFails);
    }
    made.add(fake());
    return CompletableFuture.completedFuture(made.get(made.size() - 1));
  }

  private AsyncConnection fake() {
    AsyncConnection[] self = new AsyncConnection[1];
    self[0] =
        (AsyncConnection)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {AsyncConnection.class},
                (proxy, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("close");
                  closed.add(self[0]);
                  return null;
                });
    return self[0];
  }

  /** The connection that a call is made through, which answers or fails. */
  private AsyncConnection through(Throwable error) {
    AsyncConnection[] used = new AsyncConnection[1];
    CompletableFuture<String> answer =
        connection.call(
            at -> {
              used[0] = at;
              return error == null
                  ? CompletableFuture.completedFuture("yes")
                  : CompletableFuture.failedFuture(error);
            });
    if (error == null) {
      assertThat(answer.join()).isEqualTo("yes");
    } else {
      assertThatThrownBy(answer::join).hasCause(error);
    }
    return used[0];
  }

  private static Throwable refusal() {
    return new IOException(
        "what a stub throws",
        new RetriesExhaustedException("twice", new ServerNotRunningYetException("backup")));
  }

  private static boolean same(AsyncConnection one, AsyncConnection other) {
    return one == other;
  }

  @Test
  void nothingIsMade_beforeTheFirstCall_andOneConnectionServesAll() {
    assertThat(made).isEmpty();
    AsyncConnection first = through(null);
    assertThat(same(through(null), first)).isTrue();
    assertThat(made).hasSize(1);
  }

  @Test
  void refusalOfAnInactiveMaster_makesTheNextCallsGoThroughAFreshConnection() {
    AsyncConnection trapped = through(refusal());

    AsyncConnection fresh = through(null);

    assertThat(same(fresh, trapped)).isFalse();
    assertThat(same(through(null), fresh)).isTrue();
    assertThat(made).hasSize(2);
    assertThat(closed).as("calls may be under way").isEmpty();
  }

  @Test
  void otherFailures_keepTheConnection() {
    AsyncConnection first = through(new IOException("slow"));
    assertThat(same(through(null), first)).isTrue();
    assertThat(made).hasSize(1);
  }

  @Test
  void masterThatIsStartingForLong_costsAConnectionNowAndThen_andTwoAtATime() {
    through(refusal());
    through(refusal());
    now += PAUSE_NANOS - 1;
    through(refusal());
    assertThat(made).hasSize(2);

    now += 1;
    through(refusal());
    assertThat(made).hasSize(3);
    assertThat(closed).hasSize(1);
    assertThat(same(closed.get(0), made.get(0))).isTrue();
  }

  @Test
  void refusalThroughAConnectionThatHasBeenReplaced_changesNothing() {
    CompletableFuture<String> late = new CompletableFuture<>();
    connection.call(at -> late);
    through(refusal());
    now += PAUSE_NANOS;

    late.completeExceptionally(refusal());

    assertThat(made).hasSize(2);
  }

  @Test
  void connectionThatCannotBeMade_isTriedAgain() {
    makingFails = new IOException("no cluster");
    assertThatThrownBy(() -> connection.call(at -> CompletableFuture.completedFuture("")).join())
        .hasCause(makingFails);

    makingFails = null;
    through(null);
    assertThat(made).hasSize(1);
  }

  @Test
  void freshConnectionThatCannotBeMade_isTriedAgain() {
    through(refusal());
    // The fresh one was made; the one after it cannot be.
    now += PAUSE_NANOS;
    makingFails = new IOException("no cluster");
    through(refusal());
    assertThatThrownBy(() -> connection.call(at -> CompletableFuture.completedFuture("")).join())
        .hasCause(makingFails);

    makingFails = null;
    through(null);
    assertThat(made).hasSize(3);
  }

  @Test
  void close_closesAllThatWereMade_andRefusesCalls() {
    through(refusal());
    through(null);

    connection.close();

    assertThat(closed).hasSize(2);
    assertThatThrownBy(() -> connection.call(at -> CompletableFuture.completedFuture("")).join())
        .hasRootCauseMessage("Cannot ask the master: the connection is closed");
  }

  @Test
  void refusalThatComesAfterTheClose_makesNothing() {
    CompletableFuture<String> late = new CompletableFuture<>();
    connection.call(at -> late);
    connection.close();

    late.completeExceptionally(refusal());

    assertThat(made).hasSize(1);
  }

  @Test
  void connectionThatIsStillBeingMade_isClosedWhenItIsThere() {
    CompletableFuture<AsyncConnection> making = new CompletableFuture<>();
    MasterConnection slow = new MasterConnection(() -> making, () -> now);
    slow.call(at -> CompletableFuture.completedFuture(""));
    slow.close();
    assertThat(closed).isEmpty();

    making.complete(fake());

    assertThat(closed).hasSize(1);
  }

  @Test
  void lentConnection_isUsedFirst_andNeverClosed() {
    AsyncConnection users = fake();
    try (MasterConnection lent = MasterConnection.beginningWith(users, this::make, () -> now)) {
      assertThat(lent.call(at -> CompletableFuture.completedFuture(same(at, users))).join())
          .isTrue();
      lent.call(at -> CompletableFuture.failedFuture(refusal()));
      assertThat(lent.call(at -> CompletableFuture.completedFuture(same(at, made.get(0)))).join())
          .isTrue();
    }
    assertThat(closed).hasSize(1);
    assertThat(same(closed.get(0), made.get(0))).isTrue();

    MasterConnection.beginningWith(users, this::make, () -> now).close();
    assertThat(closed).hasSize(1);
  }
}
