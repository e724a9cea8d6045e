/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import java.io.IOException;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where one opening of a region keeps its ledger; replacing it is atomic. What an earlier opening
 * writes from the moment on when this one has {@linkplain #claim claimed}, replaced or deleted it
 * is not read by any later one.
 */
@InterfaceAudience.Private
public interface LedgerStore {

  /**
   * The stored ledger, or empty if there is none.
   *
   * @throws IOException if there is one and it cannot be read, for whatever reason
   */
  Optional<LedgerRecord> read() throws IOException;

  /** Replaces the stored ledger; after an error either the old or the new one is there, or none. */
  void replace(LedgerRecord record) throws IOException;

  /** Makes what is stored this opening's own, as it is. */
  void claim() throws IOException;

  /** Removes the ledger; none there is no error. */
  void delete() throws IOException;
}
