/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.exit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.DefinitionException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

class FailureTest {
  @Test
  void wrappedErrors_areFound() {
    assertFailure(
        new UncheckedIOException(new IOException("x", new TableNotFoundException("t"))),
        ExitCode.REFUSED,
        "The cluster has no table t");
    assertFailure(
        new IOException("x", new AccessDeniedException("user eve\n\tat a.b.c")),
        ExitCode.REFUSED,
        "Permission denied: user eve");
  }

  @Test
  void exhaustedRetries_theReasonDecides() {
    assertFailure(
        new RetriesExhaustedException("tried", new AccessDeniedException("no")),
        ExitCode.REFUSED,
        "Permission denied: no");
    assertFailure(
        new RetriesExhaustedException("tried", new ConnectException("refused")),
        ExitCode.UNREACHABLE,
        "The cluster does not answer");
  }

  @Test
  void refusals_keepTheirWords() {
    assertFailure(new DefinitionException("Cannot add"), ExitCode.REFUSED, "Cannot add");
    assertFailure(new DoNotRetryIOException("Cannot alter"), ExitCode.REFUSED, "Cannot alter");
    assertFailure(new RefusedCommandException("no such index"), ExitCode.REFUSED, "no such index");
    assertFailure(new SaslException("GSS"), ExitCode.REFUSED, "does not accept the credentials");
  }

  @Test
  void disabledTable_isNamed_unlessTheMessageSaysMore() {
    assertFailure(
        new TableNotEnabledException("t"),
        ExitCode.REFUSED,
        "Table t is not enabled; enable it first");
    assertThat(Failure.of(new TableNotEnabledException("Cannot wait: it is disabled")).message())
        .isEqualTo("Cannot wait: it is disabled");
  }

  @Test
  void timeoutIsNoInterrupt() {
    assertFailure(
        new SocketTimeoutException("late"), ExitCode.UNREACHABLE, "The cluster does not answer");
    assertFailure(new InterruptedIOException("stop"), ExitCode.INTERRUPTED, "repeat the command");
  }

  @Test
  void anythingElse_isAFailure() {
    assertFailure(new IllegalStateException("odd"), ExitCode.FAILED, "odd; see --stacktrace");
  }

  private static void assertFailure(Throwable thrown, int exitCode, String message) {
    Failure failure = Failure.of(thrown);
    assertThat(failure.exitCode()).isEqualTo(exitCode);
    assertThat(failure.message()).contains(message).doesNotContain("\n");
  }
}
