/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import io.hbaseindex.region.metrics.WriteRefusal;
import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A row that cannot be indexed as it is stored: writes of it are refused, and an index that meets
 * it during a build can never become ready until the row is gone, save for {@link
 * TooManyPostingsException}. Never sent to clients, which could not make an object of it.
 */
@InterfaceAudience.Private
public sealed class UnindexableRowException extends IOException permits TooManyPostingsException {
  private static final long serialVersionUID = 1L;

  UnindexableRowException(String message, Throwable cause) {
    super(message, cause);
  }

  UnindexableRowException(String message) {
    super(message);
  }

  /** As what a write of the row is refused. */
  public WriteRefusal reason() {
    return WriteRefusal.ROW_KEY_TOO_LONG;
  }
}
