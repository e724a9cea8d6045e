/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.CallDroppedException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;

/** Why a push did not get through. The names are part of metric names. */
enum PushFailure {
  /** The master was busy with others, and said so. */
  BUSY,
  /** The master takes no pushes from this server, and will not until somebody steps in. */
  REFUSED,
  /** There was no answer in time. */
  LATE,
  /** Anything else, such as no master to be found. */
  OTHER;

  /** HBase's client wraps what went wrong into what its retries came to, even if there are none. */
  static PushFailure of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CallDroppedException) {
        return BUSY;
      }
      if (cause instanceof PushRefusedException) {
        return REFUSED;
      }
      if (isLate(cause)) {
        return LATE;
      }
    }
    return OTHER;
  }

  /** The pause that a busy master has asked for; a given one if it has not said. */
  static long pauseNanos(Throwable failure, long otherwise) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PushHeldUpException heldUp) {
        return heldUp.pauseNanos();
      }
    }
    return otherwise;
  }

  private static boolean isLate(Throwable cause) {
    return cause instanceof TimeoutException
        || cause instanceof TimeoutIOException
        || cause instanceof CallTimeoutException;
  }
}
