/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.exit;

import io.hbaseindex.client.admin.IndexNotReadyException;
import io.hbaseindex.core.definition.DefinitionException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.ZooKeeperConnectionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An exception as a user of the command line sees it: one line, and the code the process ends with.
 *
 * <p>HBase wraps errors in errors. The first one in the chain of causes that has a meaning here
 * decides.
 */
@InterfaceAudience.Private
public record Failure(int exitCode, String message) {

  /** Network trouble, and what HBase's client makes of it. */
  private static final List<Class<? extends Throwable>> UNREACHABLE =
      List.of(
          UnreachableException.class,
          ConnectException.class,
          NoRouteToHostException.class,
          UnknownHostException.class,
          SocketTimeoutException.class,
          TimeoutIOException.class,
          ConnectionClosedException.class,
          MasterNotRunningException.class,
          ZooKeeperConnectionException.class,
          RetriesExhaustedException.class);

  /** Causes deeper than this are not looked at; chains may be rings. */
  private static final int MAX_DEPTH = 20;

  public static Failure of(Throwable thrown) {
    Throwable cause = thrown;
    Optional<Failure> unreachable = Optional.empty();
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      Optional<Failure> known = known(cause);
      if (known.isPresent()) {
        return known.get();
      }
      Throwable at = cause;
      if (UNREACHABLE.stream().anyMatch(type -> type.isInstance(at))) {
        // Goes on: a retry may have been exhausted by something with a better name.
        unreachable = unreachable.isPresent() ? unreachable : Optional.of(unreachable(cause));
      }
      cause = cause.getCause();
    }
    return unreachable.orElseGet(
        () -> new Failure(ExitCode.FAILED, firstLine(thrown.toString()) + "; see --stacktrace"));
  }

  private static Optional<Failure> known(Throwable cause) {
    // A socket timeout is an InterruptedIOException by inheritance, not by meaning.
    boolean interrupted =
        cause instanceof InterruptedException
            || cause instanceof InterruptedIOException
                && !(cause instanceof SocketTimeoutException);
    if (interrupted) {
      return Optional.of(
          new Failure(ExitCode.INTERRUPTED, "Interrupted; repeat the command to go on"));
    }
    if (cause instanceof OutputLostException) {
      return Optional.of(new Failure(ExitCode.FAILED, cause.getMessage()));
    }
    if (cause instanceof IndexNotReadyException) {
      return Optional.of(new Failure(ExitCode.FINDINGS, firstLine(cause.getMessage())));
    }
    if (cause instanceof TableNotFoundException) {
      return refused("The cluster has no table " + firstLine(cause.getMessage()));
    }
    if (cause instanceof TableNotEnabledException) {
      String told = firstLine(cause.getMessage());
      boolean nameAlone = told.indexOf(' ') < 0;
      return refused(nameAlone ? "Table " + told + " is not enabled; enable it first" : told);
    }
    if (cause instanceof AccessDeniedException) {
      return refused("Permission denied: " + firstLine(cause.getMessage()));
    }
    if (cause instanceof SaslException) {
      return refused(
          "The cluster does not accept the credentials: "
              + firstLine(cause.getMessage())
              + "; get a ticket with kinit, or check the security settings in --config");
    }
    boolean refusal =
        cause instanceof RefusedCommandException
            || cause instanceof DefinitionException
            || cause.getClass() == DoNotRetryIOException.class;
    return refusal ? refused(firstLine(cause.getMessage())) : Optional.empty();
  }

  private static Optional<Failure> refused(String message) {
    return Optional.of(new Failure(ExitCode.REFUSED, message));
  }

  private static Failure unreachable(Throwable cause) {
    return new Failure(
        ExitCode.UNREACHABLE,
        cause instanceof UnreachableException
            ? cause.getMessage()
            : "The cluster does not answer: " + firstLine(cause.toString()));
  }

  /** Remote exceptions carry their stack in their message. */
  private static String firstLine(String message) {
    return message == null ? "no reason given" : message.lines().findFirst().orElse("").strip();
  }
}
