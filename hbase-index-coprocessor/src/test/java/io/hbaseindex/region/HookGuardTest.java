/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HookGuardTest {
  private final HookGuard guard = new HookGuard("t,a,1");

  static Stream<Throwable> unchecked() {
    return Stream.of(
        new IllegalStateException("broken"),
        new NoClassDefFoundError("broken"),
        new AssertionError("broken"),
        new StackOverflowError("broken"));
  }

  /** HBase would abort the server, or unload the observer and go on without it. */
  @ParameterizedTest
  @MethodSource("unchecked")
  void P10_hookThatThrowsAnythingUnchecked_failsWithAnIOException(Throwable failure) {
    assertThatThrownBy(() -> guard.run("write", () -> raise(failure)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Cannot write in region t,a,1")
        .hasCause(failure);
  }

  @Test
  void hookThatRefuses_isHeardAsItIs() {
    IOException refusal = new IOException("Cannot write: refused");

    assertThatThrownBy(
            () ->
                guard.run(
                    "write",
                    () -> {
                      throw refusal;
                    }))
        .isSameAs(refusal);
  }

  @Test
  void hookThatAnswers_isHeard() throws IOException {
    assertThat(guard.get("scan", () -> 7)).isEqualTo(7);
  }

  /** What HBase has done is done: nothing may be taken for its failure. */
  @ParameterizedTest
  @MethodSource("unchecked")
  void attempt_thatFails_letsNothingOut(Throwable failure) {
    AtomicBoolean ran = new AtomicBoolean();

    guard.attempt(
        "finish a write",
        () -> {
          ran.set(true);
          raise(failure);
        });
    guard.attempt(
        "finish a write",
        () -> {
          throw new IOException("refused");
        });

    assertThat(ran).isTrue();
  }

  /** The server has to know that it is out of memory. */
  @Test
  void outOfMemory_isHeardAsItIs() {
    OutOfMemoryError error = new OutOfMemoryError("test");

    assertThatThrownBy(() -> guard.run("write", () -> raise(error))).isSameAs(error);
    assertThatThrownBy(() -> guard.attempt("write", () -> raise(error))).isSameAs(error);
  }

  private static void raise(Throwable failure) {
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    throw (Error) failure;
  }
}
