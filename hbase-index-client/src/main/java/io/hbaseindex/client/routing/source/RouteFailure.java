/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.core.format.MalformedBlobException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.yetus.audience.InterfaceAudience;

/** Names the reason why the master gave no route. */
@InterfaceAudience.Private
public final class RouteFailure {
  private RouteFailure() {}

  public static UnroutedReason reasonOf(Throwable error) {
    Throwable cause = causeOf(error);
    if (cause instanceof GuardedRoutes.LeftAloneException) {
      return UnroutedReason.MASTER_LEFT_ALONE;
    }
    if (MasterConnection.isRefusalOfBusyServer(cause)) {
      return UnroutedReason.MASTER_BUSY;
    }
    if (cause instanceof TimeoutException) {
      return UnroutedReason.MASTER_SLOW;
    }
    if (cause instanceof TableNotFoundException) {
      return UnroutedReason.UNKNOWN_TABLE;
    }
    if (cause instanceof AccessDeniedException) {
      return UnroutedReason.ACCESS_DENIED;
    }
    if (cause instanceof MalformedBlobException) {
      return UnroutedReason.ANSWER_UNREADABLE;
    }
    if (cause instanceof UnknownProtocolException) {
      return UnroutedReason.NO_ENDPOINT;
    }
    return cause instanceof DoNotRetryIOException
        ? UnroutedReason.MASTER_REFUSED
        : UnroutedReason.MASTER_UNREACHABLE;
  }

  /** What futures have wrapped. */
  public static Throwable causeOf(Throwable error) {
    Throwable cause = error;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
