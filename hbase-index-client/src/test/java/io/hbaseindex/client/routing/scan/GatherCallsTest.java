/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.protocol.IndexRegionProtos.GatherResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

/** When servers are asked for first results, and when they are left alone. */
class GatherCallsTest {
  private long nanos = -5;
  private final GatherCalls calls = new GatherCalls(() -> nanos);

  /** A table whose servers give every call this answer. */
  private static AsyncTable<?> answering(CompletableFuture<GatherResponse> answer) {
    return (AsyncTable<?>)
        Proxy.newProxyInstance(
            AsyncTable.class.getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("coprocessorService");
              return answer;
            });
  }

  private CompletableFuture<?> read(CompletableFuture<GatherResponse> answer) {
    return calls.on(answering(answer)).read(List.of(new Scan(), new Scan()));
  }

  @Test
  void callThatFails_isNotTriedAgainForTenSeconds() {
    assertThat(calls.areWelcome()).isTrue();

    assertThat(read(CompletableFuture.failedFuture(new IOException("no such service"))))
        .isCompletedExceptionally();

    nanos += Duration.ofSeconds(10).toNanos() - 1;
    assertThat(calls.areWelcome()).isFalse();
    nanos++;
    assertThat(calls.areWelcome()).isTrue();
  }

  @Test
  void callThatCannotBeMade_failsLikeOthers() {
    AsyncTable<?> closed =
        (AsyncTable<?>)
            Proxy.newProxyInstance(
                AsyncTable.class.getClassLoader(),
                new Class<?>[] {AsyncTable.class},
                (self, method, arguments) -> {
                  throw new IllegalStateException("closed");
                });

    assertThat(calls.on(closed).read(List.of(new Scan()))).isCompletedExceptionally();

    assertThat(calls.areWelcome()).isFalse();
  }

  @Test
  void answerForOtherParts_isAFailure() {
    assertThat(read(CompletableFuture.completedFuture(GatherResponse.getDefaultInstance())))
        .isCompletedExceptionally();

    assertThat(calls.areWelcome()).isFalse();
  }

  @Test
  void serverThatDoesNotAnswer_isLeftAlone() {
    calls.on(answering(new CompletableFuture<>())).tookTooLong();

    assertThat(calls.areWelcome()).isFalse();
  }

  @Test
  void scannerThatIsClosedEarly_changesNothing() {
    read(new CompletableFuture<>()).cancel(true);

    assertThat(calls.areWelcome()).isTrue();
  }
}
