/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;

class HookGuardTest {
  private static final List<Throwable> DEFECTS =
      List.of(
          new IllegalStateException("defect"),
          new NoClassDefFoundError("gone"),
          new AssertionError("defect"),
          new StackOverflowError());

  private final HookGuard guard = new HookGuard("r");

  @Test
  void run_defect_leavesAsAnIoExceptionThatNamesItAndIsNotRetried() {
    for (Throwable defect : DEFECTS) {
      assertThatThrownBy(() -> guard.run("write", () -> fail(defect)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("Cannot write in region r")
          .hasMessageContaining(defect.toString())
          .hasCause(defect);
    }
  }

  @Test
  void run_ioException_leavesAsItIs() {
    IOException refusal = new IOException("refused");

    assertThatThrownBy(() -> guard.run("write", () -> fail(refusal))).isSameAs(refusal);
  }

  @Test
  void get_answersWhatTheHookAnswers() throws IOException {
    assertThat(guard.<String>get("scan", () -> "answer")).isEqualTo("answer");
  }

  /** The server has to know that it is out of memory. */
  @Test
  void run_outOfMemory_leavesAsItIs() {
    OutOfMemoryError error = new OutOfMemoryError("test");

    assertThatThrownBy(() -> guard.run("write", () -> fail(error))).isSameAs(error);
    assertThatThrownBy(() -> guard.attempt("write", () -> fail(error))).isSameAs(error);
  }

  /** What HBase has done is done: nothing may be taken for its failure. */
  @Test
  void attempt_defectOrIoException_leavesNothing() {
    DEFECTS.forEach(defect -> guard.attempt("finish a write", () -> fail(defect)));
    guard.attempt("finish a write", () -> fail(new IOException("refused")));

    AtomicBoolean ran = new AtomicBoolean();
    guard.attempt("finish a write", () -> ran.set(true));
    assertThat(ran).isTrue();
  }

  private static void fail(Throwable with) throws IOException {
    if (with instanceof IOException io) {
      throw io;
    }
    if (with instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) with;
  }
}
