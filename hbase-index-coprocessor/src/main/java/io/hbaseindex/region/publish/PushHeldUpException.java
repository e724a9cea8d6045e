/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import org.apache.hadoop.hbase.CallDroppedException;

/** The active master is busy with other pushes, and asks for a pause before the next one. */
final class PushHeldUpException extends CallDroppedException {
  private static final long serialVersionUID = 1L;

  private final long pauseNanos;

  PushHeldUpException(long pauseNanos) {
    super("The active master takes too many other pushes");
    this.pauseNanos = pauseNanos;
  }

  long pauseNanos() {
    return pauseNanos;
  }
}
