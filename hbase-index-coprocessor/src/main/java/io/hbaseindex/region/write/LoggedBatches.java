/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Learns what becomes of batches that are given to the log (rule P14). None of its methods waits or
 * throws.
 */
@InterfaceAudience.Private
public interface LoggedBatches {
  /** The batch is about to be given to the log. */
  void begun(Object batch);

  /** The batch is in the memstore. */
  void applied(Object batch);

  /** The log may hold the batch, and the memstore does not. */
  void lost(Object batch);
}
