/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import io.hbaseindex.region.metrics.WriteRefusal;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A row that would need too many postings in one index because of old versions that may show again.
 * Unlike other rows that cannot be indexed, it can be once a compaction has dropped those versions.
 */
@InterfaceAudience.Private
public final class TooManyPostingsException extends UnindexableRowException {
  private static final long serialVersionUID = 1L;

  public TooManyPostingsException(String message) {
    super(message);
  }

  @Override
  public WriteRefusal reason() {
    return WriteRefusal.TOO_MANY_POSTINGS;
  }
}
